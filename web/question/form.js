// The form of a pending inquiry: the field and the actions of a question, and with several questions the
// steps and the review. It draws the draft and reports edits; draft/draft.js applies them.

import {
  askFirst,
  button,
  div,
  h,
  isComposing,
  isSendKey,
  loadConfirm,
  span,
  uniqueId,
} from '../lib/dom.js';
import { noteField } from './text-area.js';
import { fieldOf, isOneChoice, severalQuestions } from './fields.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { answerStatus, isWritten } from '../draft/draft.js';

/** How long after its start a page loads what has to work without a connection, in milliseconds. The first form does not wait for it. */
const PRELOAD_AFTER_MS = 2000;
// Stopping the agent needs its confirmation, and an answer that was sent its outcome with the way to undo it.
setTimeout(() => {
  loadConfirm();
  import('./outcome-view.js').catch(() => {});
}, PRELOAD_AFTER_MS);

/** @import { Field } from './fields.js' */
/** @import { Draft, Edit, Entry } from '../draft/draft.js' */
/** @import { TypedDate } from '../draft/typed-date.js' */
/** @import { AnswerError, Inquiry } from '../lib/wire.d.ts' */

/**
 * What the form needs from the element.
 * @typedef {object} Host
 * @property {Inquiry} inquiry
 * @property {boolean} isLate after the deadline: declining and rejecting are not offered
 * @property {() => Draft} draft
 * @property {AnswerError[]} errors
 * @property {boolean} digits
 * @property {(name: string) => boolean} hides whether the page wants something not to be offered
 * @property {boolean} twoSteps a choice is never sent before Send is pressed
 * @property {(edit: Edit) => void} edit
 * @property {(question: string) => { text?: string }} fieldState by question id
 * @property {(text: string) => Promise<TypedDate | null>} parseDate
 * @property {Map<string, string>} shownDays ISO days by question id and typed text
 * @property {() => void} send
 * @property {(errors: AnswerError[]) => void} showErrors
 * @property {(action: 'decline' | 'reject') => void} declineOrReject
 * @property {() => void} skip
 * @property {(text: string) => void} announce
 */

