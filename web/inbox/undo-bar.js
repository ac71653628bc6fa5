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

/**
 * @param {Store} store
 * @param {(ids: string[]) => void} onUndone called with the questions that are open again
 */
export function undoBar(store, onUndone) {
  const node = h('div', { class: 'undo-bar', hidden: true });
  const guard = inputGuard(node);
  /** Answers that were sent here and can still be undone. @type {Set<string>} */
  const sent = new Set();
  /** What can be undone. @type {{ ids: string[], isSnooze: boolean } | null} */
  let last = null;

  /** @param {string} text @param {HTMLElement} control */
  function show(text, control) {
    node.replaceChildren(h('span', {}, text), control);
    guard();
    node.hidden = false;
  }

  function hide() {
    node.hidden = true;
    last = null;
  }

  /** Something newer was sent, and nothing older is undone in its place. */
  function clear() {
    if (last) hide();
  }

  /** After answers that the server holds. Those without an undo window are left out. @param {Inquiry[]} inquiries @param {string} text */
  function offerAnswers(inquiries, text) {
    const held = inquiries.filter((each) => each.held);
    const window = held.at(-1)?.held;
    if (!window) return;
    last = { ids: held.map(({ id }) => id), isSnooze: false };
    for (const id of last.ids) sent.add(id);
    show(text, undoButton(window, undo, hide));
    if (!hasDigits() || !hasKeyboard()) return;
    node.lastElementChild?.before(h('kbd', { 'aria-hidden': 'true' }, 'u'));
    key.arm();
  }

  /** What could not be done. @param {string} text */
  function showText(text) {
    last = null;
    show(text, button(t('web-close'), hide, { class: 'quiet' }));
  }

  /** Somebody else has undone an answer that was given here. @param {string} id */
  function showReopened(id) {
    const text = t('web-undone-elsewhere');
    announce(text);
    // What can be undone here stays in view.
    if (last) return;
    showText(text);
    node.append(
      button(t('web-open-again'), () => {
        hide();
        onUndone([id]);
      }),
    );
  }

  /** @param {string[]} ids @param {string} text */
  function offerSnooze(ids, text) {
    last = { ids, isSnooze: true };
    show(text, button(t('inbox-undo-snooze'), undo, { class: 'undo' }));
  }

  /** Whether there is something to undo. */
  const isOffered = () => last !== null;

  async function undo() {
    if (!last) return;
    const { ids, isSnooze } = last;
    const reopened = await (isSnooze ? undoSnooze(ids) : undoAnswers(ids));
    if (reopened.length > 0) onUndone(reopened);
  }

  /** @param {string[]} ids */
  async function undoSnooze(ids) {
    try {
      await store.snooze(ids, null);
    } catch (error) {
      announce(/** @type {Error} */ (error).message || t('chat-connection-lost'));
      return [];
    }
    hide();
    announce(t('web-undone'));
    return ids;
  }

  /** @param {string[]} ids */
  async function undoAnswers(ids) {
    /** @type {string[]} */
    const reopened = [];
    for (const id of [...ids]) {
      const { inquiry, message, isLost } = await undoAnswer(store.client, id);
      announce(message);
      // It can be tried again.
      if (isLost) return reopened;
      forget(id);
      if (!inquiry) continue;
      store.applyInquiry(inquiry);
      reopened.push(id);
    }
    return reopened;
  }

  /** An answer took effect or was undone, wherever that happened. @param {string} id */
  function forget(id) {
    if (!last || last.isSnooze || !last.ids.includes(id)) return;
    last.ids = last.ids.filter((each) => each !== id);
    if (last.ids.length === 0) hide();
  }

  const handleInquiry = (/** @type {Event} */ event) => {
    const { id, status, held } = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    if (held) return;
    forget(id);
    if (sent.delete(id) && status === 'pending' && !undoneHere.has(id)) showReopened(id);
  };
  const key = undoKey({ isOffered, undo });
  store.addEventListener('inquiry', handleInquiry);
  return {
    node,
    offerAnswers,
    offerSnooze,
    showText,
    undo,
    isOffered,
    clear,
    destroy() {
      key.destroy();
      store.removeEventListener('inquiry', handleInquiry);
    },
  };
}
