// The undo bar of the inbox: what was done last, and a button that undoes it. It is fixed in view and
// there is only one.

import { announce, button, h, hasKeyboard } from '../lib/dom.js';
import { failureText, t } from '../lib/i18n.js';
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

  /**
   * @param {Store} store
   * @param {{ onUndone: (ids: string[]) => void, isKey: () => boolean }} inbox `onUndone` is called with the questions that are open again; `isKey`: whether `u` is a key where the focus is
   * @param {AbortSignal} signal aborted when the page is left
   */
  constructor(store, { onUndone, isKey }, signal) {
    this.store = store;
    this.onUndone = onUndone;
    this.key = undoKey({ offer: this.offer, isKey }, signal);
    // The focus may move inside of a question, where only keys and the pointer tell of it.
    for (const type of ['focusin', 'focusout', 'input', 'keyup', 'pointerup'])
      addEventListener(type, this.drawKeys, { capture: true, signal });
    store.addEventListener('inquiry', this.handleInquiry, { signal });
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
    if (hasDigits() && hasKeyboard()) this.key.arm();
    this.drawKeys();
  }

  /** Shows the keys that undo where the focus is. In a field that somebody chose, letters are text: there is none. */
  drawKeys = () => {
    if (!this.last || this.last.isSnooze) return;
    const keys = hasDigits() && hasKeyboard() ? this.key.keys() : [];
    const shown = [...this.node.querySelectorAll('kbd')];
    if (shown.map(({ textContent }) => textContent).join(' ') === keys.join(' ')) return;
    for (const each of shown) each.remove();
    const nodes = keys.map((key) => h('kbd', { 'aria-hidden': 'true' }, key));
    this.node.lastElementChild?.before(...nodes);
  };

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

  undo = () => this.offer()?.();

  /** Undoes what can be undone now. A key is told from a word after a moment: if the time is over by then, the server says so. */
  offer = () => {
    if (!this.last) return null;
    const { ids, isSnooze } = this.last;
    return async () => {
      const reopened = await (isSnooze ? this.undoSnooze(ids) : this.undoAnswers(ids));
      if (reopened.length > 0) this.onUndone(reopened);
    };
  };

  /** @param {string[]} ids */
  async undoSnooze(ids) {
    try {
      await this.store.snooze(ids, null);
    } catch (error) {
      announce(failureText(error));
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
      if (!isLost) this.forget(id);
      if (!inquiry && !this.last) this.showText(message);
      // It can be tried again.
      if (isLost) return reopened;
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
