// What a reader has chosen for this browser, and questions that keep to it.

/** @import { AskbackQuestion } from './element.js' */

/** @param {string} key */
export const stored = (key) => localStorage.getItem(`askback-${key}`) ?? '';

/** @param {string} key @param {string} value */
export const keep = (key, value) => localStorage.setItem(`askback-${key}`, value);

/** Whether digits choose. */
export const hasDigits = () => stored('digits') !== 'off';

/** @param {AskbackQuestion} element */
function apply(element) {
  element.setAttribute('digits', hasDigits() ? 'on' : 'off');
}

/** The element of a question. */
export function newQuestion() {
  const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
  apply(element);
  return element;
}

/** Brings the questions in view to what was chosen now. */
export function applyPreferences() {
  for (const element of /** @type {NodeListOf<AskbackQuestion>} */ (document.querySelectorAll('askback-question'))) {
    apply(element);
    element.redraw();
  }
}
