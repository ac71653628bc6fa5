// Sends an answer, a refusal to answer or a rejection: kept in the outbox of this browser first, and sent
// again until the server has taken or refused it.

import { newKey, Offline, Problem } from './api.js';
import { outbox } from './outbox.js';
import { holdSeconds } from './parts.js';
import { t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** First and longest pause before an answer is sent again, in milliseconds. */
const RESEND_MS_MIN = 500;
const RESEND_MS_MAX = 30_000;

/** What is done with one press and without a question can be undone for at least this long, in seconds. */
export const UNDO_SECONDS_MIN = 5;

export class Sending {
  /** @param {AskbackQuestion} element */
  constructor(element) {
    this.element = element;
    this.failures = 0;
    this.timer = 0;
    /** Whether something was sent, and whether the server took it. */
    this.isSent = this.isAccepted = false;
  }

  reset() {
    clearTimeout(this.timer);
    this.failures = 0;
    this.isSent = this.isAccepted = false;
  }

  get isUnderWay() {
    return ['sending', 'offline'].includes(this.element.phase);
  }

  /** What was sent was not taken, because the question has an outcome already. */
  get isTooLate() {
    return this.isUnderWay && this.isSent && !this.isAccepted;
  }

  /** @param {Inquiry} inquiry @param {string} path @param {Record<string, unknown>} body */
  send(inquiry, path, body) {
    outbox.keep(inquiry.id, {
      path,
      body: {
        undo_seconds: holdSeconds(this.element),
        ...body,
        revision: inquiry.revision,
        idempotency_key: newKey(),
      },
    });
    this.failures = 0;
    this.deliver();
  }

  /** Something was heard: what waits for the network is tried at once, and soon again. */
  resume = () => {
    this.failures = 0;
    if (this.element.phase === 'offline') this.deliver();
  };

  /** Sends what is kept for this question. */
  async deliver() {
    const { element } = this;
    const inquiry = element.data;
    const item = inquiry && outbox.read(inquiry.id);
    if (!inquiry || !item || element.phase === 'sending') return;
    clearTimeout(this.timer);
    const hadFocus = element.root.activeElement !== null;
    this.isSent = true;
    this.isAccepted = false;
    element.phase = 'sending';
    element.errors = [];
    element.render();
    if (hadFocus) element.heading.focus();
    try {
      const reply = await element.client.post(item.path, item.body);
      outbox.drop(inquiry.id);
      this.isAccepted = true;
      // The reply to a rejection is the conversation; the question itself is asked for.
      element.take(reply.questions ? reply : await element.client.inquiry(inquiry.id), true);
    } catch (error) {
      this.failed(inquiry, error);
    }
  }

  /** @param {Inquiry} inquiry @param {unknown} error */
  failed(inquiry, error) {
    const { element } = this;
    if (element.data?.id !== inquiry.id || element.phase !== 'sending') return;
    if (error instanceof Offline) {
      element.phase = 'offline';
      this.failures += 1;
      element.render();
      element.announce(t('web-saved-offline'));
      this.timer = setTimeout(
        () => this.deliver(),
        Math.min(RESEND_MS_MIN * 2 ** this.failures, RESEND_MS_MAX),
      );
      return;
    }
    outbox.drop(inquiry.id);
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'invalid_answer')
      return element.refuse(
        error.body.errors?.length ? error.body.errors : [{ code: 'other', message: error.message }],
      );
    if (error.code === 'held')
      return element.client.inquiry(inquiry.id).then((now) => element.take(now, true), this.resume);
    const { winner } = error.body;
    if (winner && winner.inquiry_id === inquiry.id)
      return element.take({ ...inquiry, ...winner, id: inquiry.id, resolved_at: winner.at }, true);
    element.phase = '';
    element.refuse([{ code: error.code, message: error.message }]);
    element.client.inquiry(inquiry.id).then(
      (now) => element.take(now),
      () => {},
    );
  }
}
