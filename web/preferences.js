// The preferences of this browser (localStorage), and question elements that follow them.

/** @import { AskbackQuestion } from './element.js' */

/** @param {string} key */
export const preference = (key) => localStorage.getItem(`askback-${key}`) ?? '';

/** @param {string} key @param {string} value */
export const setPreference = (key, value) => localStorage.setItem(`askback-${key}`, value);

/** Whether digits pick choices. */
export const hasDigits = () => preference('digits') !== 'off';

/** @typedef {'inbox' | 'chat'} Place */

const UNDO_SECONDS_DEFAULT = { inbox: 5, chat: 0 };

/** How long an answer can be undone; 0 for no undo. @param {Place} place */
export function undoSeconds(place) {
  const chosen = preference(`undo-${place}`);
  return chosen === '' ? UNDO_SECONDS_DEFAULT[place] : Number(chosen) || 0;
}

/** @param {AskbackQuestion} element */
function apply(element) {
  element.setAttribute('digits', hasDigits() ? 'on' : 'off');
  element.setAttribute(
    'undo',
    String(undoSeconds(element.dataset.place === 'inbox' ? 'inbox' : 'chat')),
  );
}

/** @param {Place} place */
export function newQuestion(place) {
  const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
  element.dataset.place = place;
  apply(element);
  return element;
}

/** Applies changed preferences to the questions on the page. */
export function applyPreferences() {
  for (const element of /** @type {NodeListOf<AskbackQuestion>} */ (
    document.querySelectorAll('askback-question')
  )) {
    apply(element);
    element.redraw();
  }
}
