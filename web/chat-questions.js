// The questions of a conversation, and the bar that leads to those that are scrolled out of view.

import { button, h } from './dom.js';
import { t } from './i18n.js';
import { newQuestion } from './preferences.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Block, Inquiry, QuestionExtra } from './wire.d.ts' */

/** What the block says of an inquiry; who answered it and when is not in it. @param {string} conversation_id @param {QuestionExtra} extra @param {Block} block @returns {Inquiry} */
const inquiryFromBlock = (conversation_id, extra, block) => ({
  id: extra.inquiryId,
  conversation_id,
  status: extra.inquiryStatus,
  revision: extra.revision,
  dialect: extra.dialect,
  questions: extra.questions,
  asked_at: block.timestamp,
  outcome: extra.answerText ? { type: 'superseded', message: extra.answerText } : undefined,
});

export class ChatQuestions {
  /**
   * @param {Store} store
   * @param {string} conversation
   * @param {() => void} onStateChange
   */
  constructor(store, conversation, onStateChange) {
    this.store = store;
    this.conversation = conversation;
    this.onStateChange = onStateChange;
    /** @type {Map<string, AskbackQuestion>} */
    this.elements = new Map();
    this.bar = h('div', { class: 'waiting-bar', hidden: true });
    this.visibility = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          target.toggleAttribute('data-in-view', isIntersecting);
        this.updateBar();
      },
      { rootMargin: '0px 0px -80px 0px' },
    );
  }

  /** Questions that can be answered now. */
  get open() {
    return [...this.elements.values()].filter((each) => each.state === 'asked');
  }

  get hasHeld() {
    return [...this.elements.values()].some((each) => each.state === 'held');
  }

  /** The element of an inquiry. It stays the same while the page is open, so that no input is lost. @param {QuestionExtra} extra @param {Block} block */
  elementFor(extra, block) {
    const { inquiryId: id, inquiryStatus: status } = extra;
    const known = this.elements.get(id);
    if (known) {
      if (known.inquiry?.status === 'pending' && status !== 'pending') known.connection.refresh();
      return known;
    }
    const element = newQuestion('chat');
    const pending = this.store.pendingById.get(id);
    if (pending) element.inquiry = pending;
    else if (status === 'pending') element.setAttribute('inquiry', id);
    else element.inquiry = inquiryFromBlock(this.conversation, extra, block);
    this.elements.set(id, element);
    this.visibility.observe(element);
    element.addEventListener('askback-state', () => {
      this.updateBar();
      this.onStateChange();
    });
    element.addEventListener('askback-resolved', this.focusNext);
    element.addEventListener('askback-held', this.focusNext);
    if (status !== 'pending') this.loadWhenInView(element, id);
    return element;
  }

  /** Completes what the block does not say. @param {AskbackQuestion} element @param {string} id */
  loadWhenInView(element, id) {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      this.store.client.inquiry(id).then(
        (inquiry) => {
          element.data = inquiry;
          element.redraw();
        },
        () => {},
      );
    });
    observer.observe(element);
  }

  /** After an answer, goes to the next open question of the conversation. @param {Event} event */
  focusNext = (event) => {
    const { hadFocus, byUser } = /** @type {CustomEvent} */ (event).detail;
    const next = this.open.find((each) => each !== event.target && each.isConnected);
    if (!hadFocus || !byUser || !next) return;
    event.preventDefault();
    next.focusFirst();
  };

  updateBar() {
    const outOfView = this.open.filter(
      (each) => each.isConnected && !each.hasAttribute('data-in-view'),
    );
    this.bar.hidden = outOfView.length === 0;
    if (outOfView.length === 0) return;
    this.bar.replaceChildren(
      button(t('web-show-question', { count: outOfView.length }), () => this.show(outOfView[0])),
    );
  }

  show(element = this.open[0]) {
    if (!element) return;
    element.scrollIntoView({ block: 'center' });
    element.focusFirst();
  }
}
