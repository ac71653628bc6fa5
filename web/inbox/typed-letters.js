// Tells a letter that is a key of the inbox from the first letter of a word. A letter that stands alone acts
// after a pause; letters that follow each other are typing, and act on nothing. Moving and marking change no
// question, and act at once.

import { isCharacter, QUIET_MS, takesText } from '../lib/input-guard.js';

/** Keys that act at once: moving in the list, and marking. */
const HARMLESS = /^[jkx]$/;

/**
 * @param {(id: string, text: string) => void} onWords called with what was typed for a question, part by part
 * @param {AbortSignal} signal ends it
 */
export function typedLetters(onWords, signal) {
  let timer = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  /** What was typed since the last pause and not handed on, and the question that it was typed for. */
  let text = '';
  /** @type {string | null} */
  let id = null;
  let hasLetter = false;
  let isWord = false;

  const end = () => {
    clearTimeout(timer);
    lastAt = Number.NEGATIVE_INFINITY;
    text = '';
    hasLetter = isWord = false;
  };

  const handOn = () => {
    if (id) onWords(id, text);
    text = '';
  };

  /** Whether a key goes on with what was typed; then it acts on nothing. @param {Event} event */
  const continues = ({ timeStamp }) => hasLetter && timeStamp - lastAt < QUIET_MS;

  /** What is no letter belongs to the words as well, until their field has the focus, and chooses nothing. @param {KeyboardEvent} event */
  function keepRest(event) {
    if (/\p{L}/u.test(event.key) || !isCharacter(event) || !continues(event)) return;
    if (takesText(event.composedPath()[0])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(timer);
    text += event.key;
    lastAt = event.timeStamp;
    if (isWord) handOn();
  }

  addEventListener('keydown', keepRest, { capture: true, signal });
  addEventListener('pointerdown', end, { capture: true, signal });
  signal.addEventListener('abort', end);
  return {
    /**
     * @param {KeyboardEvent} event
     * @param {string | null} openId the question that the key is for
     * @param {(() => void) | null} action what the key does if it stands alone
     */
    handle(event, openId, action) {
      if (event.timeStamp - lastAt >= QUIET_MS) end();
      if (!text && !isWord) id = openId;
      isWord ||= hasLetter;
      clearTimeout(timer);
      lastAt = event.timeStamp;
      text += event.key;
      if (isWord) handOn();
      else if (HARMLESS.test(event.key)) action?.();
      else {
        hasLetter = true;
        if (action) timer = setTimeout(action, QUIET_MS);
      }
    },
    /** Whether another key goes on with what was typed. It ends it, too. @param {KeyboardEvent} event */
    isContinuedBy(event) {
      const isTyping = continues(event) && (isCharacter(event) || event.key === 'Enter');
      if (isTyping) clearTimeout(timer);
      if (event.key === 'Escape') end();
      return isTyping;
    },
  };
}
