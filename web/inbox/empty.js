// What the inbox shows when nothing waits: how to ask a question, and how to be told of one elsewhere.

import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { notifyButton } from '../shell/notifications.js';

/** Asks a question from a terminal. */
const TRY_COMMAND = 'askback ask --durable "Deploy now?" Yes No';

/** @param {HTMLElement} placeholder stays as it is if it was drawn before */
export function drawEmpty(placeholder) {
  if (placeholder.firstChild) return;
  placeholder.append(
    icon('check'),
    h('h2', {}, t('inbox-empty-title')),
    h('p', {}, t('inbox-empty-lead')),
    h('p', { class: 'hint' }, t('inbox-empty-try')),
    h('pre', { class: 'command', dir: 'ltr', tabindex: 0 }, TRY_COMMAND),
    ...[notifyButton()].filter((each) => each !== null),
  );
}
