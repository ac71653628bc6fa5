// The key `u` in a text field that got the focus by itself, right after an answer: `u` and Enter undo, because nobody
// answers with that letter alone. Anything else that follows makes it the beginning of an answer.

import { isTextField } from '../lib/dom.js';

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];

/** @param {{ isOffered: () => boolean, undo: () => void }} bar */
export function undoKey({ isOffered, undo }) {
  /** Whether nobody has pressed anything since the answer. */
  let isArmed = false;
  /** The field that has the letter, if it was the last key. @type {HTMLInputElement | HTMLTextAreaElement | null} */
  let field = null;

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.repeat || MODIFIERS.includes(event.key)) return;
    const before = field;
    const wasArmed = isArmed;
    disarm();
    if (event.ctrlKey || event.metaKey || event.altKey || !isOffered()) return;
    const [target] = event.composedPath();
    if (event.key === 'Enter' && target === before && before?.value === 'u') {
      event.preventDefault();
      event.stopImmediatePropagation();
      before.value = '';
      before.dispatchEvent(new Event('input', { bubbles: true }));
      undo();
    } else if (wasArmed && event.key === 'u' && isTextField(target)) {
      const empty = /** @type {HTMLInputElement} */ (target);
      if (empty.value === '') field = empty;
    }
  }

  const disarm = () => {
    isArmed = false;
    field = null;
  };
  addEventListener('keydown', handleKey, true);
  addEventListener('pointerdown', disarm, true);
  return {
    /** Call it when an answer was sent. */
    arm: () => {
      isArmed = true;
    },
    destroy() {
      removeEventListener('keydown', handleKey, true);
      removeEventListener('pointerdown', disarm, true);
    },
  };
}
