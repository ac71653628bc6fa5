// What the inbox shows when nothing waits: how to connect an agent, how to try it, and how to be told of a question
// elsewhere.

import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { notifyButton } from '../shell/notifications.js';

/** Connects the agents of this computer. */
const INSTALL_COMMAND = 'askback install';
/** Asks a question from a terminal. */
const TRY_COMMAND = 'askback ask --durable "Deploy now?" Yes No';

/** @param {HTMLElement} placeholder stays as it is if it was drawn before */
export function drawEmpty(placeholder) {
  if (placeholder.firstChild) return;
  placeholder.append(
    icon('check'),
    h('h2', {}, t('inbox-empty-title')),
    h('p', {}, t('inbox-empty-lead')),
    ...[
      ['inbox-empty-install', INSTALL_COMMAND],
      ['inbox-empty-try', TRY_COMMAND],
    ].flatMap(([text, command]) => [
      h('p', { class: 'hint' }, t(text)),
      h('pre', { class: 'command', dir: 'ltr', tabindex: 0 }, command),
    ]),
    ...[notifyButton()].filter((each) => each !== null),
  );
}
