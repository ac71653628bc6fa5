// The inbox page: the list and one question beside it; on a narrow screen the list, then the question.
// Another question is shown only when the user asks for it; a question that ends elsewhere stays and
// shows its outcome, here and in the list (rule A4 of docs/answering.md).

import { announce, button, div, h, ignore, p, span } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { heldText, inboxActions } from './actions.js';
import { inboxContext } from './context.js';
import { InboxFilter } from './filter.js';
import { InboxKeys } from './keys.js';
import { InboxList, setText } from './list.js';
import { inputGuard } from '../lib/input-guard.js';
import { undoneHere } from '../draft/outbox.js';
import { positionIn } from '../shell/pending.js';
import { newQuestion } from '../shell/preferences.js';
import { UndoBar } from './undo-bar.js';

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

export class InboxView {
  /**
   * @param {Store} store
   * @param {{
   *   selectedId: () => string | null,
   *   openQuestion: (id: string) => void,
   *   closeQuestion: () => void,
   * }} options
   */
  constructor(store, { selectedId, openQuestion, closeQuestion }) {
    this.store = store;
    this.selectedId = selectedId;
    this.openQuestion = openQuestion;
    this.closeQuestion = closeQuestion;
    this.narrow = matchMedia(NARROW);
    /** Aborted when the page is left: it ends what listens. */
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.filter = new InboxFilter(this.store);
    this.heading = h('h1', { tabindex: -1 }, t('inbox-title'));
    this.count = p('inbox-count');
    this.position = span('position');
    this.previous = this.stepButton('previous', t('web-previous-question'), -1);
    this.next = this.stepButton('next', t('web-next-question'), 1);
    this.snoozeButton = button([icon('clock'), t('inbox-snooze')], () => this.snoozeOpen(), {
      class: 'quiet',
    });
    this.bar = div('question-bar', this.previous, this.next, this.position, this.snoozeButton);
    this.context = inboxContext(this.store, signal);
    this.current = h('div', {});
    this.placeholder = div('placeholder');
    this.nextBar = h(
      'p',
      { hidden: true },
      button(t('web-next-question'), () => this.step(1), { class: 'primary' }),
    );
    this.guardNext = inputGuard(this.nextBar);
    this.undo = new UndoBar(
      this.store,
      { onUndone: this.handleUndone, isKey: () => this.keys.areHeard() },
      signal,
    );
    this.actions = inboxActions(this.store, this.undo);
    this.list = this.newList();
    this.pane = div(
      'question-pane',
      this.bar,
      this.context.node,
      this.current,
      this.placeholder,
      this.nextBar,
    );
    this.node = div('inbox-page', this.head(), this.list.node, this.pane, this.undo.node);
    /** @type {AskbackQuestion | null} */
    this.element = null;
    /** Whether the open question was in the list when it was opened. */
    this.wasListed = false;
    /** The question whose conversation is shown above it. @type {string | null} */
    this.contextId = null;
    /** The question whose row has to be brought into view, once it is listed. @type {string | null} */
    this.unrevealedId = null;
    /** Questions that a key or a button of the inbox ended. @type {Set<string>} */
    this.endedHere = new Set();
    /** The question that has to be scrolled to, once it is drawn. @type {string | null} */
    this.unscrolledId = null;
    this.isDrawScheduled = false;
    this.keys = this.newKeys();
    this.store.addEventListener('pending', this.scheduleDraw, { signal });
    this.store.addEventListener('conversations', this.scheduleDraw, { signal });
    this.narrow.addEventListener('change', () => this.redraw(), { signal });
    // Once it is in the page: rows are measured.
    queueMicrotask(() => this.redraw());
  }

  newList() {
    /** @type {import('./list.js').ListOptions} */
    const options = {
      filter: this.filter,
      currentId: this.openId,
      ended: () =>
        this.element?.data && this.wasListed && this.isEnded() && !this.element.isSentHere
          ? this.element.data
          : null,
      onOpen: this.openFromList,
      onFilter: () => this.redraw(),
      onFocusMoved: (id) => this.keys.noteMovedFocus(id),
      onFocusLost: () => (this.undo.node.querySelector('button') ?? this.heading).focus(),
      skip: this.skip,
      reject: (inquiries) => this.act(inquiries, () => this.actions.reject(inquiries)),
      snooze: this.chooseAndSnooze,
    };
    return new InboxList(this.store, options, this.leaving.signal);
  }

