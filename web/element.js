// <askback-question>: one inquiry, from the moment it is asked to what became of it. Works alone in
// any page, with one module tag:
//   <askback-question src="http://127.0.0.1:7777" inquiry="inq_…" token="…"></askback-question>

import { Client, keyForText, Offline } from './api.js';
import { deadlineView } from './deadline.js';
import { h, uid } from './dom.js';
import { answersOf, missingIn } from './draft.js';
import { Drafting } from './draft-sync.js';
import { feedOf } from './feed.js';
import { fetchFields, hasFields } from './fields.js';
import { focusIn } from './restore-focus.js';
import { guard } from './input-guard.js';
import { outbox } from './outbox.js';
import { headline, isEntered, stateOf, verdict } from './outcome.js';
import {
  endedPart,
  heldPart,
  holdSeconds,
  otherDraftPart,
  sharePart,
  unsentPart,
} from './parts.js';
import { QuestionForm } from './question-form.js';
import { Sending, UNDO_SECONDS_MIN } from './answer-sender.js';
import { elementSheets } from './stylesheets.js';
import { dir, ensureWords, t, tag, today } from './i18n.js';

/** @import { Draft, Edit } from './draft.js' */
/** @import { AnswerError, Inquiry } from './wire.d.ts' */

/** How long until a question that could not be read is asked for again, in milliseconds. */
const RELOAD_MS = 2000;

/** What is said while there is no form. */
const STATUS = /** @type {Record<string, string>} */ ({
  sending: 'web-sending',
  offline: 'web-saved-offline',
  unreachable: 'chat-connection-lost',
  missing: 'web-not-found',
});

