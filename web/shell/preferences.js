// The preferences of this browser (localStorage), and question elements that follow them.

import { loadExtraStyles } from '../lib/dom.js';
import { UNDO_SECONDS } from '../question/answer-sender.js';

/** @import { AskbackQuestion } from '../element.js' */

/** @param {string} key */
export const preference = (key) => localStorage.getItem(`askback-${key}`) ?? '';

/** @param {string} key @param {string} value */
export const setPreference = (key, value) => localStorage.setItem(`askback-${key}`, value);

export function applyTheme(theme = preference('theme')) {
  document.documentElement.dataset.theme = theme;
}

/** Whether digits pick choices. */
export const hasDigits = () => preference('digits') !== 'off';

/** @typedef {'inbox' | 'chat'} View */

/** How long an answer can be undone; 0 for no undo. */
export const undoSeconds = () => Number(preference('undo') || UNDO_SECONDS) || 0;

/** Whether a choice is sent only after Send was pressed. */
export const hasTwoSteps = () => preference('two-steps') === 'on';

/** @param {AskbackQuestion} element */
function apply(element) {
  element.setAttribute('digits', hasDigits() ? 'on' : 'off');
  element.setAttribute('undo', String(undoSeconds()));
  element.toggleAttribute('two-steps', hasTwoSteps());
}

/** @param {View} view */
export function newQuestion(view) {
  const element = /** @type {AskbackQuestion} */ (document.createElement('askback-question'));
  element.dataset.view = view;
  if (view === 'inbox') loadExtraStyles();
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
