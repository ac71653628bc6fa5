// Notes when somebody types, wherever that is. A key that was typed for a field must not act on a question
// that appears in the middle of a word: it acts after a pause (rules A3 and A5 of docs/answering.md).

import { isTextField } from './dom.js';

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
export const isAfterEnter = () => performance.now() - enterAt < QUIET_MS;

/** Whether a key follows a letter that went nowhere, as in the middle of a sentence. @param {Event} event */
export const followsStrayLetter = ({ timeStamp }) => timeStamp - strayLetterAt < QUIET_MS;
