// The element in React (19 or newer, which passes properties and events to custom elements).
// Load the module once, in the page: <script type="module" src="http://127.0.0.1:7777/web/element.js">
import { useEffect, useRef } from 'react';

export function Question({ server, token, inquiry, onResolved }) {
  const element = useRef(null);
  useEffect(() => {
    const node = element.current;
    const resolved = (event) => onResolved?.(event.detail.inquiry);
    node.addEventListener('askback-resolved', resolved);
    return () => node.removeEventListener('askback-resolved', resolved);
  }, [onResolved]);
  return <askback-question ref={element} src={server} token={token} inquiry={inquiry} />;
}
