// What the inbox does to questions without opening them: skip, stop the agent, snooze. Everything here
// can be undone, because a single key is easily pressed by mistake.

import { UNDO_SECONDS_MIN } from './answer-sender.js';
import { announce } from './dom.js';
import { formatTime, t } from './i18n.js';
import { nameOf } from './pending.js';
import { undoSeconds } from './preferences.js';

/** @import { Store } from './store.js' */
/** @import { undoBar } from './undo-bar.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** Requests at the same time; a browser has few connections to one server. */
const REQUESTS_MAX = 4;

/** Whether skipping an inquiry skips its questions. Otherwise it is left to the agent. @param {Inquiry} inquiry */
export const isSkippable = ({ questions }) => questions.every(({ skippable }) => skippable);

/** What happened to each. @param {Inquiry[]} accepted */
function skippedText(accepted) {
  const skipped = accepted.filter(isSkippable).length;
  const declined = accepted.length - skipped;
  if (accepted.length === 1)
    return t(skipped ? 'resolved-skipped' : 'resolved-declined', { name: nameOf(accepted[0]) });
  return [
    skipped && t('inbox-skipped', { count: skipped }),
    declined && t('inbox-declined', { count: declined }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/**
 * @param {Store} store
 * @param {ReturnType<typeof undoBar>} bar
 */
export function inboxActions(store, bar) {
  /** @param {string} path @param {Record<string, unknown>} body @param {Inquiry} inquiry */
  const post = (path, body, { revision }) =>
    store.client
      .post(path, {
        ...body,
        revision,
        undo_seconds: Math.max(undoSeconds('inbox'), UNDO_SECONDS_MIN),
      })
      .catch((/** @type {Error} */ error) => {
        announce(error.message || t('chat-connection-lost'));
        return null;
      });

  /**
   * Sends for each inquiry, a few at a time. Returns what the server accepted.
   * @param {Inquiry[]} inquiries
   * @param {(inquiry: Inquiry) => Promise<Inquiry | null>} send
   */
  async function sendEach(inquiries, send) {
    /** @type {Inquiry[]} */
    const accepted = [];
    const rest = [...inquiries];
    const work = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        const reply = await send(next);
        if (!reply) continue;
        accepted.push(reply);
        if (reply.held) store.applyHeld(reply);
        else store.applyResolved(reply);
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_MAX }, work));
    return accepted;
  }

  /** Skips questions; one that cannot be skipped is left to the agent. @param {Inquiry[]} inquiries */
  async function skip(inquiries) {
    const accepted = await sendEach(inquiries, (inquiry) => {
      const { id, questions } = inquiry;
      if (!isSkippable(inquiry)) return post(`/inquiries/${id}/decline`, {}, inquiry);
      const answers = Object.fromEntries(
        questions.map((question) => [question.id, { skipped: true }]),
      );
      return post(`/inquiries/${id}/answer`, { answers }, inquiry);
    });
    if (accepted.length === 0) return;
    const text = skippedText(accepted);
    announce(text);
    bar.offerAnswers(accepted, text);
  }

  /** Stops the agents. @param {Inquiry[]} inquiries */
  async function reject(inquiries) {
    const accepted = await sendEach(inquiries, async (inquiry) => {
      const path = `/conversations/${inquiry.conversation_id}/reject`;
      // The reply is the conversation: read the inquiry.
      if (!(await post(path, { inquiry_id: inquiry.id }, inquiry))) return null;
      const now = await store.client.inquiry(inquiry.id).catch(() => null);
      return now && (now.held || now.status === 'rejected') ? now : null;
    });
    if (accepted.length === 0) return;
    announce(t('web-held'));
    bar.offerAnswers(accepted, t('web-held'));
  }

  /** @param {Inquiry[]} inquiries @param {Date} until */
  async function snooze(inquiries, until) {
    const ids = inquiries.map(({ id }) => id);
    const time = until.toISOString();
    try {
      await store.snooze(ids, time);
    } catch (error) {
      announce(/** @type {Error} */ (error).message || t('chat-connection-lost'));
      return;
    }
    const text = t('inbox-snoozed-until', { time: formatTime(time) });
    announce(text);
    bar.offerSnooze(
      ids,
      inquiries.length === 1 ? `${nameOf(inquiries[0])} · ${text}` : `${text} (${ids.length})`,
    );
  }

  return { skip, reject, snooze };
}
