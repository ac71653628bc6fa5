// Handing a question on to somebody else: a button for each person and group, and a reason if there is one.

import { button, h, uniqueId } from './dom.js';
import { t } from './i18n.js';
import { problemNotice } from './share-link.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry, Recipient } from './wire.d.ts' */

/**
 * Shows everybody but the present recipient.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export async function showPeople(element, inquiry) {
  const { items } = await element.client.get('/recipients');
  const id = uniqueId();
  const reason = h('input', { id, type: 'text', maxlength: 300, dir: 'auto' });
  const result = h('div');
  const people = items
    .filter((/** @type {Recipient} */ { alias }) => alias !== inquiry.recipient)
    .map((/** @type {Recipient} */ { alias, name }) =>
      button(t('hand-on-to', { person: name }), () => handOn(alias, name)),
    );
  const actions = h('div', { class: 'actions' }, people);
  const panel = h(
    'div',
    {},
    h('label', { for: id }, t('web-hand-on-reason')),
    reason,
    actions,
    result,
  );

  /** @param {string} recipient @param {string} name */
  async function handOn(recipient, name) {
    // Not twice.
    actions.inert = true;
    const body = { recipient, reason: reason.value, revision: inquiry.revision };
    try {
      await element.client.post(`/inquiries/${inquiry.id}/hand-on`, body);
      const text = t('for-recipient', { recipient: name });
      panel.replaceChildren(h('p', { class: 'notice' }, text));
      element.announce(text);
    } catch (error) {
      result.replaceChildren(problemNotice(error));
      actions.inert = false;
    }
  }

  return panel;
}
