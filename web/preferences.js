// What a reader has chosen for this browser, and questions that keep to it.

/** @import { AskbackQuestion } from './element.js' */

/** @param {string} key */
export const stored = (key) => localStorage.getItem(`askback-${key}`) ?? '';

/** @param {string} key @param {string} value */
export const keep = (key, value) => localStorage.setItem(`askback-${key}`, value);

/** Whether digits choose. */
export const hasDigits = () => stored('digits') !== 'off';

/** @typedef {'inbox' | 'chat'} Place */

/** How long an answer can be taken back where nothing was chosen, in seconds. */
const UNDO_SECONDS = { inbox: 5, chat: 0 };

/** How long an answer from this place can be taken back, in seconds; 0 for not at all. @param {Place} place */
export function undoSeconds(place) {
  const chosen = stored(`undo-${place}`);
  return chosen === '' ? UNDO_SECONDS[place] : Number(chosen) || 0;
}

/** @param {AskbackQuestion} element */
function apply(element) {
  element.setAttribute('digits', hasDigits() ? 'on' : 'off');
  element.setAttribute(
    'undo',
    String(undoSeconds(element.dataset.place === 'inbox' ? 'inbox' : 'chat')),
  );
}

/** The element of a question. @param {Place} place */
export function newQuestion(place) {
  const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
  element.dataset.place = place;
  apply(element);
  return element;
}

/** Brings the questions in view to what was chosen now. */
export function applyPreferences() {
  for (const element of /** @type {NodeListOf<AskbackQuestion>} */ (
    document.querySelectorAll('askback-question')
  )) {
    apply(element);
    element.redraw();
  }
}
