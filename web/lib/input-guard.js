// Ignores clicks and keys that were meant for what was here a moment ago (rules A3 and A5 of
// docs/answering.md): all within a short time after new content appears, keys for longer if it appeared
// while somebody typed, or in the middle of a word; the second click of a double click, and the repeats of a
// key that went down on another control.

import { isTextField } from './dom.js';

// When somebody types, wherever that is. A key that was typed for a field must not act on a question that appears in the
// middle of a word: it acts after a pause.

/** The pause in typing after which keys act again, in milliseconds. */
export const QUIET_MS = 700;

/** Whether keys are text there: in fields, and in what was typed and not sent. @param {EventTarget | undefined} target */
export const takesText = (target) =>
  isTextField(target) || (target instanceof Element && target.closest('.unsent, select') !== null);

/** Whether a key is a character. @param {KeyboardEvent} event */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** When a character or Enter was typed, wherever; when a letter was typed where it is no text; and when Enter was. */
let typedAt = Number.NEGATIVE_INFINITY;
let strayLetterAt = Number.NEGATIVE_INFINITY;
let enterAt = Number.NEGATIVE_INFINITY;

// These leave a field on purpose.
const pauseTyping = () => {
  typedAt = strayLetterAt = enterAt = Number.NEGATIVE_INFINITY;
};
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Enter') enterAt = event.timeStamp;
    if (event.key === 'Escape' || event.key === 'Tab') pauseTyping();
    else if (isCharacter(event) || event.key === 'Enter') typedAt = event.timeStamp;
    if (isCharacter(event) && !/[ \d]/.test(event.key) && !takesText(event.composedPath()[0]))
      strayLetterAt = event.timeStamp;
  },
  true,
);
addEventListener('pointerdown', pauseTyping, true);

/** How long until there was a pause in typing; at most 0 if there was one, in milliseconds. */
export const msUntilPause = () => typedAt + QUIET_MS - performance.now();

/** Whether Enter was pressed a moment ago: another one is not meant for what that one made appear. */
const isAfterEnter = () => performance.now() - enterAt < QUIET_MS;

/** Whether a key follows a letter that went nowhere, as in the middle of a sentence. @param {Event} event */
const followsStrayLetter = ({ timeStamp }) => timeStamp - strayLetterAt < QUIET_MS;

// The guard.

/** How long new content ignores input, in milliseconds. */
const GUARD_MS = 350;

/** The time of the first click of a double click, and the target of the key that is down. */
let firstClickAt = 0;
/** @type {EventTarget | null} */
let keydownTarget = null;
addEventListener(
  'click',
  (event) => {
    if (event.detail <= 1) firstClickAt = event.timeStamp;
  },
  true,
);
addEventListener(
  'keydown',
  (event) => {
    if (!event.repeat) [keydownTarget] = event.composedPath();
  },
  true,
);

/** @param {Event} event */
function suppress(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Whether a key triggers an action rather than types text. @param {KeyboardEvent} event */
function isActionKey(event) {
  if (event.key === 'Enter') return true;
  return /^[ \d]$/.test(event.key) && !isTextField(event.composedPath()[0]);
}

/**
 * Guards the content of a node. Call the result whenever that content was replaced.
 * @param {HTMLElement} node has `data-guarded` while input is ignored
 * @param {EventTarget} [target] where events are caught, if not at the node itself
 * @param {() => void} [onIgnored] after a key was ignored; not for repeats and second clicks, which nobody misses
 * @returns {() => void}
 */
export function inputGuard(node, target = node, onIgnored = undefined) {
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer = 0;
  /** How long keys are ignored. */
  let keysMs = GUARD_MS;
  const isEarly = (/** @type {Event} */ event, ms = GUARD_MS) => event.timeStamp - shownAt < ms;
  target.addEventListener(
    'click',
    (event) => {
      const isSecond = /** @type {MouseEvent} */ (event).detail > 1 && firstClickAt < shownAt;
      // Clicks by a program are intended.
      if (event.isTrusted && (isEarly(event) || isSecond)) suppress(event);
    },
    true,
  );
  target.addEventListener(
    'keydown',
    (event) => {
      const key = /** @type {KeyboardEvent} */ (event);
      const isCarriedOver = key.repeat && keydownTarget !== key.composedPath()[0];
      const isTyping = !isTextField(key.composedPath()[0]) && followsStrayLetter(key);
      if (!key.isTrusted || !isActionKey(key)) return;
      const isIgnored = isEarly(key, keysMs) || isTyping;
      if (isIgnored || isCarriedOver) suppress(key);
      if (isIgnored && !key.repeat) onIgnored?.();
    },
    true,
  );
  // The focus came here by Enter, from wherever: as from a row, or a dialog that it closed.
  target.addEventListener('focusin', (event) => {
    const from = /** @type {FocusEvent} */ (event).relatedTarget;
    const isInside = from instanceof Node && /** @type {Node} */ (target).contains(from);
    if (!isInside && isAfterEnter()) guard();
  });
  const show = () => {
    shownAt = performance.now();
    keysMs = msUntilPause() > 0 ? QUIET_MS : GUARD_MS;
    clearTimeout(timer);
    timer = setTimeout(() => node.removeAttribute('data-guarded'), keysMs);
  };
  const guard = () => {
    node.setAttribute('data-guarded', '');
    show();
    // The content is visible from the next frame on; a page in the background has no frames.
    requestAnimationFrame(show);
  };
  return guard;
}
