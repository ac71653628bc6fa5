// What the inbox shows when nothing waits: how to connect an agent, how to try it, and how to be told of a question
// elsewhere.

import { h, p } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { notifyButton } from '../shell/notifications.js';

/** Connects the agents of this computer. */
const INSTALL_COMMAND = 'askback install';
/** Asks a question from a terminal. */
const TRY_COMMAND = 'askback ask --durable "Deploy now?" Yes No';

/** @param {string} text @param {string} command */
const step = (text, command) => [
  p('hint', text),
  h('pre', { class: 'command', dir: 'ltr', tabindex: 0 }, command),
];

/** @param {HTMLElement} placeholder stays as it is if it was drawn before */
export function drawEmpty(placeholder) {
  if (placeholder.firstChild) return;
  // The server has looked for the agents of its computer.
  const { agentsReady, agentsRest = '' } = document.documentElement.dataset;
  const connect = () => step(`${t('inbox-empty-install')} ${agentsRest}`, INSTALL_COMMAND);
  const isBlocked = globalThis.Notification?.permission === 'denied';
  const notify = isBlocked ? null : notifyButton();
  placeholder.append(
    icon('check'),
    h('h2', {}, t('inbox-empty-title')),
    h(
      'p',
      {},
      agentsReady ? t('inbox-agents-ready', { agents: agentsReady }) : t('inbox-empty-lead'),
    ),
    ...(agentsReady && !agentsRest ? [] : connect()),
    ...(agentsReady ? [] : step(t('inbox-empty-try'), TRY_COMMAND)),
    ...(notify ? [notify] : []),
  );
}
