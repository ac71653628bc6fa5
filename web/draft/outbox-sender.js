// Sends what waits in the outbox of this browser, whatever page is open. A question that is on the page sends
// its own answer. An answer that the server refuses is shown until it is closed.

import { OfflineError } from '../lib/api.js';
import { button, h, p } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { localDrafts, outbox, rememberAnswer } from './outbox.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { OutboxItem } from './outbox.js' */
/** @import { Store } from '../shell/store.js' */

/** How long until a failed request is repeated, in milliseconds. */
const RETRY_MS = 5000;

let timer = 0;

/** Whether a question on the page is sending it. @param {string} id */
const isSentByElement = (id) =>
  [...document.querySelectorAll(`askback-question[inquiry="${CSS.escape(id)}"]`)].some(
    (each) => /** @type {AskbackQuestion} */ (each).sender.isSending,
  );

/** @param {Store} store @param {string} id @param {OutboxItem} item */
async function send(store, id, item) {
  const inquiry = await store.client.post(item.path, item.body);
  outbox.remove(id);
  localDrafts.remove(id);
  rememberAnswer(id);
  store.applyInquiry(inquiry);
}

/** Why an answer was not taken, and what it was. @param {string} id @param {OutboxItem} item */
function refusalNotice(id, { shown, refusal }) {
  const notice = h(
    'div',
    { class: 'banner unsent-answer', 'data-inquiry': id, role: 'group' },
    h('p', {}, refusal ?? ''),
    p('small', t('web-not-sent')),
    h(
      'dl',
      {},
      shown.flatMap(([question, answer]) => [
        h('dt', { dir: 'auto' }, question),
        h('dd', { dir: 'auto' }, answer),
      ]),
    ),
    button(t('web-close'), () => {
      outbox.remove(id);
      notice.remove();
    }),
  );
  return notice;
}

/**
 * Sends everything that is not sent yet, once each, and again as long as there is something. An answer goes to
 * the question that it was given to, or nowhere.
 * @param {Store} store
 * @param {HTMLElement} notices where refused answers are shown
 */
export async function sendOutbox(store, notices) {
  clearTimeout(timer);
  for (const id of outbox.ids()) {
    const item = outbox.read(id);
    if (!item || item.base) continue;
    if (!item.refusal && !isSentByElement(id))
      await send(store, id, item).catch((/** @type {Error} */ error) => {
        if (error instanceof OfflineError) return;
        item.refusal = error.message;
        outbox.write(id, item);
      });
    if (item.refusal && !notices.querySelector(`[data-inquiry="${CSS.escape(id)}"]`))
      notices.append(refusalNotice(id, item));
  }
  const isLeft = outbox.ids().some((id) => !outbox.read(id)?.refusal);
  if (isLeft) timer = setTimeout(() => sendOutbox(store, notices), RETRY_MS);
}
