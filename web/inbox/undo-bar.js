// The undo bar of the inbox: what was done last, and a button that undoes it. It is fixed in view and
// there is only one.

import { announce, button, h, hasKeyboard } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { inputGuard } from '../lib/input-guard.js';
import { undoneHere } from '../draft/outbox.js';
import { hasDigits } from '../shell/preferences.js';
import { undoAnswer, undoButton } from '../question/undo.js';
import { undoKey } from './undo-key.js';

/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

export class UndoBar {
  /** What can be undone. @type {{ ids: string[], isSnooze: boolean } | null} */
  last = null;
  /** Answers that were sent here and can still be undone. @type {Set<string>} */
  sent = new Set();
  node = h('div', { class: 'undo-bar', hidden: true });
  guard = inputGuard(this.node);
  key = undoKey({ isOffered: () => this.isOffered, undo: () => this.undo() });

  /**
   * @param {Store} store
   * @param {(ids: string[]) => void} onUndone called with the questions that are open again
   */
  constructor(store, onUndone) {
    this.store = store;
    this.onUndone = onUndone;
    store.addEventListener('inquiry', this.handleInquiry);
  }

  destroy() {
    this.key.destroy();
    this.store.removeEventListener('inquiry', this.handleInquiry);
  }

  get isOffered() {
    return this.last !== null;
  }

  /** @param {string} text @param {HTMLElement} control */
  show(text, control) {
    this.node.replaceChildren(h('span', {}, text), control);
    this.guard();
    this.node.hidden = false;
  }

  hide = () => {
    this.node.hidden = true;
    this.last = null;
  };

  /** Something newer was sent, and nothing older is undone in its place. */
  clear() {
    if (this.last) this.hide();
  }

  /** After answers that the server holds. Those without an undo window are left out. @param {Inquiry[]} inquiries @param {string} text */
  offerAnswers(inquiries, text) {
    const held = inquiries.filter((each) => each.held);
    const window = held.at(-1)?.held;
    if (!window) return;
    this.last = { ids: held.map(({ id }) => id), isSnooze: false };
    for (const id of this.last.ids) this.sent.add(id);
    this.show(text, undoButton(window, this.undo, this.hide));
    if (!hasDigits() || !hasKeyboard()) return;
    this.node.lastElementChild?.before(h('kbd', { 'aria-hidden': 'true' }, 'u'));
    this.key.arm();
  }

  /** What could not be done. @param {string} text */
  showText(text) {
    this.last = null;
    this.show(text, button(t('web-close'), this.hide, { class: 'quiet' }));
  }

  /** Somebody else has undone an answer that was given here. @param {string} id */
  showReopened(id) {
    const text = t('web-undone-elsewhere');
    announce(text);
    // What can be undone here stays in view.
    if (this.last) return;
    this.showText(text);
    this.node.append(
      button(t('web-open-again'), () => {
        this.hide();
        this.onUndone([id]);
      }),
    );
  }

  /** @param {string[]} ids @param {string} text */
  offerSnooze(ids, text) {
    this.last = { ids, isSnooze: true };
    this.show(text, button(t('inbox-undo-snooze'), this.undo, { class: 'undo' }));
  }

  undo = async () => {
    if (!this.last) return;
    const { ids, isSnooze } = this.last;
    const reopened = await (isSnooze ? this.undoSnooze(ids) : this.undoAnswers(ids));
    if (reopened.length > 0) this.onUndone(reopened);
  };

  /** @param {string[]} ids */
  async undoSnooze(ids) {
    try {
      await this.store.snooze(ids, null);
    } catch (error) {
      announce(/** @type {Error} */ (error).message || t('chat-connection-lost'));
      return [];
    }
    this.hide();
    announce(t('web-undone'));
    return ids;
  }

  /** @param {string[]} ids */
  async undoAnswers(ids) {
    /** @type {string[]} */
    const reopened = [];
    for (const id of [...ids]) {
      const { inquiry, message, isLost } = await undoAnswer(this.store.client, id);
      announce(message);
      // It can be tried again.
      if (isLost) return reopened;
      this.forget(id);
      if (!inquiry) continue;
      this.store.applyInquiry(inquiry);
      reopened.push(id);
    }
    return reopened;
  }

  /** An answer took effect or was undone, wherever that happened. @param {string} id */
  forget(id) {
    if (!this.last || this.last.isSnooze || !this.last.ids.includes(id)) return;
    this.last.ids = this.last.ids.filter((each) => each !== id);
    if (this.last.ids.length === 0) this.hide();
  }

  handleInquiry = (/** @type {Event} */ event) => {
    const { id, status, held } = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    if (held) return;
    this.forget(id);
    if (this.sent.delete(id) && status === 'pending' && !undoneHere.has(id)) this.showReopened(id);
  };
}
