// The inbox page: one question at a time. Another question is shown only when the user asks for it; a
// question that ends elsewhere stays and shows its outcome (rule A4 of docs/answering.md).

import { announce, bdi, button, h, isTextField } from './dom.js';
import { inputGuard } from './input-guard.js';
import { nameOf, loadUndo, onUndoClosed } from './inbox-list.js';
import { hasDigits, newQuestion } from './preferences.js';
import { byUrgency } from './store.js';
import { t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

/**
 * @param {Store} store
 * @param {{ selectedId: () => string | null, openQuestion: (id: string) => void }} options
 */
export function inboxView(store, { selectedId, openQuestion }) {
  const heading = h('h1', { tabindex: -1 }, t('inbox-title'));
  const count = h('p', { class: 'inbox-count' });
  const current = h('div', {});
  const conversationLink = h('p', {});
  const undoBar = h('div', { class: 'undo-bar', hidden: true });
  const nextBar = h(
    'p',
    { hidden: true },
    button(
      t('web-next-question'),
      () => {
        if (element?.data) openNextAfter(element.data);
      },
      { class: 'primary' },
    ),
  );
  const guardNext = inputGuard(nextBar);
  const guardUndo = inputGuard(undoBar);
  const node = h(
    'div',
    { class: 'chat', onkeydown: handleKey },
    heading,
    count,
    undoBar,
    current,
    nextBar,
    conversationLink,
  );
  /** @type {AskbackQuestion | null} */
  let element = null;

  /** @param {{ mayAdvance?: boolean }} [options] `mayAdvance`: an ended question may be replaced by the first pending one */
  function draw({ mayAdvance = false } = {}) {
    count.textContent = t('inbox-count', { count: store.pendingById.size });
    const selected = selectedId();
    const isEnded =
      !element ||
      !['loading', 'asked', 'sending', 'offline', 'held', 'late'].includes(element.state);
    const id = selected ?? (!element || (mayAdvance && isEnded) ? store.pending[0]?.id : null);
    if (id && element?.getAttribute('inquiry') !== id) show(id);
    offerNext();
  }

  /** Shows "Next question" below a question that has ended. */
  function offerNext() {
    const isEnded =
      Boolean(element?.data) &&
      !element?.isOpen &&
      !['loading', 'sending', 'offline'].includes(element?.state ?? '');
    const isOffered = isEnded && store.pending.some(({ id }) => id !== element?.data?.id);
    if (isOffered && nextBar.hidden) guardNext();
    nextBar.hidden = !isOffered;
  }

  /** @param {string} id */
  function show(id) {
    element = newQuestion('inbox');
    const inquiry = store.pendingById.get(id);
    if (inquiry) element.inquiry = inquiry;
    else element.setAttribute('inquiry', id);
    current.replaceChildren(element);
    const conversation = inquiry && store.conversations.get(inquiry.conversation_id);
    conversationLink.replaceChildren(
      ...(inquiry
        ? [
            h(
              'a',
              { href: `/c/${inquiry.conversation_id}` },
              bdi(conversation?.title ?? t('web-conversations')),
            ),
          ]
        : []),
    );
    element.addEventListener('askback-resolved', handleAnswered);
    element.addEventListener('askback-held', handleAnswered);
    element.addEventListener('askback-state', offerNext);
  }

  /** Opens the question after this one in the list. @param {Inquiry} inquiry */
  function openNextAfter(inquiry) {
    const { pending } = store;
    const following = pending.find((each) => byUrgency(inquiry, each) < 0) ?? pending[0];
    if (!following) return false;
    openQuestion(following.id);
    element?.focusFirst();
    return true;
  }

  /** @param {Event} event */
  function handleAnswered(event) {
    const { inquiry, hadFocus, byUser } =
      /** @type {CustomEvent<{ inquiry: Inquiry, hadFocus: boolean, byUser: boolean }>} */ (event)
        .detail;
    if (inquiry.held) {
      store.applyHeld(inquiry);
      if (byUser) store.emit('sent', inquiry);
    } else store.applyResolved(inquiry);
    count.textContent = t('inbox-count', { count: store.pendingById.size });
    offerNext();
    if (!byUser) return;
    // Whoever has opened another question before the reply came stays there.
    if (event.target === element) {
      const mayMove = hadFocus || document.activeElement === document.body;
      if (!mayMove || !openNextAfter(inquiry)) return;
      event.preventDefault();
    }
    if (inquiry.held) offerUndo(inquiry, inquiry.held);
  }

  /** Outside of text fields, u undoes the last answer. @param {KeyboardEvent} event */
  function handleKey(event) {
    const [target] = event.composedPath();
    if (
      event.key !== 'u' ||
      event.repeat ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTextField(target) ||
      !hasDigits()
    )
      return;
    const undo = (undoBar.hidden ? element?.root : undoBar)?.querySelector('.undo');
    if (undo instanceof HTMLElement) undo.click();
  }

  /** The next question is shown already, so the undo button is above it. @param {Inquiry} inquiry @param {Held} held */
  async function offerUndo(inquiry, held) {
    const hide = () => {
      undoBar.hidden = true;
    };
    const { undoAnswer, undoButton } = await loadUndo();
    undoBar.dataset.id = inquiry.id;
    undoBar.replaceChildren(
      h('span', {}, bdi(nameOf(inquiry)), ' · ', t('web-held')),
      undoButton(
        held,
        async () => {
          const { inquiry: now, message, isLost } = await undoAnswer(store.client, inquiry.id);
          announce(message);
          if (isLost) return;
          hide();
          if (!now) return;
          store.handleEvent({ type: 'inquiry_reopened', data: now });
          openQuestion(now.id);
          element?.focusFirst();
        },
        hide,
      ),
    );
    guardUndo();
    undoBar.hidden = false;
  }

  const redraw = () => draw();
  store.addEventListener('pending', redraw);
  const unsubscribe = onUndoClosed(store, (id) => {
    if (undoBar.dataset.id === id) undoBar.hidden = true;
  });
  draw();
  return {
    node,
    heading,
    draw: () => draw({ mayAdvance: true }),
    element: () => element,
    destroy() {
      store.removeEventListener('pending', redraw);
      unsubscribe();
    },
  };
}