  newKeys() {
    /** @type {ConstructorParameters<typeof InboxKeys>[0]} */
    const inbox = {
      page: this.node,
      list: this.list,
      isNarrow: () => this.narrow.matches,
      openId: this.openId,
      element: () => this.element,
      openQuestion: this.openQuestion,
      step: (by) => {
        this.step(by);
        this.element?.heading.focus();
      },
      backToList: this.closeQuestion,
      pendingOf: (id) =>
        id === this.openId() && this.isEnded() ? null : (this.store.pendingById.get(id) ?? null),
      skip: this.skip,
      snooze: this.chooseAndSnooze,
      undo: () => {
        const offered = this.undo.offer();
        return () => {
          const heldHere = this.element?.root.querySelector('.undo');
          if (this.undo.isOffered) this.undo.undo();
          else if (heldHere instanceof HTMLElement) heldHere.click();
          else offered?.();
        };
      },
      showKeys: this.showKeys,
    };
    return new InboxKeys(inbox, this.leaving.signal);
  }

  /** The title, with the way back to the list on a narrow screen. */
  head() {
    const back = h(
      'a',
      {
        href: '/inbox',
        class: 'icon-button back',
        'aria-label': t('inbox-all'),
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.closeQuestion();
        },
      },
      h('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
    const help = button(icon('keyboard'), () => this.showKeys(), {
      class: 'icon-button',
      'aria-label': t('inbox-keys'),
    });
    return h('header', { class: 'inbox-head' }, back, this.heading, this.count, help);
  }

  /** @param {string[]} ids questions that are open again */
  handleUndone = (ids) => {
    for (const id of ids) this.endedHere.delete(id);
    const isInList = this.list.rows.focusedId !== null || ids.length > 1;
    if (isInList && this.narrow.matches) return;
    this.openQuestion(ids[0]);
    if (this.element && undoneHere.has(ids[0])) this.element.showNotice(t('web-undone'));
    if (isInList) this.list.rows.focusAt(this.list.rows.indexOf(ids[0]));
    else this.element?.focusFirst();
  };

  openId = () => this.element?.getAttribute('inquiry') ?? null;

  /** Whether the open question has its outcome, or an answer that can be undone. */
  isEnded = () => {
    const data = this.element?.data;
    return Boolean(data && (data.status !== 'pending' || data.held));
  };

  // Drawing

  /** @param {{ mayAdvance?: boolean }} [options] `mayAdvance`: an ended question may be replaced by the first pending one */
  redraw = ({ mayAdvance = false } = {}) => {
    const selected = this.selectedId();
    const isReturn = !selected && this.node.dataset.pane === 'question' && this.narrow.matches;
    this.node.dataset.pane = selected ? 'question' : 'list';
    // On a phone the place in the list is the heading that one sees.
    this.heading.classList.toggle('visually-hidden', Boolean(selected) && this.narrow.matches);
    const isReplaceable = !this.element || (mayAdvance && this.isEnded());
    const first = !this.narrow.matches && isReplaceable ? this.filter.list()[0]?.id : null;
    const id = selected ?? first;
    if (id && this.openId() !== id) this.show(id);
    // A question that was opened by its address may be listed later.
    this.wasListed ||= this.store.pendingById.has(this.openId() ?? '');
    this.showContext();
    this.list.draw();
    this.revealOpened();
    this.drawCount();
    this.drawPosition();
    this.offerNext();
    const heldHere = this.store.heldHere.splice(0);
    if (heldHere.length > 0)
      this.undo.offerAnswers(heldHere, heldText(heldHere[heldHere.length - 1]));
    if (isReturn) this.focusLastOpened();
    this.scrollToOpened();
  };

  /** On a short screen, what stands above a question would leave no room for it. */
  scrollToOpened = () => {
    if (!this.unscrolledId || (this.element?.dataset.state ?? 'loading') === 'loading') return;
    this.unscrolledId = null;
    if (this.narrow.matches && this.selectedId() && innerHeight < SHORT_PX)
      this.current.scrollIntoView();
  };

  /** Who asks is known when the question was read. */
  showContext = () => {
    const inquiry = this.store.pendingById.get(this.openId() ?? '') ?? this.element?.data ?? null;
    // It is shown again when the question was handed on.
    const shown = inquiry && `${inquiry.id} ${inquiry.recipient}`;
    if (!inquiry || shown === this.contextId) return;
    this.contextId = shown;
    this.context.show(inquiry);
  };

  /** A question that was opened by its address may be far down, or listed later. */
  revealOpened = () => {
    if (this.unrevealedId && this.list.rows.indexOf(this.unrevealedId) >= 0)
      this.list.rows.reveal(this.unrevealedId);
    else if (!this.store.isComplete) return;
    this.unrevealedId = null;
  };

  /** Back in the list, by whatever way: at the row of the question that was open. */
  focusLastOpened = () => {
    const at = this.list.rows.indexOf(this.openId());
    if (at >= 0) this.list.rows.focusAt(at);
    else this.heading.focus();
  };

  /** Many events of one moment are drawn once. */
  scheduleDraw = () => {
    if (this.isDrawScheduled) return;
    this.isDrawScheduled = true;
    queueMicrotask(() => {
      this.isDrawScheduled = false;
      if (this.node.isConnected) this.redraw();
    });
  };

  drawCount = () => {
    const { items } = this.list.rows;
    const all = this.store.waitingCount;
    const isEmpty = this.store.isComplete && all === 0 && !this.filter.showsSnoozed;
    const text = isEmpty
      ? ''
      : this.filter.isActive || this.filter.showsSnoozed
        ? t('inbox-listed', { count: items.length, all: this.store.waitingText })
        : this.store.isComplete
          ? t('inbox-count', { count: all })
          : t('inbox-listed', { count: all, all: this.store.waitingText });
    setText(this.count, text);
  };

  drawPosition = () => {
    const { items } = this.list.rows;
    const at = this.list.rows.indexOf(this.openId());
    const text = at < 0 ? '' : t('inbox-position', { index: at + 1, count: items.length });
    setText(this.position, text);
    this.previous.disabled = at === 0 || items.length === 0;
    this.next.disabled = at === items.length - 1 || items.length === 0;
    this.snoozeButton.hidden = !this.openId() || !this.store.pendingById.has(this.openId() ?? '');
    this.bar.hidden = this.context.node.hidden = !this.element;
    this.drawPlaceholder();
  };

  /** In place of a question: nothing is open, or nothing waits at all. */
  drawPlaceholder = () => {
    const isListAlone = !this.element || (this.narrow.matches && !this.selectedId());
    const isEmpty =
      this.store.isComplete && this.store.waitingCount === 0 && !this.filter.showsSnoozed;
    const nothingWaits = isEmpty && isListAlone;
    this.node.classList.toggle('nothing-waits', nothingWaits);
    this.node.classList.toggle('has-snoozed', this.store.pendingById.size > 0);
    this.placeholder.hidden = !nothingWaits;
    if (this.placeholder.hidden || this.placeholder.firstChild) return;
    import('./empty.js').then(({ drawEmpty }) => drawEmpty(this.placeholder), ignore);
  };

  /** Shows "Next question" below a question that has ended. */
  offerNext = () => {
    const isOver =
      Boolean(this.element?.data) &&
      !this.element?.isOpen &&
      !['loading', 'sending', 'offline'].includes(this.element?.state ?? '');
    const isOffered = isOver && this.filter.list().some(({ id }) => id !== this.openId());
    if (isOffered && this.nextBar.hidden) this.guardNext();
    this.nextBar.hidden = !isOffered;
  };

  /** @param {string} id */
  show = (id) => {
    this.unrevealedId = this.unscrolledId = id;
    this.element = newQuestion('inbox');
    const inquiry = this.store.pendingById.get(id) ?? null;
    this.wasListed = inquiry !== null;
    if (inquiry) this.element.inquiry = inquiry;
    else this.element.setAttribute('inquiry', id);
    this.current.replaceChildren(this.element);
    this.contextId = null;
    this.context.show(null);
    this.element.addEventListener('askback-resolved', this.handleAnswered);
    this.element.addEventListener('askback-held', this.handleAnswered);
    this.element.addEventListener('askback-state', this.handleState);
    this.element.addEventListener('askback-changed', this.handleChanged);
    this.element.addEventListener('askback-error', () => this.keys.noteMovedFocus());
    this.element.addEventListener('askback-leave', this.handleLeave);
    this.pane.scrollTop = 0;
    if (this.narrow.matches && this.selectedId()) scrollTo(0, 0);
  };

  // Moving

  /** @param {string} id */
  openFromList = (id) => {
    this.openQuestion(id);
    this.list.rows.reveal(id);
    if (this.narrow.matches) this.element?.heading.focus();
  };

  /** @param {string} className @param {string} label @param {number} by */
  stepButton = (className, label, by) =>
    button(h('span', { class: 'chevron', 'aria-hidden': 'true' }), () => this.step(by), {
      class: `icon-button ${className}`,
      'aria-label': label,
    });

  /** Opens the next or the previous question, with the focus in it. @param {number} by */
  step = (by) => {
    const { items } = this.list.rows;
    const data = this.element?.data;
    const at = this.list.rows.indexOf(this.openId());
    const from =
      at < 0 && data ? positionIn(items, data, this.filter.order) - (by > 0 ? 1 : 0) : at;
    const following =
      items[from + by] ?? (this.isEnded() && items.find(({ id }) => id !== this.openId()));
    if (!following) return;
    this.openAndFocus(following.id);
  };

  /** @param {string} id */
  openAndFocus = (id) => {
    this.openQuestion(id);
    this.list.rows.reveal(id);
    this.element?.focusFirst();
  };

  /** The question after this one in the list; after the last one, the first. @param {Inquiry} inquiry @param {Inquiry[]} ended */
  following = (inquiry, ended = [inquiry]) => {
    const ids = new Set(ended.map(({ id }) => id));
    const listed = this.filter.list().filter(({ id }) => !ids.has(id));
    return listed[positionIn(listed, inquiry, this.filter.order)] ?? listed[0];
  };

  /**
   * Does something to questions from the list. If that takes the open one away, the next one is opened.
   * @param {Inquiry[]} inquiries
   * @param {() => Promise<void>} action
   */
  act = async (inquiries, action) => {
    this.undo.clear();
    for (const { id } of inquiries) this.endedHere.add(id);
    const open = inquiries.find(({ id }) => id === this.openId());
    const hadListFocus =
      this.list.rows.focusedId !== null || document.activeElement === document.body;
    const at = this.list.rows.indexOf(inquiries[0]?.id);
    await action();
    if (open && this.openId() === open.id && !this.isWaiting(open.id)) {
      const next = this.following(open, inquiries);
      if (next && !this.narrow.matches) this.openQuestion(next.id);
      else if (next && this.selectedId()) this.openAndFocus(next.id);
      if (next && !hadListFocus) {
        this.element?.focusFirst();
        this.keys.noteMovedFocus();
      }
    }
    if (hadListFocus && this.list.rows.focusedId === null && this.list.rows.items.length > 0)
      this.list.rows.focusAt(Math.max(at, 0));
  };

  /** @param {Inquiry[]} inquiries */
  skip = (inquiries) => this.act(inquiries, () => this.actions.skip(inquiries));

  /** @param {string} id */
  isWaiting = (id) => this.store.pendingById.has(id) && !this.store.snoozes.has(id);

  /** @param {Inquiry[]} inquiries */
  chooseAndSnooze = (inquiries) => {
    if (inquiries.length === 0) return;
    withDialogs(({ chooseSnooze }) =>
      chooseSnooze(this.node, inquiries, (until) => {
        this.list.clearMarks();
        this.act(inquiries, () => this.actions.snooze(inquiries, until));
      }),
    );
  };

  showKeys = () => withDialogs((dialogs) => dialogs.showKeys(this.node));

  snoozeOpen = () => {
    const inquiry = this.store.pendingById.get(this.openId() ?? '');
    if (inquiry) this.chooseAndSnooze([inquiry]);
  };

  // Events

  /** @param {Event} event */
  handleAnswered = (event) => {
    const { inquiry, hadFocus, byUser } =
      /** @type {CustomEvent<{ inquiry: Inquiry, hadFocus: boolean, byUser: boolean }>} */ (event)
        .detail;
    this.store.applyInquiry(inquiry);
    this.scheduleDraw();
    if (!byUser) return;
    this.undo.clear();
    // Whoever has opened another question before the response came stays there.
    if (event.target === this.element) {
      const after = this.following(inquiry);
      const mayMove = hadFocus || document.activeElement === document.body;
      if (!mayMove || !after) return;
      this.openAndFocus(after.id);
      this.keys.noteMovedFocus();
      event.preventDefault();
    }
    this.undo.offerAnswers([inquiry], heldText(inquiry));
  };

  /** Somebody else may have ended the question while the user types. */
  handleState = () => {
    this.scheduleDraw();
    if (this.element?.state === 'sending') this.undo.clear();
    const wasFocused = Boolean(this.element?.root.activeElement);
    if (
      wasFocused &&
      this.isEnded() &&
      !this.element?.isSentHere &&
      !this.endedHere.has(this.openId() ?? '')
    )
      this.keys.noteChange();
  };

  /** Esc leads from the question to its row, in one step. @param {Event} event */
  handleLeave = (event) => {
    if (this.narrow.matches || this.list.rows.indexOf(this.openId()) < 0) return;
    event.preventDefault();
    this.list.rows.focusAt(this.list.rows.indexOf(this.openId()));
  };

  /** The deadline was moved: the list shows it too. @param {Event} event */
  handleChanged = (event) => {
    const { inquiry } = /** @type {CustomEvent<{ inquiry: Inquiry }>} */ (event).detail;
    this.store.applyInquiry(inquiry);
    this.scheduleDraw();
  };

  draw = () => this.redraw({ mayAdvance: true });

  destroy = () => this.leaving.abort();
}
