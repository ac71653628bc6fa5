// The people and groups that questions are for, as an administrator adds and removes them. Loaded when they are opened.

import { Client } from '../lib/api.js';
import { bdi, button, h, span } from '../lib/dom.js';
import { failureText, t } from '../lib/i18n.js';

/** @import { Recipient } from '../lib/wire.d.ts' */

/** @param {string} label @param {Record<string, unknown>} attributes */
function field(label, attributes) {
  return h('input', { type: 'text', placeholder: label, 'aria-label': label, ...attributes });
}

/** @returns {HTMLElement} */
export function people() {
  const client = new Client();
  const list = h('ul', { class: 'people' });
  const notice = h('p', { class: 'notice', role: 'alert', hidden: true });
  const alias = field(t('web-people-alias'), {
    maxlength: 40,
    pattern: '[a-z0-9\\-]+',
    autocapitalize: 'off',
    required: true,
  });
  const name = field(t('web-people-name'), { maxlength: 100, required: true });

  /** Does something and shows the list anew, or says why not. @param {() => Promise<unknown>} action */
  async function change(action) {
    try {
      await action();
      notice.hidden = true;
      await draw();
    } catch (error) {
      notice.textContent = failureText(error);
      notice.hidden = false;
    }
  }

  /** @param {Recipient} recipient */
  function row(recipient) {
    const { members, on_call, configured } = recipient;
    const path = `/recipients/${encodeURIComponent(recipient.alias)}`;
    const what = members
      ? t('web-people-group', { people: members.join(', ') })
      : recipient.name !== recipient.alias && recipient.name;
    return h(
      'li',
      {},
      bdi(recipient.alias),
      what && span('hint', bdi(what)),
      on_call && span('hint', bdi(t('web-people-on-call', { person: on_call.now }))),
      !configured &&
        button(t('web-people-remove', { person: recipient.name }), () =>
          change(() => client.request('DELETE', path)),
        ),
    );
  }

  async function draw() {
    const { items } = await client.get('/recipients');
    list.replaceChildren(...items.map(row));
  }

  const form = h(
    'form',
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        change(async () => {
          const path = `/recipients/${encodeURIComponent(alias.value.trim())}`;
          await client.request('PUT', path, { name: name.value.trim() });
          alias.value = name.value = '';
        });
      },
    },
    alias,
    name,
    h('button', { type: 'submit' }, t('web-people-add')),
  );
  change(async () => {});
  return h('div', {}, list, form, notice);
}
