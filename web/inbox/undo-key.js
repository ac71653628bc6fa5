// The key `u` in a text field that got the focus by itself, right after an answer: `u` and Enter undo, because nobody
// answers with that letter alone. Anything else that follows makes it the beginning of an answer. The bar offers only
// keys that undo where the focus is.

import { deepActiveElement, isTextField } from '../lib/dom.js';

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];

/**
 * @param {{ offer: () => (() => void) | null, isKey: () => boolean }} bar `offer`: undoes what can be undone now, also if that is called later; `isKey`: whether `u` alone undoes, because the focus is in no field
 * @param {AbortSignal} signal ends it
 */
export function undoKey({ offer, isKey }, signal) {
  /** Whether nobody has pressed anything since the answer. */
  let isArmed = false;
  /** The field that has the letter, if it was the last key. @type {HTMLInputElement | HTMLTextAreaElement | null} */
  let field = null;
  /** Undoes what was offered when the letter was typed. @type {(() => void) | null} */
  let undo = null;

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.repeat || MODIFIERS.includes(event.key)) return;
    const before = field;
    const wasArmed = isArmed;
    disarm();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    // Also if the time is over by now: the letter was no answer when it was typed, and the server says what became of it.
    if (event.key === 'Enter' && target === before && before?.value === 'u') {
      event.preventDefault();
      event.stopImmediatePropagation();
      before.value = '';
      before.dispatchEvent(new Event('input', { bubbles: true }));
      undo?.();
    } else if (wasArmed && event.key === 'u' && isTextField(target)) {
      const empty = /** @type {HTMLInputElement} */ (target);
      undo = offer();
      if (undo && empty.value === '') field = empty;
    }
  }

  const disarm = () => {
    isArmed = false;
    field = null;
  };
  addEventListener('keydown', handleKey, { capture: true, signal });
  addEventListener('pointerdown', disarm, { capture: true, signal });
  return {
    /** Call it when an answer was sent. */
    arm: () => {
      isArmed = true;
    },
    /** The keys that undo when they are pressed now, one after the other. */
    keys() {
      const focused = deepActiveElement();
      if (!isTextField(focused)) return isKey() ? ['u'] : [];
      const { value } = /** @type {HTMLInputElement} */ (focused);
      if (focused === field && value === 'u') return ['Enter'];
      return isArmed && value === '' ? ['u', 'Enter'] : [];
    },
  };
}
