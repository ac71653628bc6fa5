// Clicks and keys that were meant for what stood here a moment ago do not act on what stands here now:
// nothing acts in the first moments after it appears, the second click of a double click does not reach
// what the first one brought up, and a key that is held down does not go on somewhere else.

import { isTextField } from './dom.js';

/** How long something is in view before it acts, in milliseconds. */
export const GUARD_MS = 350;

/** When the clicks that may be a double click began, and what had the focus when the held key went down. */
let clicksBegan = 0;
/** @type {EventTarget | null} */
let keyBegan = null;
addEventListener(
  'click',
  (event) => {
    if (event.detail <= 1) clicksBegan = event.timeStamp;
  },
  true,
);
addEventListener(
  'keydown',
  (event) => {
    if (!event.repeat) [keyBegan] = event.composedPath();
  },
  true,
);

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Whether a key does something at once, and is not text. @param {KeyboardEvent} event */
function acts(event) {
  if (event.key === 'Enter') return true;
  return /^[ \d]$/.test(event.key) && !isTextField(event.composedPath()[0]);
}

/**
 * Guards what is inside a node. Returns what to call whenever its content was replaced.
 * @param {HTMLElement} node marked with `data-guarded` for as long as nothing in it acts
 * @param {EventTarget} [inside] where its events come by
 * @returns {() => void}
 */
export function guard(node, inside = node) {
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer = 0;
  const isEarly = (/** @type {Event} */ event) => event.timeStamp - shownAt < GUARD_MS;
  inside.addEventListener(
    'click',
    (event) => {
      const isSecond = /** @type {MouseEvent} */ (event).detail > 1 && clicksBegan < shownAt;
      // What a program clicks was not clicked by mistake.
      if (event.isTrusted && (isEarly(event) || isSecond)) swallow(event);
    },
    true,
  );
  inside.addEventListener(
    'keydown',
    (event) => {
      const key = /** @type {KeyboardEvent} */ (event);
      const isCarriedOver = key.repeat && keyBegan !== key.composedPath()[0];
      if (key.isTrusted && acts(key) && (isEarly(key) || isCarriedOver)) swallow(key);
    },
    true,
  );
  const show = () => {
    shownAt = performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => node.removeAttribute('data-guarded'), GUARD_MS);
  };
  return () => {
    node.setAttribute('data-guarded', '');
    show();
    // It is seen from the next frame on; a page in the background has none.
    requestAnimationFrame(show);
  };
}
