// The key `u` in a text field that got the focus by itself, right after an answer: whoever presses it wants to undo, and
// is not beginning an answer. It acts if nothing but Enter follows; other keys make it a letter.

import { isTextField } from './dom.js';
import { QUIET_MS } from './typing-pause.js';

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];

/** @param {{ isOffered: () => boolean, undo: () => void }} bar */
export function undoKey({ isOffered, undo }) {
  /** Whether nobody has pressed anything since the answer. */
  let isArmed = false;
  let timer = 0;
  /** @type {HTMLInputElement | HTMLTextAreaElement} */
  let field;

  function act() {
    timer = 0;
    if (!isOffered() || field.value !== 'u') return;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    undo();
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.repeat || MODIFIERS.includes(event.key)) return;
    if (timer) {
      clearTimeout(timer);
      timer = 0;
      if (event.key === 'Enter' && isOffered()) {
        event.preventDefault();
        event.stopImmediatePropagation();
        act();
      }
      return;
    }
    const [target] = event.composedPath();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isArmed && isPlain && event.key === 'u' && isOffered() && isTextField(target)) {
      field = /** @type {HTMLInputElement} */ (target);
      if (field.value === '') timer = setTimeout(act, QUIET_MS);
    }
    disarm();
  }

  const disarm = () => {
    isArmed = false;
  };
  addEventListener('keydown', handleKey, true);
  addEventListener('pointerdown', disarm, true);
  return {
    /** Call it when an answer was sent. */
    arm: () => {
      isArmed = true;
    },
    destroy() {
      clearTimeout(timer);
      removeEventListener('keydown', handleKey, true);
      removeEventListener('pointerdown', disarm, true);
    },
  };
}
