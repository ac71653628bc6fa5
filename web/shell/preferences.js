// The preferences of this browser (localStorage), and question elements that follow them.

import { loadExtraStyles } from '../lib/stylesheets.js';

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

const UNDO_SECONDS_DEFAULT = { inbox: 5, chat: 0 };

/** How long an answer can be undone; 0 for no undo. @param {View} view */
export function undoSeconds(view) {
  const chosen = preference(`undo-${view}`);
  return chosen === '' ? UNDO_SECONDS_DEFAULT[view] : Number(chosen) || 0;
}

/** @param {AskbackQuestion} element */
function apply(element) {
  element.setAttribute('digits', hasDigits() ? 'on' : 'off');
  element.setAttribute(
    'undo',
    String(undoSeconds(element.dataset.view === 'inbox' ? 'inbox' : 'chat')),
  );
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