export class QuestionForm {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Field | null} */
    this.field = null;
    /** @type {{ node: HTMLDetailsElement, sync: (entry: Entry) => void } | null} */
    this.note = null;
    /** Whether a choice can answer at once (docs/answering.md). */
    this.isOneStep = !host.twoSteps && !host.isLate && isOneChoice(host.inquiry.questions);
    this.sendButton = h('button', { type: 'submit', class: 'primary', part: 'send' });
    /** Shown if the question is skipped. @type {HTMLElement | null} */
    this.skippedHint = null;
    this.steps = host.inquiry.questions.length > 1 ? h('ol', { class: 'steps' }) : null;
    // The error of the only question stands beside it.
    this.summary =
      (this.steps && host.errors.length > 0 && severalQuestions?.errorSummary(this)) || null;
    this.node = h(
      'form',
      {
        novalidate: true,
        'aria-label': this.position(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.keys(event),
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.submitPage();
        },
      },
      this.summary,
      this.steps,
      this.page === 'review' ? (severalQuestions?.review(this) ?? null) : this.question(),
      this.actions(),
    );
    this.sync();
  }

  get page() {
    return this.host.draft().page;
  }

  /** The index of the page; the review comes after the last question. */
  get at() {
    return this.page === 'review' ? this.host.inquiry.questions.length : this.page.question;
  }

  /** Whether a choice that is picked now is the whole answer: nothing else was begun. */
  get answersAtOnce() {
    const { own, note } = this.host.draft().entries[0];
    return this.isOneStep && !this.note?.node.open && !isWritten(own) && !isWritten(note);
  }

  position() {
    const count = this.host.inquiry.questions.length;
    if (this.page === 'review') return t('review');
    return t('question-of', { index: this.at + 1, count });
  }

  /** Updates the form from the draft. */
  sync() {
    const { entries } = this.host.draft();
    if (this.field) this.field.sync(entries[this.at]);
    this.note?.sync(entries[this.at]);
    // Where a choice sends itself, there is nothing to send before something was entered.
    this.sendButton.hidden =
      this.answersAtOnce &&
      entries[0].field !== 'own' &&
      answerStatus(this.host.inquiry.questions[0], entries[0]) === 'unanswered';
    if (this.skippedHint) this.skippedHint.hidden = !entries[this.at]?.skipped;
    this.steps?.replaceChildren(...(severalQuestions?.stepItems(this) ?? []));
  }

  focus() {
    if (this.field) return this.field.focus();
    // In the review: what is missing, or the button that sends.
    const [send, missing] = ['button.primary', '.unanswered + button'].map((each) =>
      this.node.querySelector(each),
    );
    return /** @type {HTMLElement | null} */ (missing ?? send)?.focus();
  }

  /** @param {number} page */
  go(page) {
    this.host.edit({ edit: 'go_to', page });
  }

  question() {
    const { inquiry, errors } = this.host;
    const question = inquiry.questions[this.at];
    const error = errors.find(
      (each) => each.question === question.id || (!each.question && inquiry.questions.length === 1),
    );
    const ids = {
      control: uniqueId(),
      context: uniqueId(),
      assumption: uniqueId(),
      error: uniqueId(),
    };
    const { assumption } = inquiry;
    // The assumption ends the context, for surfaces that do not mark it.
    const why =
      assumption && question.context?.endsWith(assumption)
        ? question.context.slice(0, -assumption.length).trimEnd()
        : question.context;
    const described = [why && ids.context, assumption && ids.assumption, error && ids.error]
      .filter(Boolean)
      .join(' ');
    const context = {
      question,
      id: ids.control,
      described,
      digits: this.host.digits,
      edit: this.host.edit,
      send: () => this.submitPage(),
      isOneStep: this.isOneStep,
      picked: () => this.answersAtOnce && this.submitPage(),
      announce: this.host.announce,
      parseDate: this.host.parseDate,
      shownDays: this.host.shownDays,
      fieldState: this.host.fieldState(question.id),
    };
    const field = fieldOf(context);
    this.field = field;
    const note = noteField(context, () => this.sync());
    this.note = note;
    this.skippedHint = question.optional
      ? h('p', { class: 'hint', hidden: true }, t('answer-skipped'))
      : null;
    const about = [
      why && h('p', { class: 'context', id: ids.context, dir: 'auto' }, why),
      assumption &&
        h('p', { class: 'assumption', id: ids.assumption }, t('assumption-marked', { assumption })),
      this.skippedHint,
      error && h('p', { class: 'error', id: ids.error }, icon('alert'), error.message),
    ];
    const text = [
      h('span', { dir: 'auto', class: 'text' }, question.text),
      // Where every question can be skipped, it is not worth a word at each.
      question.optional &&
        !(inquiry.questions.length > 1 && inquiry.questions.every((each) => each.optional)) &&
        span('optional', ` · ${t('optional')}`),
    ];
    const body = field.isGroup
      ? h(
          'fieldset',
          { 'aria-describedby': [field.hint, described].filter(Boolean).join(' ') || undefined },
          h('legend', {}, text),
          about,
          field.node,
        )
      : h('div', {}, h('label', { for: ids.control, class: 'legend' }, text), about, field.node);
    if (error) this.markInvalid(field);
    return div('question', body, note.node);
  }

  /** The answer was changed: what was wrong with it does not stand there any more. */
  clearErrors() {
    this.summary?.remove();
    for (const each of this.node.querySelectorAll('.error')) each.remove();
    for (const each of this.node.querySelectorAll('[aria-invalid]'))
      each.removeAttribute('aria-invalid');
  }

  /** @param {Field} field */
  markInvalid(field) {
    const entry = this.host.draft().entries[this.at];
    const target = field.target(entry);
    if (target instanceof HTMLInputElement && target.type === 'radio') return;
    target.setAttribute('aria-invalid', 'true');
  }

  actions() {
    const { inquiry, isLate } = this.host;
    const several = inquiry.questions.length > 1;
    const question = inquiry.questions[this.at];
    const isSending = !question || !several;
    const label = isSending ? t(several ? 'send-answers' : 'web-send') : t('web-next');
    this.sendButton.textContent = label;
    const stop = button(t('web-reject'), () => this.confirmReject(box, stop), {
      class: 'quiet danger',
      'aria-haspopup': 'true',
    });
    const box = h(
      'div',
      { class: 'actions', part: 'actions' },
      this.sendButton,
      several && this.at > 0 && button(t('web-back'), () => this.go(this.at - 1)),
      // On one line together, or on the next.
      div(
        'others',
        question?.optional && button(t('web-skip'), () => this.host.skip(), { class: 'quiet' }),
        // Not needed where the question can be skipped.
        !isLate &&
          !(question?.optional && !several) &&
          !this.host.hides('let-decide') &&
          button(t('web-decline'), () => this.host.declineOrReject('decline'), { class: 'quiet' }),
        !isLate && !this.host.hides('stop') && stop,
      ),
    );
    return box;
  }

  /**
   * Rejecting stops the agent, so it needs a confirmation.
   * @param {HTMLElement} box @param {HTMLElement} stop
   */
  confirmReject(box, stop) {
    askFirst(box, {
      question: t('web-reject-ask'),
      keep: t('web-keep-open'),
      confirm: t('web-reject'),
      onConfirm: () => this.host.declineOrReject('reject'),
      onKeep: () => stop.focus(),
    });
  }

  /** Focuses the field that is wrong, or what says what is wrong with all of it. @param {number} at */
  focusError(at) {
    if (at < 0 && this.summary) return this.summary.focus();
    if (at >= 0 && at !== this.at) return this.host.edit({ edit: 'reopen', page: at });
    const entry = this.host.draft().entries[this.at];
    return this.field ? this.field.target(entry).focus() : this.focus();
  }

  /** Goes to the next question or the review, or sends. */
  submitPage() {
    if (this.isFieldValid()) this.nextPage();
  }

  nextPage() {
    const { questions } = this.host.inquiry;
    if (questions.length === 1 || this.page === 'review') this.host.send();
    else this.go(this.host.draft().from_review ? questions.length : this.at + 1);
  }

  /** Whether the text in the field is an answer; if not, the error quotes it. */
  isFieldValid() {
    const message = this.field?.problem?.();
    if (message)
      this.host.showErrors([
        { question: this.host.inquiry.questions[this.at].id, code: 'unknown_choice', message },
      ]);
    return !message;
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    if (isSendKey(event)) {
      event.preventDefault();
      if (!this.isFieldValid()) return;
      // Several answers are sent from the review only.
      if (this.steps && this.page !== 'review') severalQuestions?.goToMissing(this);
      else this.host.send();
      return;
    }
    const { target } = event;
    if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLInputElement))
      return;
    event.preventDefault();
    if (event.repeat || isComposing(event)) return;
    // It chooses what has the focus, and the next one goes on.
    if (target.type === 'radio' && !target.checked) target.click();
    else if (target.type !== 'checkbox') this.submitPage();
    else if (this.steps) severalQuestions?.continueFrom(this, target);
  }
}
