// The element as a React component (19 or newer, which passes attributes to custom elements).
import { createElement, useEffect, useRef } from 'react';

import { loadElement } from './index.js';

/** Shows one question. Loads the element from the server when it is first drawn. */
export function Question({ src, onState, onResolved, onHeld, onError, ...attributes }) {
  const element = useRef(null);
  const listeners = useRef({});
  listeners.current = { state: onState, resolved: onResolved, held: onHeld, error: onError };
  useEffect(() => {
    loadElement(src ?? '');
  }, [src]);
  useEffect(() => {
    const node = element.current;
    const end = new AbortController();
    for (const name of ['state', 'resolved', 'held', 'error']) {
      const listener = (event) => listeners.current[name]?.(event.detail, event);
      node.addEventListener(`askback-${name}`, listener, { signal: end.signal });
    }
    return () => end.abort();
  }, []);
  return createElement('askback-question', { ref: element, src, ...attributes });
}
