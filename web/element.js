// <askback-question>: shows one inquiry and takes its answer. Works in any page:
//   <script type="module" src="http://127.0.0.1:7777/web/element.js"></script>
//   <askback-question src="http://127.0.0.1:7777" inquiry="inq_…" token="…"></askback-question>
//
// question/state.js has its state. InquiryConnection loads it, DraftSync keeps the draft, AnswerSender sends
// the answer, and question/view.js draws.

import { createMessageKeys } from './lib/api.js';
import { AnswerSender } from './question/answer-sender.js';
import { h, isTextField, span, uniqueId } from './lib/dom.js';
import { DraftSync } from './draft/sync.js';
import { drawAboveForm, renderElement, toggleFolded } from './question/view.js';
import { hasFields } from './question/fields.js';
import { t } from './lib/i18n.js';
import { inputGuard } from './lib/input-guard.js';
import { InquiryConnection } from './question/connection.js';
import { outbox } from './draft/outbox.js';
import { verdict } from './question/outcome.js';
import { differs, EMPTY, reduce, stateOf } from './question/state.js';

/** @import { Edit } from './draft/draft.js' */
/** @import { QuestionForm } from './question/form.js' */
/** @import { Origin, StateEvent } from './question/state.js' */
/** @import { AnswerError, Inquiry } from './lib/wire.d.ts' */