export class AskbackQuestion extends HTMLElement {
  static observedAttributes = ['inquiry', 'src', 'token'];

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.client = new Client();
    /** @type {Inquiry | null} */
    this.data = null;
    this.drafting = new Drafting(this);
    this.sending = new Sending(this);
    /** What was typed into fields and is no answer, by question. @type {Map<string, { text?: string }>} */
    this.memories = new Map();
    /** Whether the outcome, or what is held, was sent from here. */
    this.isOurs = false;
    /** Whether the focus goes into the form as soon as there is one, and what had it when that was asked for. */
    this.wantsFocus = false;
    /** @type {Element | null} */
    this.focusedBefore = null;
    this.guard = guard(this, this.root);
    /** @type {AnswerError[]} */
    this.errors = [];
    /** What is under way apart from the status: sending, offline, failed to load. */
    this.phase = this.notice = '';
    this.isFolded = false;
    /** @type {QuestionForm | null} */
    this.form = null;
    /** @type {() => void} */
    this.stop = () => {};
    this.reloadTimer = 0;
    /** Whether a late answer is being written, or was sent; `late-answer.js` has its rules. */
    this.isLate = this.wasLate = false;
    this.messageId = keyForText();
    /** The way to a link, kept open over changes of the form. @type {HTMLElement | null} */
    this.share = null;
    this.heading = h('h2', { id: uid(), tabindex: -1 });
  }

  connectedCallback() {
    this.listen('addEventListener');
    this.start();
  }

  /** @param {'addEventListener' | 'removeEventListener'} way */
  listen(way) {
    for (const [type, run] of Object.entries({
      'askback-language': this.redraw,
      online: this.sending.resume,
      pagehide: this.drafting.save,
      pageshow: this.comeBack,
    }))
      globalThis[way](type, run);
    document[way]('visibilitychange', this.refreshDraft);
  }

  disconnectedCallback() {
    this.listen('removeEventListener');
    this.drafting.save();
    this.stop();
    clearTimeout(this.reloadTimer);
    clearTimeout(this.sending.timer);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (name === 'inquiry' && after === this.data?.id) return;
    this.start();
  }

  /** How the question stands: asked, sending, offline, replied, rejected, … */
  get state() {
    if (this.phase) return this.phase;
    const state = this.data ? stateOf(this.data.status) : 'loading';
    if (this.isLate) return 'late';
    if (this.data?.held && state === 'asked') return 'held';
    return state === 'asked' && !hasFields(this.data?.questions ?? []) ? 'loading' : state;
  }

  get inquiry() {
    return this.data;
  }

  /** Gives the element what it would fetch otherwise; an id, as frameworks put here, is the attribute. */
  set inquiry(inquiry) {
    if (typeof inquiry === 'string') this.setAttribute('inquiry', inquiry);
    if (!inquiry || typeof inquiry === 'string') return;
    const isSame = this.data?.id === inquiry.id;
    if (!isSame) this.forget();
    this.data = inquiry;
    this.setAttribute('inquiry', inquiry.id);
    if (this.isConnected && !isSame) this.start();
  }

  forget() {
    this.drafting.save();
    this.drafting.reset();
    this.sending.reset();
    this.memories.clear();
    Object.assign(this, {
      data: null,
      isOurs: false,
      errors: [],
      phase: '',
      notice: '',
      isFolded: false,
      isLate: false,
      wasLate: false,
      share: null,
    });
  }

  async start() {
    this.stop();
    clearTimeout(this.reloadTimer);
    const id = this.getAttribute('inquiry');
    if (this.data && this.data.id !== id) this.forget();
    this.client = new Client({
      base: this.getAttribute('src') ?? '',
      token: this.getAttribute('token'),
      actor: this.getAttribute('actor'),
    });
    if (!id) return;
    // What happens before there are words to say it is heard afterwards, not missed.
    const feed = feedOf(this.client);
    /** @type {{ type: string, data: any }[] | null} */
    let early = [];
    this.stop = feed.on((event) => {
      if (early) early.push(event);
      else this.hear(event);
    });
    const sheets = elementSheets(this.client.base).then((all) => {
      this.root.adoptedStyleSheets = all;
    });
    await Promise.all([ensureWords(this.client.base, this.lang), sheets, fetchFields(this.data)]);
    if (!this.isConnected || this.getAttribute('inquiry') !== id) return;
    if (this.data) this.render();
    const heard = early;
    early = null;
    for (const event of heard) this.hear(event);
    if (feed.isRefused) this.poll(id);
    if (!this.data) await this.load(id);
    else if (this.data.status === 'pending') await this.restoreDraft();
  }

  /** @param {string} id */
  async load(id) {
    try {
      const inquiry = await this.client.inquiry(id);
      await fetchFields(inquiry);
      if (this.getAttribute('inquiry') !== id) return;
      this.take(inquiry);
      if (inquiry.status === 'pending') await this.restoreDraft();
    } catch (error) {
      if (this.getAttribute('inquiry') !== id) return;
      this.phase = error instanceof Offline ? 'unreachable' : 'missing';
      this.render();
      if (error instanceof Offline) this.reloadTimer = setTimeout(() => this.load(id), RELOAD_MS);
    }
  }

  /** Where the stream may not be read, as with a link to one question, the question itself is watched. @param {string} id */
  async poll(id) {
    while (this.isConnected && this.getAttribute('inquiry') === id && this.state !== 'replied') {
      const inquiry = await this.client
        .get(`/inquiries/${encodeURIComponent(id)}?wait=30s`)
        .catch(() => null);
      if (!inquiry) return;
      this.take(inquiry);
      if (inquiry.status !== 'pending') return;
    }
  }

  /** @param {{ type: string, data: any }} event */
  hear({ type, data }) {
    const id = this.getAttribute('inquiry');
    if (!id) return;
    if (/^inquiry_/.test(type) && data.id === id) this.take(data);
    else if (type === 'open' && (!data.resumed || this.phase)) {
      this.sending.resume();
      if (this.state === 'asked')
        this.client.inquiry(id).then(
          (inquiry) => this.take(inquiry),
          () => {},
        );
    } else if (type === 'refused') this.poll(id);
    else if (
      type === 'state_change' &&
      this.state === 'expired' &&
      data.conversation_id === this.data?.conversation_id
    )
      this.render();
  }

  /**
   * Takes what the server says of the question. While an answer is under way, only the reply to it
   * says whose answer it was that ended the question; news of the end make it be sent again.
   * @param {Inquiry} inquiry
   */
  take(inquiry, isReply = false) {
    if (inquiry.id !== this.getAttribute('inquiry')) return;
    if (!isReply && this.sending.isUnderWay && (inquiry.status !== 'pending' || inquiry.held))
      return this.sending.resume();
    const wasHeld = this.state === 'held';
    const before = this.data?.status;
    const isNews =
      !this.data ||
      before !== inquiry.status ||
      this.data.expires_at !== inquiry.expires_at ||
      this.data.revision !== inquiry.revision ||
      this.data.held?.until !== inquiry.held?.until;
    // Its conversation was deleted: what is read here stays, and so does what was entered.
    const questions =
      inquiry.questions.length > 0 ? inquiry.questions : (this.data?.questions ?? []);
    this.data = { ...inquiry, questions };
    if (inquiry.status !== 'pending') this.settle(isReply, before === 'pending');
    else if (inquiry.held) this.hold(isReply, isNews);
    else {
      if (['unreachable', 'missing'].includes(this.phase)) this.phase = '';
      this.isOurs = false;
      if (wasHeld) this.notice = '';
      if (isNews) this.render();
      // What was sent and taken back elsewhere is begun there.
      if (wasHeld && !this.drafting.now) this.restoreDraft();
    }
  }

  /** It has an answer that can be taken back. @param {boolean} isReply @param {boolean} isNews */
  hold(isReply, isNews) {
    const hadFocus = this.root.activeElement !== null;
    const inquiry = /** @type {Inquiry} */ (this.data);
    if (isReply) {
      this.isOurs = this.sending.isAccepted;
      this.notice = this.isOurs
        ? ''
        : t('web-conflict', { person: inquiry.held?.answered_by || t('someone') });
      this.phase = '';
      this.errors = [];
      outbox.drop(inquiry.id);
    }
    if (isNews || isReply) this.render();
    if (!isReply) return this.refocus(hadFocus);
    this.announce(t('web-held'));
    const moved = !this.emit('askback-held', { inquiry, hadFocus, byUser: this.isOurs });
    if (!moved) this.refocus(hadFocus);
  }

  /** The question has its outcome. @param {boolean} isReply @param {boolean} isNews */
  settle(isReply, isNews) {
    const inquiry = /** @type {Inquiry} */ (this.data);
    const hadFocus = this.root.activeElement !== null;
    const { isTooLate } = this.sending;
    if (isReply) this.isOurs = this.sending.isAccepted;
    this.phase = '';
    this.errors = [];
    clearTimeout(this.sending.timer);
    this.drafting.drop(inquiry);
    if (isTooLate)
      this.notice =
        stateOf(inquiry.status) === 'replied'
          ? t('web-conflict', { person: inquiry.answered_by || t('someone') })
          : t('web-too-late');
    this.render();
    if (!isNews) return;
    this.announce(verdict(inquiry));
    const moved = !this.emit('askback-resolved', {
      inquiry,
      hadFocus,
      byUser: isReply && this.isOurs,
    });
    if (!moved) this.refocus(hadFocus);
  }

  /** Keeps the focus at the question when what had it is gone. @param {boolean} hadFocus */
  refocus(hadFocus) {
    if (hadFocus && this.root.activeElement === null) this.heading.focus();
  }

  /** @param {string} type @param {unknown} detail @returns {boolean} whether nobody else took care of it */
  emit(type, detail) {
    return this.dispatchEvent(
      new CustomEvent(type, { bubbles: true, composed: true, cancelable: true, detail }),
    );
  }

  /** @param {string} text */
  announce = (text, isUrgent = false) => {
    if (!this.emit('askback-announce', { text, isUrgent })) return;
    const region = this.root.querySelector(isUrgent ? '.alert' : '.status');
    if (region) region.textContent = text;
  };

  redraw = () => {
    this.share = null;
    if (this.data || this.phase) this.render();
  };

  /** Whether there is a form to write in. */
  get isOpen() {
    return this.state === 'asked' || this.isLate;
  }

  // Drafts

  get draft() {
    return this.drafting.of(/** @type {Inquiry} */ (this.data));
  }

  /** @param {string} question */
  memory = (question) => {
    const known = this.memories.get(question) ?? {};
    this.memories.set(question, known);
    return known;
  };

  async restoreDraft() {
    const inquiry = this.data;
    if (!inquiry) return;
    const isWaiting = outbox.read(inquiry.id) !== null;
    if ((await this.drafting.restore(inquiry)) && this.state === 'asked') this.render();
    if (isWaiting && this.data?.id === inquiry.id) this.sending.deliver();
  }

  refreshDraft = () => {
    if (document.visibilityState === 'hidden') this.drafting.save();
    else if (this.state === 'asked' && !this.drafting.isDirty && this.root.activeElement === null)
      this.restoreDraft();
  };

  /** A page that comes back from the cache of the browser shows what was true when it went. @param {Event} event */
  comeBack = (event) => {
    const id = this.getAttribute('inquiry');
    if (/** @type {PageTransitionEvent} */ (event).persisted && id)
      this.client.inquiry(id).then(
        (inquiry) => this.take(inquiry),
        () => {},
      );
  };

  /** @param {Edit} edit */
  edit = (edit) => {
    const inquiry = this.data;
    if (!inquiry || !this.isOpen) return;
    const { page } = this.draft;
    if (this.drafting.edit(inquiry, edit) && !this.isLate) {
      this.drafting.keep(inquiry);
      this.emit('askback-edited', { inquiry });
    }
    if (JSON.stringify(page) === JSON.stringify(this.draft.page)) this.form?.sync();
    else {
      this.render();
      this.form?.focus();
      this.announce(this.form?.position() ?? '');
    }
  };

  // Sending

  send = () => {
    const inquiry = this.data;
    if (!inquiry || !this.isOpen) return;
    const missing = missingIn(inquiry.questions, this.draft);
    if (missing)
      return this.refuse(
        missing.map((question) => ({
          question: question.id,
          code: 'empty',
          message: t('problem-empty', { name: question.header ?? question.text }),
        })),
      );
    if (this.isLate) return import('./late-answer.js').then(({ sendLate }) => sendLate(this));
    clearTimeout(this.drafting.timer);
    const body = { answers: answersOf(inquiry, this.draft), locale: tag(), today: today() };
    return this.sending.send(inquiry, `/inquiries/${inquiry.id}/answer`, body);
  };

  /** @param {AnswerError[]} errors none means that the review comes first */
  refuse = (errors) => {
    const inquiry = /** @type {Inquiry} */ (this.data);
    if (errors.length === 0) return this.edit({ edit: 'go_to', page: inquiry.questions.length });
    this.phase = '';
    this.errors = errors;
    const at = inquiry.questions.findIndex(({ id }) => id === errors[0].question);
    if (this.draft.page !== 'review' && at >= 0)
      this.drafting.edit(inquiry, { edit: 'go_to', page: at });
    this.render();
    this.form?.summary?.focus();
    this.announce(errors.map(({ message }) => message).join(' '), true);
    this.emit('askback-error', { inquiry, errors });
  };

  skip = () => {
    const inquiry = this.data;
    if (!inquiry || !this.isOpen) return;
    const { page } = this.draft;
    if (page !== 'review') this.memories.delete(inquiry.questions[page.question].id);
    this.edit({ edit: 'skip' });
    if (inquiry.questions.length === 1) this.send();
    else this.form?.goOn();
  };

  /** @param {'decline' | 'reject'} way */
  leave = (way) => {
    const inquiry = this.data;
    if (!inquiry || this.state !== 'asked') return;
    clearTimeout(this.drafting.timer);
    // Rejecting asks before; declining does not, so it can be undone.
    if (way === 'reject')
      this.sending.send(inquiry, `/conversations/${inquiry.conversation_id}/reject`, {
        inquiry_id: inquiry.id,
      });
    else
      this.sending.send(inquiry, `/inquiries/${inquiry.id}/decline`, {
        undo_seconds: Math.max(holdSeconds(this) ?? 0, UNDO_SECONDS_MIN),
      });
  };

  // Drawing

  /** Puts the focus into the form, as soon as there is one. */
  focusFirst() {
    if (this.isFolded) this.fold();
    this.wantsFocus = !this.form && ['loading', 'asked'].includes(this.state);
    this.focusedBefore = document.activeElement;
    if (this.form) this.form.focus();
    else this.heading.focus();
  }

  /** Marks the choice at this place, as a digit in the list of questions does. @param {number} row */
  mark(row) {
    const question = this.data?.questions[0];
    if (this.data?.questions.length !== 1 || !question?.choices?.[row]) return false;
    this.edit({ edit: 'close' });
    this.edit({ edit: 'mark', row });
    return true;
  }

  fold() {
    this.isFolded = !this.isFolded;
    const body = this.root.querySelector('.body');
    const toggle = this.root.querySelector('.fold');
    if (body instanceof HTMLElement) body.hidden = this.isFolded;
    toggle?.setAttribute('data-open', String(!this.isFolded));
    toggle?.setAttribute('aria-label', t(this.isFolded ? 'web-unfold' : 'web-fold'));
  }

  render() {
    const inquiry = this.data;
    const state = this.state;
    if (this.dataset.state !== state) {
      this.dataset.state = state;
      this.emit('askback-state', { state, inquiry });
    }
    const keepFocus = focusIn(this.root, this.heading);
    this.form = null;
    const content =
      inquiry && state !== 'loading'
        ? this.content(inquiry, state)
        : [h('p', { class: 'hint' }, t(STATUS[state] ?? 'chat-connecting'))];
    if (inquiry && state === 'loading') this.awaitFields(inquiry);
    this.heading.replaceChildren(
      ...(inquiry ? headline(inquiry) : [t('question-count', { count: 1 })]),
    );
    const fold =
      inquiry &&
      h('button', {
        type: 'button',
        class: 'fold',
        'data-open': String(!this.isFolded),
        'aria-label': t(this.isFolded ? 'web-unfold' : 'web-fold'),
        onclick: () => this.fold(),
      });
    const section = h(
      'section',
      {
        'aria-labelledby': this.heading.id,
        'data-state': state,
        dir: dir(),
        lang: tag(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.keys(event),
      },
      h('header', {}, this.heading, fold),
      h(
        'div',
        { class: 'body', hidden: this.isFolded },
        this.notice && h('p', { class: 'notice' }, this.notice),
        content,
      ),
    );
    const regions = [
      h('p', { class: 'status unseen', role: 'status' }),
      h('p', { class: 'alert unseen', role: 'alert' }),
    ];
    this.root.replaceChildren(section, ...regions);
    this.guard();
    keepFocus();
    if (!this.wantsFocus || state === 'loading') return;
    this.wantsFocus = false;
    // Meanwhile somebody may have gone elsewhere.
    const { activeElement } = document;
    if (
      !activeElement ||
      [document.body, this, this.focusedBefore].includes(/** @type {HTMLElement} */ (activeElement))
    )
      this.focusFirst();
  }

  /** @param {Inquiry} inquiry */
  async awaitFields(inquiry) {
    await fetchFields(inquiry);
    if (this.data?.id !== inquiry.id) return;
    if (hasFields(inquiry.questions)) this.render();
    else this.reloadTimer = setTimeout(this.redraw, RELOAD_MS);
  }

  /** @param {Inquiry} inquiry @param {string} state */
  content(inquiry, state) {
    if (state === 'sending' || state === 'offline') {
      return [
        h('p', { class: 'progress' }, t(STATUS[state])),
        h(
          'dl',
          {},
          inquiry.questions.map((question) =>
            h('div', { class: 'pair' }, h('dt', { dir: 'auto' }, question.text)),
          ),
        ),
      ];
    }
    if (!this.isOpen) {
      const unsent = !this.isOurs && this.drafting.now;
      return [
        inquiry.held && state === 'held'
          ? heldPart(this, inquiry, inquiry.held)
          : endedPart(this, inquiry),
        unsent && isEntered(inquiry.questions, unsent) && unsentPart(inquiry, unsent),
      ];
    }
    this.form = new QuestionForm({
      inquiry,
      isLate: this.isLate,
      draft: () => this.draft,
      errors: this.errors,
      digits: this.getAttribute('digits') !== 'off',
      edit: this.edit,
      memory: this.memory,
      send: this.send,
      refuse: this.refuse,
      leave: this.leave,
      skip: this.skip,
      announce: (text) => this.announce(text),
    });
    if (this.isLate) return [this.form.node];
    this.share ??= sharePart(this, inquiry);
    return [
      inquiry.expires_at && deadlineView(this, inquiry),
      this.drafting.other && otherDraftPart(this, inquiry),
      this.form.node,
      this.share,
    ];
  }

  /** Esc steps back to the heading and never ends anything. @param {KeyboardEvent} event */
  keys(event) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    this.heading.focus();
  }
}

if (!customElements.get('askback-question'))
  customElements.define('askback-question', AskbackQuestion);
