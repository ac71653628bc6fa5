// The inbox page: the list and one question beside it; on a narrow screen the list, then the question.
// Another question is shown only when the user asks for it; a question that ends elsewhere stays and
// shows its outcome, here and in the list (rule A4 of docs/answering.md).

import { announce, button, h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { heldText, inboxActions } from './actions.js';
import { inboxContext } from './context.js';
import { InboxFilter } from './filter.js';
import { inboxKeys } from './keys.js';
import { inboxList } from './list.js';
import { inputGuard } from '../lib/input-guard.js';
import { undoneHere } from '../draft/outbox.js';
import { positionIn } from '../shell/pending.js';
import { newQuestion } from '../shell/preferences.js';
import { undoBar } from './undo-bar.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Below this width the list and the question are pages of their own, as in inbox.css. */
const NARROW = '(max-width: 799px)';
/** Below this height, as when zoomed in far, a question begins at the upper edge, in pixels. */
const SHORT_PX = 480;

/** Loads the dialogs when one is opened. @param {(dialogs: typeof import('./dialogs.js')) => void} open */
const withDialogs = (open) =>
  import('./dialogs.js').then(open, () => announce(t('chat-connection-lost')));

/**
 * @param {Store} store
 * @param {{
 *   selectedId: () => string | null,
 *   openQuestion: (id: string) => void,
 *   closeQuestion: () => void,
 * }} options
 */
export function inboxView(store, { selectedId, openQuestion, closeQuestion }) {
  const narrow = matchMedia(NARROW);
  const filter = new InboxFilter(store);
  const heading = h('h1', { tabindex: -1 }, t('inbox-title'));
  const count = h('p', { class: 'inbox-count' });
  const back = h(
    'a',
    {
      href: '/inbox',
      class: 'icon-button back',
      'aria-label': t('inbox-all'),
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        closeQuestion();
      },
    },
    h('span', { class: 'chevron', 'aria-hidden': 'true' }),
  );
  const help = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': t('inbox-keys'),
      onclick: () => showKeys(),
    },
    icon('keyboard'),
  );
  const position = h('span', { class: 'position' });
  const previous = stepButton('previous', t('web-previous-question'), -1);
  const next = stepButton('next', t('web-next-question'), 1);
  const snoozeButton = button(t('inbox-snooze'), () => snoozeOpen(), { class: 'quiet' });
  snoozeButton.prepend(icon('clock'));
  const bar = h('div', { class: 'question-bar' }, previous, next, position, snoozeButton);
  const context = inboxContext(store);
  const current = h('div', {});
  const placeholder = h('div', { class: 'placeholder' });
  const nextBar = h(
    'p',
    { hidden: true },
    button(t('web-next-question'), () => step(1), { class: 'primary' }),
  );
  const guardNext = inputGuard(nextBar);
  const undo = undoBar(store, (ids) => {
    for (const id of ids) endedHere.delete(id);
    const isInList = list.rows.focusedId !== null || ids.length > 1;
    if (isInList && narrow.matches) return;
    openQuestion(ids[0]);
    if (element && undoneHere.has(ids[0])) element.showNotice(t('web-undone'));
    if (isInList) list.rows.focusAt(list.rows.indexOf(ids[0]));
    else element?.focusFirst();
  });
  const actions = inboxActions(store, undo);
  const list = inboxList(store, {
    filter,
    currentId: openId,
    ended: () =>
      element?.data && wasListed && isEnded() && !element.isSentHere ? element.data : null,
    onOpen: openFromList,
    onFilter: () => draw(),
    onFocusMoved: (id) => keys.noteMovedFocus(id),
    onFocusLost: () => (undo.node.querySelector('button') ?? heading).focus(),
    skip: (inquiries) => act(inquiries, () => actions.skip(inquiries)),
    reject: (inquiries) => act(inquiries, () => actions.reject(inquiries)),
    snooze: chooseAndSnooze,
  });
  const pane = h(
    'div',
    { class: 'question-pane' },
    bar,
    context.node,
    current,
    placeholder,
    nextBar,
  );
  const node = h(
    'div',
    { class: 'inbox-page' },
    h('header', { class: 'inbox-head' }, back, heading, count, help),
    list.node,
    pane,
    undo.node,
  );
  /** @type {AskbackQuestion | null} */
  let element = null;
  /** Whether the open question was in the list when it was opened. */
  let wasListed = false;
  /** The question whose conversation is shown above it. @type {string | null} */
  let contextId = null;
  /** The question whose row has to be brought into view, once it is listed. @type {string | null} */
  let unrevealedId = null;
  /** Questions that a key or a button of the inbox ended. @type {Set<string>} */
  const endedHere = new Set();
  /** The question that has to be scrolled to, once it is drawn. @type {string | null} */
  let unscrolledId = null;
  let isDrawScheduled = false;

  function openId() {
    return element?.getAttribute('inquiry') ?? null;
  }

  /** Whether the open question has its outcome, or an answer that can be undone. */
  function isEnded() {
    const data = element?.data;
    return Boolean(data && (data.status !== 'pending' || data.held));
  }

  // Drawing

  /** @param {{ mayAdvance?: boolean }} [options] `mayAdvance`: an ended question may be replaced by the first pending one */
  function draw({ mayAdvance = false } = {}) {
    const selected = selectedId();
    const isReturn = !selected && node.dataset.pane === 'question' && narrow.matches;
    node.dataset.pane = selected ? 'question' : 'list';
    // On a phone the place in the list is the heading that one sees.
    heading.classList.toggle('visually-hidden', Boolean(selected) && narrow.matches);
    const isReplaceable = !element || (mayAdvance && isEnded());
    const first = !narrow.matches && isReplaceable ? filter.list()[0]?.id : null;
    const id = selected ?? first;
    if (id && openId() !== id) show(id);
    // A question that was opened by its address may be listed later.
    wasListed ||= store.pendingById.has(openId() ?? '');
    showContext();
    list.draw();
    revealOpened();
    drawCount();
    drawPosition();
    offerNext();
    const heldHere = store.heldHere.splice(0);
    if (heldHere.length > 0) undo.offerAnswers(heldHere, heldText(heldHere[heldHere.length - 1]));
    if (isReturn) focusLastOpened();
    scrollToOpened();
  }

  /** On a short screen, what stands above a question would leave no room for it. */
  function scrollToOpened() {
    if (!unscrolledId || (element?.dataset.state ?? 'loading') === 'loading') return;
    unscrolledId = null;
    if (narrow.matches && selectedId() && innerHeight < SHORT_PX) current.scrollIntoView();
  }

  /** Who asks is known when the question was read. */
  function showContext() {
    const inquiry = store.pendingById.get(openId() ?? '') ?? element?.data ?? null;
    // It is shown again when the question was handed on.
    const shown = inquiry && `${inquiry.id} ${inquiry.recipient}`;
    if (!inquiry || shown === contextId) return;
    contextId = shown;
    context.show(inquiry);
  }

  /** A question that was opened by its address may be far down, or listed later. */
  function revealOpened() {
    if (unrevealedId && list.rows.indexOf(unrevealedId) >= 0) list.rows.reveal(unrevealedId);
    else if (!store.isComplete) return;
    unrevealedId = null;
  }

  /** Back in the list, by whatever way: at the row of the question that was open. */
  function focusLastOpened() {
    const at = list.rows.indexOf(openId());
    if (at >= 0) list.rows.focusAt(at);
    else heading.focus();
  }

  /** Many events of one moment are drawn once. */
  function scheduleDraw() {
    if (isDrawScheduled) return;
    isDrawScheduled = true;
    queueMicrotask(() => {
      isDrawScheduled = false;
      if (node.isConnected) draw();
    });
  }

  function drawCount() {
    const { items } = list.rows;
    const all = store.waitingCount;
    const isEmpty = store.isComplete && all === 0 && !filter.showsSnoozed;
    const text = isEmpty
      ? ''
      : filter.isActive || filter.showsSnoozed
        ? t('inbox-listed', { count: items.length, all: store.waitingText })
        : store.isComplete
          ? t('inbox-count', { count: all })
          : t('inbox-listed', { count: all, all: store.waitingText });
    if (count.textContent !== text) count.textContent = text;
  }

  function drawPosition() {
    const { items } = list.rows;
    const at = list.rows.indexOf(openId());
    const text = at < 0 ? '' : t('inbox-position', { index: at + 1, count: items.length });
    if (position.textContent !== text) position.textContent = text;
    previous.disabled = at === 0 || items.length === 0;
    next.disabled = at === items.length - 1 || items.length === 0;
    snoozeButton.hidden = !openId() || !store.pendingById.has(openId() ?? '');
    bar.hidden = context.node.hidden = !element;
    drawPlaceholder();
  }

  /** In place of a question: nothing is open, or nothing waits at all. */
  function drawPlaceholder() {
    const isListAlone = !element || (narrow.matches && !selectedId());
    const isEmpty = store.isComplete && store.waitingCount === 0 && !filter.showsSnoozed;
    const nothingWaits = isEmpty && isListAlone;
    node.classList.toggle('nothing-waits', nothingWaits);
    node.classList.toggle('has-snoozed', store.pendingById.size > 0);
    placeholder.hidden = !nothingWaits;
    if (placeholder.hidden || placeholder.firstChild) return;
    import('./empty.js').then(
      ({ drawEmpty }) => drawEmpty(placeholder),
      () => {},
    );
  }

  /** Shows "Next question" below a question that has ended. */
  function offerNext() {
    const isOver =
      Boolean(element?.data) &&
      !element?.isOpen &&
      !['loading', 'sending', 'offline'].includes(element?.state ?? '');
    const isOffered = isOver && filter.list().some(({ id }) => id !== openId());
    if (isOffered && nextBar.hidden) guardNext();
    nextBar.hidden = !isOffered;
  }

  /** @param {string} id */
  function show(id) {
    unrevealedId = unscrolledId = id;
    element = newQuestion('inbox');
    const inquiry = store.pendingById.get(id) ?? null;
    wasListed = inquiry !== null;
    if (inquiry) element.inquiry = inquiry;
    else element.setAttribute('inquiry', id);
    current.replaceChildren(element);
    contextId = null;
    context.show(null);
    element.addEventListener('askback-resolved', handleAnswered);
    element.addEventListener('askback-held', handleAnswered);
    element.addEventListener('askback-state', handleState);
    element.addEventListener('askback-changed', handleChanged);
    element.addEventListener('askback-error', () => keys.noteMovedFocus());
    element.addEventListener('askback-leave', handleLeave);
    pane.scrollTop = 0;
    if (narrow.matches && selectedId()) scrollTo(0, 0);
  }

  // Moving

  /** @param {string} id */
  function openFromList(id) {
    openQuestion(id);
    list.rows.reveal(id);
    if (narrow.matches) element?.heading.focus();
  }

  /** @param {string} className @param {string} label @param {number} by */
  function stepButton(className, label, by) {
    return h(
      'button',
      {
        type: 'button',
        class: `icon-button ${className}`,
        'aria-label': label,
        onclick: () => step(by),
      },
      h('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
  }

  /** Opens the next or the previous question, with the focus in it. @param {number} by */
  function step(by) {
    const { items } = list.rows;
    const data = element?.data;
    const at = list.rows.indexOf(openId());
    const from = at < 0 && data ? positionIn(items, data, filter.order) - (by > 0 ? 1 : 0) : at;
    const following = items[from + by] ?? (isEnded() && items.find(({ id }) => id !== openId()));
    if (!following) return;
    openAndFocus(following.id);
  }

  /** @param {string} id */
  function openAndFocus(id) {
    openQuestion(id);
    list.rows.reveal(id);
    element?.focusFirst();
  }

  /** The question after this one in the list; after the last one, the first. @param {Inquiry} inquiry */
  function following(inquiry) {
    const listed = filter.list().filter(({ id }) => id !== inquiry.id);
    return listed[positionIn(listed, inquiry, filter.order)] ?? listed[0];
  }

  /**
   * Does something to questions from the list. If that takes the open one away, the next one is opened.
   * @param {Inquiry[]} inquiries
   * @param {() => Promise<void>} action
   */
  async function act(inquiries, action) {
    undo.clear();
    for (const { id } of inquiries) endedHere.add(id);
    const open = inquiries.find(({ id }) => id === openId());
    const hadListFocus = list.rows.focusedId !== null || document.activeElement === document.body;
    const at = list.rows.indexOf(inquiries[0]?.id);
    await action();
    if (open && openId() === open.id && !isWaiting(open.id)) {
      const ids = new Set(inquiries.map(({ id }) => id));
      const listed = filter.list().filter(({ id }) => !ids.has(id));
      const next = listed[positionIn(listed, open, filter.order)] ?? listed[0];
      if (next && !narrow.matches) openQuestion(next.id);
      else if (next && selectedId()) openAndFocus(next.id);
      if (next && !hadListFocus) {
        element?.focusFirst();
        keys.noteMovedFocus();
      }
    }
    if (hadListFocus && list.rows.focusedId === null && list.rows.items.length > 0)
      list.rows.focusAt(Math.max(at, 0));
  }

  /** @param {string} id */
  const isWaiting = (id) => store.pendingById.has(id) && !store.snoozes.has(id);

  /** @param {Inquiry[]} inquiries */
  function chooseAndSnooze(inquiries) {
    if (inquiries.length === 0) return;
    withDialogs(({ chooseSnooze }) =>
      chooseSnooze(node, inquiries, (until) => {
        list.clearMarks();
        act(inquiries, () => actions.snooze(inquiries, until));
      }),
    );
  }

  const showKeys = () => withDialogs((dialogs) => dialogs.showKeys(node));

  function snoozeOpen() {
    const inquiry = store.pendingById.get(openId() ?? '');
    if (inquiry) chooseAndSnooze([inquiry]);
  }

  // Events

  /** @param {Event} event */
  function handleAnswered(event) {
    const { inquiry, hadFocus, byUser } =
      /** @type {CustomEvent<{ inquiry: Inquiry, hadFocus: boolean, byUser: boolean }>} */ (event)
        .detail;
    store.applyInquiry(inquiry);
    scheduleDraw();
    if (!byUser) return;
    undo.clear();
    // Whoever has opened another question before the reply came stays there.
    if (event.target === element) {
      const after = following(inquiry);
      const mayMove = hadFocus || document.activeElement === document.body;
      if (!mayMove || !after) return;
      openAndFocus(after.id);
      keys.noteMovedFocus();
      event.preventDefault();
    }
    undo.offerAnswers([inquiry], heldText(inquiry));
  }

  /** Somebody else may have ended the question while the user types. */
  function handleState() {
    scheduleDraw();
    if (element?.state === 'sending') undo.clear();
    const wasFocused = Boolean(element?.root.activeElement);
    if (wasFocused && isEnded() && !element?.isSentHere && !endedHere.has(openId() ?? ''))
      keys.noteChange();
  }

  /** Esc leads from the question to its row, in one step. @param {Event} event */
  function handleLeave(event) {
    if (narrow.matches || list.rows.indexOf(openId()) < 0) return;
    event.preventDefault();
    list.rows.focusAt(list.rows.indexOf(openId()));
  }

  /** The deadline was moved: the list shows it too. @param {Event} event */
  function handleChanged(event) {
    const { inquiry } = /** @type {CustomEvent<{ inquiry: Inquiry }>} */ (event).detail;
    store.applyInquiry(inquiry);
    scheduleDraw();
  }

  const keys = inboxKeys({
    page: node,
    list,
    isNarrow: () => narrow.matches,
    openId,
    element: () => element,
    openQuestion,
    step: (by) => {
      step(by);
      element?.heading.focus();
    },
    backToList: closeQuestion,
    pendingOf: (id) => (isEndedRow(id) ? null : (store.pendingById.get(id) ?? null)),
    skip: (inquiries) => act(inquiries, () => actions.skip(inquiries)),
    snooze: chooseAndSnooze,
    undo: () => {
      const heldHere = element?.root.querySelector('.undo');
      if (undo.isOffered()) undo.undo();
      else if (heldHere instanceof HTMLElement) heldHere.click();
    },
    showKeys,
  });

  /** @param {string} id */
  const isEndedRow = (id) => id === openId() && isEnded();

  const handleResize = () => draw();
  store.addEventListener('pending', scheduleDraw);
  store.addEventListener('conversations', scheduleDraw);
  narrow.addEventListener('change', handleResize);
  // Once it is in the page: rows are measured.
  queueMicrotask(() => draw());
  return {
    node,
    heading,
    draw: () => draw({ mayAdvance: true }),
    element: () => element,
    destroy() {
      store.removeEventListener('pending', scheduleDraw);
      store.removeEventListener('conversations', scheduleDraw);
      narrow.removeEventListener('change', handleResize);
      keys.destroy();
      undo.destroy();
      context.destroy();
      list.destroy();
    },
  };
}