export class AskbackQuestion extends HTMLElement {
  static observedAttributes = ['inquiry', 'src', 'token'];

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    this.shown = EMPTY;
    this.connection = new InquiryConnection(this);
    this.draftSync = new DraftSync(this);
    this.sender = new AnswerSender(this);
    /** Ends when the stored draft was read. @type {Promise<unknown> | null} */
    this.restoredDraft = null;
    /** Text in fields that is not an answer, by question id. @type {Map<string, { text?: string }>} */
    this.fieldStates = new Map();
    /** ISO days that are shown beside date fields, by question id and typed text. @type {Map<string, string>} */
    this.shownDays = new Map();
    /** Whether the form takes the focus when it is drawn, unless the focus has moved since. */
    this.wantsFocus = false;
    /** @type {Element | null} */
    this.focusedBefore = null;
    this.guardContent = inputGuard(this, this.root, () => this.showTooEarly());
    this.isFolded = false;
    /** @type {QuestionForm | null} */
    this.form = null;
    this.messageId = createMessageKeys();
    /** Panels that stay open while the form is redrawn. @type {HTMLElement[] | null} */
    this.share = null;
    this.heading = h('h2', { id: uniqueId(), tabindex: -1, part: 'heading' });
    this.above = h('div');
  }

  get client() {
    return this.connection.client;
  }

  // Lifecycle

  connectedCallback() {
    this.toggleListeners('addEventListener');
    this.start();
  }

  disconnectedCallback() {
    this.toggleListeners('removeEventListener');
    this.draftSync.save();
    this.connection.close();
    clearTimeout(this.sender.timer);
  }

  /** @param {'addEventListener' | 'removeEventListener'} method */
  toggleListeners(method) {
    for (const [type, listener] of Object.entries({
      'askback-language': this.redraw,
      online: this.sender.retryNow,
      pagehide: this.draftSync.save,
      pageshow: this.refreshRestoredPage,
    }))
      globalThis[method](type, listener);
    document[method]('visibilitychange', this.syncDraftWithVisibility);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (name === 'inquiry' && after === this.data?.id) return;
    this.start();
  }

  start() {
    if (this.data && this.data.id !== this.getAttribute('inquiry')) this.reset();
    return this.connection.open();
  }

  reset() {
    this.draftSync.save();
    this.draftSync.reset();
    this.sender.reset();
    this.fieldStates.clear();
    this.shownDays.clear();
    this.shown = EMPTY;
    this.isFolded = false;
    this.share = null;
  }

  /** After a page was restored from the back/forward cache. @param {Event} event */
  refreshRestoredPage = (event) => {
    if (/** @type {PageTransitionEvent} */ (event).persisted) this.connection.refresh();
  };

  // State

  /** @param {StateEvent} event */
  dispatch(event) {
    this.shown = reduce(this.shown, event);
  }

  get data() {
    return this.shown.inquiry;
  }

  get phase() {
    return this.shown.phase;
  }

  get isSentHere() {
    return this.shown.isSentHere;
  }

  /** The public state: asked, sending, offline, replied, rejected, … (docs/embedding.md). */
  get state() {
    if (this.phase && this.phase !== 'late_sent') return this.phase;
    const state = this.data ? stateOf(this.data.status) : 'loading';
    if (this.data?.held && state === 'asked') return 'held';
    return state === 'asked' && !hasFields(this.data?.questions ?? []) ? 'loading' : state;
  }

  /** Whether there is a form to write in. */
  get isOpen() {
    return ['asked', 'late'].includes(this.state);
  }

  get inquiry() {
    return this.data;
  }

  /** Sets an inquiry that need not be fetched. Frameworks set the id here: that is the attribute. */
  set inquiry(inquiry) {
    if (typeof inquiry === 'string') this.setAttribute('inquiry', inquiry);
    if (!inquiry || typeof inquiry === 'string') return;
    const isSame = this.data?.id === inquiry.id;
    if (!isSame) this.reset();
    this.dispatch({ type: 'inquiry', inquiry, origin: 'feed' });
    this.setAttribute('inquiry', inquiry.id);
    if (this.isConnected && !isSame) this.start();
  }

  /**
   * Applies the state that the server sent. While an answer is being sent, only the response to it says
   * whose answer won: an event that ends the inquiry makes the sender retry instead.
   * @param {Inquiry} inquiry
   * @param {Origin} origin
   */
  applyInquiry(inquiry, origin = 'feed') {
    if (inquiry.id !== this.getAttribute('inquiry')) return;
    const isResponse = origin !== 'feed';
    if (!isResponse && this.sender.isSending && (inquiry.status !== 'pending' || inquiry.held))
      return this.sender.retryNow();
    // It was answered here, and ended before the server had that: the response says whose answer counts.
    const unsent = inquiry.status !== 'pending' && !isResponse && outbox.read(inquiry.id);
    if (unsent && !this.data) {
      this.dispatch({ type: 'inquiry', inquiry: { ...inquiry, status: 'pending' }, origin });
      this.draftSync.restoreUnsent(inquiry, unsent);
      return this.sender.sendStored();
    }
    const wasHeld = this.state === 'held';
    const { shown } = this;
    const previous = shown.inquiry;
    this.dispatch({ type: 'inquiry', inquiry, origin });
    if (this.shown === shown) return;
    const hasChanged = differs(previous, inquiry);
    if (inquiry.status !== 'pending')
      return this.applyOutcome({ isResponse, isNew: previous?.status === 'pending' });
    if (inquiry.held) return this.applyHeld({ isResponse, hasChanged });
    // Nobody who writes in the form is disturbed by a new deadline.
    if (hasChanged && this.form && previous?.revision === inquiry.revision) drawAboveForm(this);
    else if (hasChanged) this.render();
    if (hasChanged && previous) this.emit('askback-changed', { inquiry });
    // The answer was undone elsewhere: its draft is on the server.
    if (wasHeld && !this.draftSync.draft) this.restoreDraft();
    if (wasHeld && hasChanged && this.shown.notice) this.announce(this.shown.notice);
  }

  /** There is an answer that can still be undone. @param {{ isResponse: boolean, hasChanged: boolean }} options */
  applyHeld({ isResponse, hasChanged }) {
    const focused = this.root.activeElement;
    const hadFocus = focused !== null;
    const inquiry = /** @type {Inquiry} */ (this.data);
    if (isResponse) outbox.remove(inquiry.id);
    if (hasChanged || isResponse) this.render();
    if (!isResponse) return this.keepFocus(focused);
    this.announce(this.shown.notice || t('web-held'));
    if (this.emit('askback-held', { inquiry, hadFocus, byUser: this.isSentHere }))
      this.keepFocus(focused);
  }

  /** The inquiry has its outcome. @param {{ isResponse: boolean, isNew: boolean }} options */
  applyOutcome({ isResponse, isNew }) {
    const inquiry = /** @type {Inquiry} */ (this.data);
    const focused = this.root.activeElement;
    const hadFocus = focused !== null;
    clearTimeout(this.sender.timer);
    this.draftSync.discard(inquiry);
    this.render();
    if (!isNew) return this.keepFocus(focused);
    this.announce(verdict(inquiry));
    const byUser = isResponse && this.isSentHere;
    if (this.emit('askback-resolved', { inquiry, hadFocus, byUser })) this.keepFocus(focused);
  }

  /** @param {string} type @param {unknown} detail @returns {boolean} false if a listener prevented the default */
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

  /** Says that a key or a click was ignored, where it moves nothing. */
  showTooEarly() {
    const text = t('web-too-early');
    if (!this.root.querySelector('.too-early')) this.heading.after(span('too-early', text));
    this.announce(text);
  }

  /** Says something above the form, which is not drawn again. @param {string} text */
  showNotice(text) {
    this.dispatch({ type: 'notice', notice: text });
    drawAboveForm(this);
    this.announce(text);
  }

  // Editing

  get draft() {
    return this.draftSync.draftFor(/** @type {Inquiry} */ (this.data));
  }

  async restoreDraft() {
    const inquiry = this.data;
    if (!inquiry) return;
    const unsent = outbox.read(inquiry.id);
    this.restoredDraft = this.draftSync.restore(inquiry);
    if ((await this.restoredDraft) && this.state === 'asked') {
      const isInForm = this.form?.node.contains(this.root.activeElement);
      this.render();
      // Nothing was entered yet: the focus goes to what the draft selects.
      if (isInForm) this.form?.focus();
    }
    if (!unsent || this.data?.id !== inquiry.id) return;
    this.draftSync.restoreUnsent(inquiry, unsent);
    this.sender.sendStored();
  }

  /** Saves when the page is hidden; when it is shown again, another device may have a newer draft. */
  syncDraftWithVisibility = () => {
    if (document.visibilityState === 'hidden') this.draftSync.save();
    else if (this.state === 'asked' && !this.draftSync.isDirty && this.root.activeElement === null)
      this.restoreDraft();
  };

  /** @param {Edit} edit */
  edit = (edit) => {
    const inquiry = this.data;
    if (!inquiry || !this.isOpen) return;
    const { page } = this.draft;
    if (this.draftSync.edit(inquiry, edit)) {
      if (this.state !== 'late') this.draftSync.scheduleSave(inquiry);
      if (/mark|clear|write|skip/.test(edit.edit)) this.clearErrors();
      this.emit('askback-edited', { inquiry });
    }
    if (JSON.stringify(page) === JSON.stringify(this.draft.page)) this.form?.sync();
    else {
      this.render();
      this.form?.focus();
      this.announce(this.form?.position() ?? '');
    }
  };

  /** The answer on this page was changed: what was wrong with it is not said any longer. */
  clearErrors() {
    if (this.shown.errors.length === 0) return;
    const questions = this.data?.questions ?? [];
    const id = questions[this.form?.at ?? 0]?.id;
    const errors = this.shown.errors.filter(
      ({ question }) => questions.length > 1 && question !== id,
    );
    this.dispatch({ type: 'errors', errors });
    this.form?.clearErrors();
  }

  skip = () => {
    const inquiry = this.data;
    if (!inquiry || !this.isOpen) return;
    const { page } = this.draft;
    if (page !== 'review') this.fieldStates.delete(inquiry.questions[page.question].id);
    this.edit({ edit: 'skip' });
    if (inquiry.questions.length === 1) this.sender.sendAnswer();
    else this.form?.nextPage();
  };

  /** @param {AnswerError[]} errors an empty list opens the review */
  showErrors = (errors) => {
    const inquiry = /** @type {Inquiry} */ (this.data);
    if (errors.length === 0) return this.edit({ edit: 'go_to', page: inquiry.questions.length });
    this.dispatch({ type: 'errors', errors });
    const at = inquiry.questions.findIndex(({ id }) => id === errors[0].question);
    if (this.draft.page !== 'review' && at >= 0)
      this.draftSync.edit(inquiry, { edit: 'go_to', page: at });
    this.render();
    this.form?.focusError(at);
    this.announce(errors.map(({ message }) => message).join(' '), true);
    this.emit('askback-error', { inquiry, errors });
  };

  // Drawing

  render() {
    const { state } = this;
    if (this.dataset.state !== state) {
      this.dataset.state = state;
      this.emit('askback-state', { state, inquiry: this.data });
    }
    renderElement(this);
    this.guardContent();
    if (!this.wantsFocus || state === 'loading') return;
    this.wantsFocus = false;
    const { activeElement } = document;
    if (
      !activeElement ||
      [document.body, this, this.focusedBefore].includes(/** @type {HTMLElement} */ (activeElement))
    )
      this.focusFirst();
  }

  /** Draws everything again, as after a change of language or settings. */
  redraw = () => {
    this.share = null;
    if (this.connection.canDraw && (this.data || this.phase)) this.render();
  };

  /** Focuses the first control of the form, now or when it is drawn. */
  focusFirst() {
    if (this.isFolded) toggleFolded(this);
    this.wantsFocus = !this.form && ['loading', 'asked'].includes(this.state);
    this.focusedBefore = document.activeElement;
    if (this.form) this.form.focus();
    else this.heading.focus();
  }

  /**
   * Moves the focus if the control that had it is gone: to what was typed and not sent, where further keys
   * do nothing, or to the heading.
   * @param {Element | null} focused
   */
  keepFocus(focused) {
    if (!focused || this.root.activeElement) return;
    const unsent = this.root.querySelector('.unsent');
    const isTyped = isTextField(focused) || focused.className === 'unsent';
    (isTyped && unsent instanceof HTMLElement ? unsent : this.heading).focus();
  }
}

if (!customElements.get('askback-question'))
  customElements.define('askback-question', AskbackQuestion);
