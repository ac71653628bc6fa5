// The questions of a conversation. One that waits is in the dock, and its place among the messages says so;
// one that has ended is at its place, folded to a line.

import { OfflineError } from '../lib/api.js';
import { button, deepActiveElement, div, h, hasKeyboard, ignore, span } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { rememberAnswer } from '../draft/outbox.js';
import { verdict } from '../question/outcome.js';
import { newQuestion } from '../shell/preferences.js';
import { QuestionDock } from './dock.js';
import { msUntilPause } from '../lib/input-guard.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { Block, Inquiry, QuestionExtra, State } from '../lib/wire.d.ts' */

/** How long a question that somebody else has ended stays in the dock after it was last touched, in milliseconds. */
const LEAVE_MS = 4000;
/** How long after a key that scrolls the focus is not moved, in milliseconds. */
const SCROLLING_MS = 1000;
const SCROLL_KEYS = [' ', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];

let lastScrollKeyAt = Number.NEGATIVE_INFINITY;
addEventListener(
  'keydown',
  (event) => {
    if (SCROLL_KEYS.includes(event.key) && event.target === document.body)
      lastScrollKeyAt = event.timeStamp;
  },
  true,
);

/** What the block says of an inquiry; who answered it and when is not in it. @param {string} conversation_id @param {QuestionExtra} extra @param {Block} block @returns {Inquiry} */
const inquiryFromBlock = (conversation_id, extra, block) => ({
  id: extra.inquiryId,
  conversation_id,
  status: extra.inquiryStatus,
  version: 0,
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
   * @param {{
   *   onChange: () => void,
   *   focusAfterAnswer: (element: AskbackQuestion) => void,
   *   mayTakeFocus: () => boolean,
   *   goToNext: (slot: HTMLElement) => void,
   * }} options `mayTakeFocus`: the user neither writes nor reads elsewhere
   */
  constructor(store, conversation, { onChange, focusAfterAnswer, mayTakeFocus, goToNext }) {
    this.store = store;
    this.conversation = conversation;
    this.onChange = onChange;
    this.focusAfterAnswer = focusAfterAnswer;
    this.mayTakeFocus = mayTakeFocus;
    this.goToNext = goToNext;
    /** @type {Map<string, AskbackQuestion>} */
    this.elements = new Map();
    /** Their places among the messages. @type {Map<string, HTMLElement>} */
    this.slots = new Map();
    /** Questions that a message or a stop from this page ends. @type {Set<string>} */
    this.endedHere = new Set();
    this.dock = new QuestionDock((element) => this.putBack(element, true));
    /** When the dock was touched last. */
    this.touchedAt = 0;
    for (const type of ['pointermove', 'pointerdown', 'keydown'])
      this.dock.node.addEventListener(type, (event) => {
        this.touchedAt = event.timeStamp;
      });
  }

  /** A pending question of the conversation, if it was read. @param {string | undefined} id */
  inquiry(id = '') {
    return this.store.pendingById.get(id) ?? this.elements.get(id)?.data ?? null;
  }

  get hasHeld() {
    return [...this.elements.values()].some((each) => each.state === 'held');
  }

  /** The place of an inquiry among the messages. @param {QuestionExtra} extra @param {Block} block */
  slotFor(extra, block) {
    const { inquiryId: id, inquiryStatus: status } = extra;
    const slot = this.slots.get(id) ?? div('question-slot');
    this.slots.set(id, slot);
    const known = this.elements.get(id);
    if (known) {
      if (known.inquiry?.status === 'pending' && status !== 'pending') known.connection.refresh();
      return slot;
    }
    const element = this.create(id);
    if (status === 'pending') {
      const pending = this.store.pendingById.get(id);
      if (pending) element.inquiry = pending;
      else element.setAttribute('inquiry', id);
      slot.replaceChildren(this.waitingLine(element, extra));
      this.addToDock(element);
    } else {
      element.inquiry = inquiryFromBlock(this.conversation, extra, block);
      this.settle(element);
      this.loadWhenInView(element, id);
    }
    return slot;
  }

  /** @param {string} id */
  create(id) {
    const element = newQuestion('chat');
    this.elements.set(id, element);
    element.addEventListener('askback-state', () => {
      this.dock.update();
      this.onChange();
    });
    element.addEventListener('askback-resolved', (event) => this.handleEnd(element, event));
    element.addEventListener('askback-held', (event) => this.handleHeld(element, event));
    return element;
  }

  /** @param {AskbackQuestion} element */
  addToDock(element) {
    // One that ended elsewhere keeps its place: what the user is typing is not for the next one.
    const takesFocus = !this.dock.shown;
    this.dock.add(element);
    this.onChange();
    if (takesFocus) this.focusAfterPause(element);
  }

  /** Gives the focus to a question that appeared, unless somebody works elsewhere: at once, or after a pause in typing. @param {AskbackQuestion} element */
  focusAfterPause(element) {
    const isFree = () =>
      element.isConnected &&
      this.dock.shown === element &&
      ['loading', 'asked'].includes(element.state) &&
      this.mayTakeFocus() &&
      this.isFocusFree();
    if (!isFree()) return;
    const waitMs = msUntilPause();
    if (waitMs > 0) setTimeout(() => this.focusAfterPause(element), waitMs);
    else {
      element.guardContent();
      this.dock.focus(element);
    }
  }

  /** Whether the focus is where nobody works: nowhere, on a heading or a message, in an empty message field. */
  isFocusFree() {
    const active = deepActiveElement();
    const isUsed =
      active instanceof HTMLTextAreaElement
        ? active.value !== '' || !active.closest('.composer')
        : active !== null &&
          active !== document.body &&
          active.getAttribute('tabindex') !== '-1' &&
          !active.closest('.latest');
    return (
      hasKeyboard() &&
      document.visibilityState === 'visible' &&
      (getSelection()?.isCollapsed ?? true) &&
      !isUsed &&
      performance.now() - lastScrollKeyAt > SCROLLING_MS
    );
  }

  /** Questions of sub-agents wait here as well: their parent waits for them. @param {State} state */
  addSubAgents(state) {
    const agents = new Set((state.agents ?? []).map((agent) => agent.conversation_id));
    if (agents.size === 0) return;
    for (const inquiry of this.store.pending) {
      if (!agents.has(inquiry.conversation_id) || this.elements.has(inquiry.id)) continue;
      const element = this.create(inquiry.id);
      element.inquiry = inquiry;
      this.addToDock(element);
    }
  }

  /** What stands at the place of a question that waits in the dock. @param {AskbackQuestion} element @param {QuestionExtra} extra */
  waitingLine(element, { questionHeader, questionText }) {
    const content = [
      icon('question'),
      h('bdi', { class: 'name' }, questionHeader ?? questionText),
      span('hint', t('web-waiting-below')),
    ];
    return button(content, () => this.dock.focus(element), { class: 'waiting-line' });
  }

  /** Puts a question that has ended at its place, as one line. @param {AskbackQuestion} element */
  settle(element) {
    const slot = this.slots.get(element.getAttribute('inquiry') ?? '');
    this.dock.remove(element);
    if (!slot) return;
    // One that expired can still be answered.
    element.isFolded = element.data?.status !== 'expired';
    slot.replaceChildren(
      element,
      button(icon('arrow-down'), () => this.goToNext(slot), {
        class: 'quiet after',
        'aria-label': t('web-after-answer'),
      }),
    );
  }

  /** @param {AskbackQuestion} element @param {boolean} hadFocus */
  putBack(element, hadFocus) {
    this.settle(element);
    this.onChange();
    if (!hadFocus) return;
    if (this.dock.open.length > 0) this.dock.focus(this.dock.open[0]);
    else this.focusAfterAnswer(element);
  }

  /** @param {AskbackQuestion} element @param {Event} event */
  handleEnd(element, event) {
    const { hadFocus, byUser } = /** @type {CustomEvent} */ (event).detail;
    const id = element.getAttribute('inquiry') ?? '';
    const wasEndedHere = this.endedHere.delete(id);
    const isOurs = byUser || element.isSentHere || wasEndedHere;
    if (wasEndedHere) rememberAnswer(id);
    // What somebody else has ended stays in view until the user moves on, or has gone.
    if (!isOurs && this.dock.shown === element) {
      const line = this.slots.get(id)?.querySelector('.hint');
      if (line && element.data) line.textContent = verdict(element.data);
      this.touchedAt = event.timeStamp;
      this.leaveWhenUntouched(element);
      return this.dock.update();
    }
    event.preventDefault();
    return this.putBack(element, hadFocus);
  }

  /** Makes room for what waits. Text that was not sent stays until it was seen. @param {AskbackQuestion} element */
  leaveWhenUntouched(element) {
    const leftMs = this.touchedAt + LEAVE_MS - performance.now();
    if (leftMs > 0) return setTimeout(() => this.leaveWhenUntouched(element), leftMs);
    const hasUnsent = element.root.querySelector('.unsent') !== null;
    if (this.dock.shown === element && element.state !== 'asked' && !hasUnsent)
      this.putBack(element, element.root.activeElement !== null);
    return undefined;
  }

  /** @param {AskbackQuestion} element @param {Event} event */
  handleHeld(element, event) {
    const { hadFocus, byUser } = /** @type {CustomEvent} */ (event).detail;
    const next = this.dock.open.find((each) => each !== element);
    if (!byUser || !next) return;
    this.dock.show(next);
    if (!hadFocus) return;
    event.preventDefault();
    next.focusFirst();
  }

  /** Completes what the block does not say. @param {AskbackQuestion} element @param {string} id */
  loadWhenInView(element, id) {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      this.store.client.inquiry(id).then((inquiry) => {
        element.inquiry = inquiry;
        element.redraw();
      }, ignore);
    });
    observer.observe(element);
  }

  /** Answers a question with a text from the message field. @param {string} id @param {string} text */
  answer(id, text) {
    const element = this.elements.get(id);
    // It is not drawn, or an answer is on its way: the text stays in the message field.
    if (!element?.isOpen) throw new OfflineError();
    element.edit({ edit: 'write', field: 'own', text });
    return element.sender.sendAnswer();
  }

  /** A message or a stop from this page is about to end what waits. */
  expectEnd() {
    for (const each of this.dock.open) this.endedHere.add(each.getAttribute('inquiry') ?? '');
  }
}
