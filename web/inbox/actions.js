// What the inbox does to questions without opening them: skip, stop the agent, snooze. Everything here
// can be undone, because a single key is easily pressed by mistake.

import { UNDO_SECONDS } from '../question/answer-sender.js';
import { announce } from '../lib/dom.js';
import { failureText, formatList, formatTime, t } from '../lib/i18n.js';
import { rememberAnswer } from '../draft/outbox.js';
import { answerItems, textOf } from '../question/outcome.js';
import { undoSeconds } from '../shell/preferences.js';
import { nameOf } from '../shell/inquiry-names.js';

/** @import { Store } from '../shell/store.js' */
/** @import { UndoBar } from './undo-bar.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Requests at the same time; a browser has few connections to one server. */
const REQUESTS_MAX = 4;

/** Whether an inquiry can be answered by skipping all of it. Otherwise it is left to the agent. @param {Inquiry} inquiry */
export const isSkippable = ({ flags }) => Boolean(flags?.can_skip);

/** What was done to an inquiry whose answer can be undone. @param {Inquiry} inquiry */
export function heldText(inquiry) {
  const { questions, held } = inquiry;
  if (held?.outcome.type === 'declined') return t('resolved-declined', { name: nameOf(inquiry) });
  const answers = questions.length === 1 ? (held?.outcome.answers ?? []) : [];
  const answer = formatList(answers.flatMap((each) => textOf(answerItems(questions[0], each))));
  return [nameOf(inquiry), answer, t('web-held')].filter(Boolean).join(' · ');
}

/** What happened to each. @param {Inquiry[]} accepted @param {number} failed */
function skippedText(accepted, failed) {
  const skipped = accepted.filter(isSkippable).length;
  const declined = accepted.length - skipped;
  if (accepted.length === 1 && failed === 0)
    return t(skipped ? 'resolved-skipped' : 'resolved-declined', { name: nameOf(accepted[0]) });
  return [
    skipped && t('inbox-skipped', { count: skipped }),
    declined && t('inbox-declined', { count: declined }),
    failed && t('inbox-failed', { count: failed }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/**
 * @param {Store} store
 * @param {UndoBar} bar
 */
export function inboxActions(store, bar) {
  /** @param {string} path @param {Record<string, unknown>} body @param {Inquiry} inquiry */
  const post = (path, body, { revision }) =>
    store.client
      .post(path, {
        ...body,
        revision,
        undo_seconds: Math.max(undoSeconds(), UNDO_SECONDS),
      })
      .catch((error) => {
        lastError = failureText(error);
        return null;
      });
  /** Why the last request failed. */
  let lastError = '';

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
        const response = await send(next);
        if (!response) continue;
        accepted.push(response);
        rememberAnswer(response.id);
        store.applyInquiry(response);
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
    report(inquiries, accepted, skippedText(accepted, inquiries.length - accepted.length));
  }

  /** Says what was done, what failed and why. @param {Inquiry[]} inquiries @param {Inquiry[]} accepted @param {string} text */
  function report(inquiries, accepted, text) {
    const hasFailed = accepted.length < inquiries.length;
    // Of a single question only the reason is of interest.
    const parts = [(accepted.length > 0 || inquiries.length > 1) && text, hasFailed && lastError];
    const shown = parts.filter(Boolean).join(' · ');
    if (!shown) return;
    announce(shown);
    if (accepted.some(({ held }) => held)) bar.offerAnswers(accepted, shown);
    else if (hasFailed) bar.showText(shown);
  }

  /** Stops the agents. @param {Inquiry[]} inquiries */
  async function reject(inquiries) {
    const accepted = await sendEach(inquiries, (inquiry) =>
      post(`/inquiries/${inquiry.id}/reject`, {}, inquiry),
    );
    const failed = inquiries.length - accepted.length;
    const texts = [
      accepted.length > 0 && t('web-held'),
      failed > 0 && t('inbox-failed', { count: failed }),
    ];
    report(inquiries, accepted, texts.filter(Boolean).join(' · '));
  }

  /** @param {Inquiry[]} inquiries @param {Date} until */
  async function snooze(inquiries, until) {
    const ids = inquiries.map(({ id }) => id);
    const time = until.toISOString();
    try {
      await store.snooze(ids, time);
    } catch (error) {
      announce(failureText(error));
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
