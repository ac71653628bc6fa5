// The start page: a new conversation with one of the apps, and the recent conversations.

import { Composer } from '../chat/composer.js';
import { conversationList } from './conversation-list.js';
import { bdi, div, h, hasKeyboard, p, span } from '../lib/dom.js';
import { localAppName, t } from '../lib/i18n.js';
import { textWithCommand } from '../question/share-link.js';

/** @import { Store } from './store.js' */
/** @import { App } from '../lib/wire.d.ts' */

/** Starts a server with a model. */
const MODEL_COMMAND = 'askback serve --provider anthropic';

/** Who replies, if that is no model. */
const noModel = () =>
  document.documentElement.dataset.noModel !== undefined &&
  p('notice', textWithCommand('web-no-model', MODEL_COMMAND));

/** @param {Store} store @param {(id: string, typed: () => string) => Promise<void>} openConversation `typed`: what was typed after the message */
export function startView(store, openConversation) {
  const heading = h('h1', { tabindex: -1 }, t('web-new-conversation'));
  const appChoices = h('fieldset', { class: 'apps' });
  const recent = conversationList(store, 'recent');
  /** @type {App[]} */
  let drawnApps = [];

  const chosenApp = () =>
    /** @type {HTMLInputElement | null} */ (appChoices.querySelector('input:checked'))?.value;

  /** Drawn again only when the apps change: a radio button that has the focus must stay. */
  function drawApps() {
    if (JSON.stringify(drawnApps) === JSON.stringify(store.apps)) return;
    drawnApps = store.apps;
    const chosen = chosenApp() ?? store.apps.find((app) => app.default)?.id;
    const choices = store.apps.map((app) =>
      h(
        'label',
        {},
        h('input', { type: 'radio', name: 'app', value: app.id, checked: app.id === chosen }),
        span('name', bdi(localAppName(app))),
        app.description && h('span', { class: 'hint', dir: 'auto' }, app.description),
      ),
    );
    appChoices.replaceChildren(h('legend', {}, t('web-choose-app')), ...choices);
  }

  function draw() {
    drawApps();
    recent.draw();
  }

  const messageField = new Composer({
    store,
    key: 'new',
    send: async (message, message_id) => {
      const { id } = await store.client.post('/conversations', {
        app: chosenApp(),
        message,
        message_id,
        key: message_id,
      });
      await openConversation(id, () => {
        const typed = messageField.typedAfter(message);
        messageField.input.value = message;
        return typed;
      });
    },
  });
  store.addEventListener('conversations', draw);
  draw();
  return {
    node: div(
      'chat start',
      h('div', {}, heading, p('lead', t('web-start-lead'))),
      noModel(),
      messageField.node,
      appChoices,
      recent.node,
    ),
    heading,
    focus: () => (hasKeyboard() ? messageField.input : heading).focus(),
    destroy: () => store.removeEventListener('conversations', draw),
  };
}
