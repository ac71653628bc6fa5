// Handing a question on to somebody else: a button for each person and group, and a reason if there is one.

import { button, div, h, uniqueId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { problemNotice } from './share-link.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry, Recipient } from '../lib/wire.d.ts' */

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
  let isBusy = false;
  const people = items
    .filter((/** @type {Recipient} */ { alias }) => alias !== inquiry.recipient)
    .map((/** @type {Recipient} */ recipient) =>
      button(t('hand-on-to', { person: recipient.name }), () => handOn(recipient)),
    );
  const actions = div('actions', people);
  const panel = h(
    'div',
    {},
    h('label', { for: id }, t('web-hand-on-reason')),
    reason,
    actions,
    result,
  );

  /** @param {Recipient} recipient */
  async function handOn({ alias, name, reachable }) {
    // Not twice. The button keeps the focus, so that no key goes elsewhere.
    if (isBusy) return;
    isBusy = true;
    const body = { recipient: alias, reason: reason.value, revision: inquiry.revision };
    try {
      await element.client.post(`/inquiries/${inquiry.id}/hand-on`, body);
      const handed = t('web-handed-on', { person: name });
      const texts = [[handed, reason.value.trim()].filter(Boolean).join(': ')];
      if (!reachable) texts.push(t('hand-on-unreachable', { person: name }));
      const text = texts.join('. ');
      const notice = h('p', { class: 'notice', tabindex: -1 }, text);
      const hadFocus = panel.contains(element.root.activeElement);
      panel.replaceChildren(notice);
      if (hadFocus) notice.focus();
      element.announce(text);
    } catch (error) {
      result.replaceChildren(problemNotice(error));
      isBusy = false;
    }
  }

  return panel;
}
