// Sends an answer, a decline or a rejection. It is kept in the outbox of this browser first, and sent
// again until the server has accepted or refused it.

import { ignore } from '../lib/dom.js';
import { newKey, OfflineError, ProblemError } from '../lib/api.js';
import { buildAnswers, missingAnswers } from '../draft/draft.js';
import { languageTag, t, today } from '../lib/i18n.js';
import { outbox, rememberAnswer } from '../draft/outbox.js';
import { answerLine } from './outcome.js';
import { isSending } from './state.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Shortest and longest pause before an answer is sent again, in milliseconds. */
const RESEND_MS_MIN = 500;
const RESEND_MS_MAX = 30_000;

/** How long an answer can be undone if nothing else is said, and what one press does without a confirmation at least. */
export const UNDO_SECONDS = 5;
/** The most that the server accepts. */
const UNDO_SECONDS_MAX = 60;

/**
 * The days that the form shows, in place of the words that mean them: a moment later, after midnight,
 * "tomorrow" would be another day.
 * @param {Record<string, Record<string, unknown>>} answers
 * @param {Map<string, string>} shownDays
 */
function useShownDays(answers, shownDays) {
  for (const [id, answer] of Object.entries(answers))
    for (const name of ['typed', 'typed_start', 'typed_end'])
      answer[name] = shownDays.get(`${id} ${String(answer[name]).trim()}`) ?? answer[name];
  return answers;
}

export class AnswerSender {
  /** @param {AskbackQuestion} element */
  constructor(element) {
    this.element = element;
    this.failures = 0;
    this.timer = 0;
  }

  reset() {
    clearTimeout(this.timer);
    this.failures = 0;
  }

  get isSending() {
    return isSending(this.element.phase);
  }

  /** The `undo` attribute within what the server accepts; undefined for no undo. */
  get undoSeconds() {
    const wanted = Math.round(Number(this.element.getAttribute('undo') ?? UNDO_SECONDS));
    return Math.min(Math.max(wanted, 0), UNDO_SECONDS_MAX) || undefined;
  }

  sendAnswer() {
    const { element } = this;
    const inquiry = element.data;
    if (!inquiry || !element.isOpen) return;
    const { draft } = element;
    const missing = missingAnswers(inquiry.questions, draft);
    if (missing)
      return element.showErrors(
        missing.map((question) => ({
          question: question.id,
          code: 'empty',
          message: t('problem-empty', { name: question.header ?? question.text }),
        })),
      );
    if (element.state === 'late')
      return import('./late-answer.js').then(
        ({ sendLateAnswer }) => sendLateAnswer(element),
        ignore,
      );
    const answers = useShownDays(buildAnswers(inquiry, draft), element.shownDays);
    return this.send(inquiry, `/inquiries/${inquiry.id}/answer`, {
      answers,
      // The page has said which questions are open.
      partial: true,
      locale: languageTag(),
      today: today(),
    });
  }

  /** @param {'decline' | 'reject'} action */
  declineOrReject(action) {
    const { data: inquiry, state } = this.element;
    if (!inquiry || state !== 'asked') return;
    // Rejecting was confirmed; declining was not, so it can always be undone.
    const undo = { undo_seconds: Math.max(this.undoSeconds ?? 0, UNDO_SECONDS) };
    this.send(inquiry, `/inquiries/${inquiry.id}/${action}`, action === 'reject' ? {} : undo);
  }

  /** @param {Inquiry} inquiry @param {string} path @param {Record<string, unknown>} body */
  send(inquiry, path, body) {
    const { draft, draftSync, client } = this.element;
    clearTimeout(draftSync.timer);
    const action = path.endsWith('/decline')
      ? 'web-decline'
      : path.endsWith('/reject') && 'web-reject';
    outbox.write(inquiry.id, {
      path,
      base: client.base,
      draft,
      shown: inquiry.questions.map((question, at) => [
        question.text,
        action ? t(action) : answerLine(question, draft.entries[at]),
      ]),
      body: {
        undo_seconds: this.undoSeconds,
        ...body,
        revision: inquiry.revision,
        key: newKey(),
      },
    });
    this.failures = 0;
    this.sendStored();
  }

  /** The network is back: do not wait for the timer. */
  retryNow = () => {
    this.failures = 0;
    if (this.element.phase === 'offline') this.sendStored();
  };

  /** Sends what the outbox has for this inquiry. */
  async sendStored() {
    const { element } = this;
    const inquiry = element.data;
    const item = inquiry && outbox.read(inquiry.id);
    if (!inquiry || !item || element.phase === 'sending') return;
    clearTimeout(this.timer);
    const focused = element.root.activeElement;
    element.dispatch({ type: 'phase', phase: 'sending' });
    element.render();
    element.keepFocus(focused);
    try {
      const response = await element.client.post(item.path, item.body);
      outbox.remove(inquiry.id);
      rememberAnswer(inquiry.id);
      element.applyInquiry(response, 'accepted');
    } catch (error) {
      this.handleFailure(inquiry, error);
    }
  }

  /** @param {Inquiry} inquiry @param {unknown} error */
  handleFailure(inquiry, error) {
    const { element } = this;
    if (element.data?.id !== inquiry.id || element.phase !== 'sending') return;
    if (error instanceof OfflineError) return this.retryLater();
    outbox.remove(inquiry.id);
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'invalid_answer')
      return element.showErrors(
        error.body.errors?.length ? error.body.errors : [{ code: 'other', message: error.message }],
      );
    if (error.code === 'held')
      return element.client
        .inquiry(inquiry.id)
        .then((now) => element.applyInquiry(now, 'refused'), this.retryNow);
    const { winner } = error.body;
    if (winner && winner.inquiry_id === inquiry.id)
      return element.applyInquiry(
        { ...inquiry, ...winner, id: inquiry.id, resolved_at: winner.at },
        'refused',
      );
    element.showErrors([{ code: error.code, message: error.message }]);
    element.connection.refresh();
  }

  /** Takes back what could not be sent yet, to change it. */
  takeBack() {
    const { element } = this;
    if (element.data) outbox.remove(element.data.id);
    this.reset();
    element.dispatch({ type: 'phase', phase: '' });
    element.render();
    element.focusFirst();
  }

  retryLater() {
    const { element } = this;
    element.dispatch({ type: 'phase', phase: 'offline' });
    this.failures += 1;
    element.render();
    element.announce(t('web-saved-offline'));
    this.timer = setTimeout(
      () => this.sendStored(),
      Math.min(RESEND_MS_MIN * 2 ** this.failures, RESEND_MS_MAX),
    );
  }
}
