// Undoing an answer that the server still holds: the request, and the undo button.

import { newKey, ProblemError } from '../lib/api.js';
import { button } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { undoneHere } from '../draft/outbox.js';

/** @import { Client } from '../lib/api.js' */
/** @import { Held, Inquiry } from '../lib/wire.d.ts' */

const SECOND_MS = 1000;

/**
 * The time left to undo. If the clocks of browser and server differ, the result is at most the whole
 * time and more than zero.
 * @param {Held} held
 */
function leftMs({ at, until }) {
  const total = Date.parse(until) - Date.parse(at);
  const left = Date.parse(until) - Date.now();
  return left > 0 ? Math.min(left, total) : total;
}

/**
 * A button that counts down and removes itself at zero.
 * @param {Held} held
 * @param {() => void} onUndo
 * @param {() => void} [onTimeout]
 */
export function undoButton(held, onUndo, onTimeout) {
  const end = performance.now() + leftMs(held);
  const node = button('', onUndo, { class: 'undo' });
  const tick = () => {
    const seconds = Math.ceil((end - performance.now()) / SECOND_MS);
    if (seconds <= 0) {
      node.remove();
      return onTimeout?.();
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
 * Undoes an answer. `message` is for the user; `isLost` means that it can be tried again. Being too
 * late is not an error, and neither is an answer that was undone elsewhere.
 * @param {Client} client
 * @param {string} id
 * @returns {Promise<{ inquiry: Inquiry | null, message: string, isLost?: boolean }>}
 */
export async function undoAnswer(client, id) {
  undoneHere.add(id);
  try {
    return {
      inquiry: await client.post(`/inquiries/${id}/undo`, { key: newKey() }),
      message: t('web-undone'),
    };
  } catch (error) {
    if (!(error instanceof ProblemError))
      return { inquiry: null, message: t('chat-connection-lost'), isLost: true };
    if (error.code === 'nothing_held')
      return { inquiry: await client.inquiry(id).catch(() => null), message: t('web-undone') };
    const isLate = ['not_pending', 'stale_inquiry'].includes(error.code);
    return { inquiry: null, message: isLate ? t('web-undo-late') : error.message };
  }
}
