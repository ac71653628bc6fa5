// An answer that can be taken back: it looks like what it will be, with a button that counts down.

import { newKey, Problem } from './api.js';
import { button, h } from './dom.js';
import { outcomeView } from './outcome.js';
import { t } from './i18n.js';

/** @import { Client } from './api.js' */
/** @import { AskbackQuestion } from './element.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

const SECOND_MS = 1000;

/**
 * How long it can still be taken back. A clock that differs from the server's must not make it longer
 * than it ever was, nor none at all.
 * @param {Held} held
 */
function leftMs({ at, until }) {
  const whole = Date.parse(until) - Date.parse(at);
  const left = Date.parse(until) - Date.now();
  return left > 0 ? Math.min(left, whole) : whole;
}

/**
 * A button that says how long it is there for, and goes when that is over.
 * @param {Held} held
 * @param {() => void} run
 * @param {() => void} [over] when its time has passed
 */
export function undoButton(held, run, over) {
  const end = performance.now() + leftMs(held);
  const node = button('', run, { class: 'undo' });
  const tick = () => {
    const seconds = Math.ceil((end - performance.now()) / SECOND_MS);
    if (seconds <= 0) {
      node.remove();
      return over?.();
    }
    node.textContent = t('web-undo-left', { seconds });
    setTimeout(() => {
      if (node.isConnected) tick();
    }, SECOND_MS);
    return undefined;
  };
  tick();
  return node;
}

/**
 * Takes an answer back. What it says is for the person: too late is no error, and neither is one that
 * was taken back elsewhere. What did not get through may be tried again.
 * @param {Client} client
 * @param {string} id
 * @returns {Promise<{ inquiry: Inquiry | null, words: string, isLost?: boolean }>}
 */
export async function takeBack(client, id) {
  try {
    return {
      inquiry: await client.post(`/inquiries/${id}/undo`, { idempotency_key: newKey() }),
      words: t('web-undone'),
    };
  } catch (error) {
    if (!(error instanceof Problem))
      return { inquiry: null, words: t('chat-connection-lost'), isLost: true };
    if (error.code === 'nothing_held')
      return { inquiry: await client.inquiry(id).catch(() => null), words: t('web-undone') };
    const isLate = ['not_pending', 'stale_inquiry'].includes(error.code);
    return { inquiry: null, words: isLate ? t('web-undo-late') : error.message };
  }
}

/**
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 * @param {Held} held
 */
export function heldView(element, inquiry, held) {
  const status = /** @type {Inquiry['status']} */ (held.outcome.type);
  const view = outcomeView({
    ...inquiry,
    status,
    outcome: held.outcome,
    answered_by: held.answered_by,
    surface: held.surface,
    resolved_at: held.at,
  });
  const undo = undoButton(held, async () => {
    const { inquiry: now, words } = await takeBack(element.client, inquiry.id);
    element.announce(words);
    if (!now) return;
    element.take(now, true);
    element.focusFirst();
  });
  view.append(h('p', { class: 'hint' }, t('web-held')), undo);
  return view;
}
