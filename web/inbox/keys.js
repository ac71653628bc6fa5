// The keys of the inbox. They work anywhere on its page, except in text fields. Outside of the list they
// can be turned off in the settings (WCAG 2.1.4). None acts while somebody types (typing-guard.js), and a letter
// that others follow is the beginning of an answer (typed-letters.js).

import { deepActiveElement, isSendKey } from '../lib/dom.js';
import { hasDigits } from '../shell/preferences.js';
import { typedLetters } from './typed-letters.js';
import { typingGuard } from './typing-guard.js';
import { isCharacter, QUIET_MS, takesText } from '../lib/input-guard.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { InboxList } from './list.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** What answers, skips or stops: not within a moment after the focus moved by itself. */
const ACTING = /^[srz1-9]$|^Enter$/;
/** Keys that may repeat while they are held down. */
const MOVES = ['j', 'k', 'ArrowDown', 'ArrowUp'];

export class InboxKeys {
  /**
   * @param {{
   *   page: HTMLElement,
   *   list: InboxList,
   *   isNarrow: () => boolean,
   *   openId: () => string | null,
   *   element: () => AskbackQuestion | null,
   *   openQuestion: (id: string) => void,
   *   step: (by: number) => void,
   *   backToList: () => void,
   *   pendingOf: (id: string) => Inquiry | null,
   *   skip: (inquiries: Inquiry[]) => void,
   *   snooze: (inquiries: Inquiry[]) => void,
   *   undo: () => () => void,
   *   showKeys: () => void,
   * }} inbox
   * @param {AbortSignal} signal aborted when the page is left
   */
  constructor(inbox, signal) {
    this.inbox = inbox;
    this.page = inbox.page;
    this.list = inbox.list;
    this.rows = this.list.rows;
    this.guard = typingGuard(signal);
    this.letters = typedLetters(this.write, signal);
    /** Where the focus went without the user: to this row, or to the question if it is empty. */
    this.movedFocus = { to: '', at: Number.NEGATIVE_INFINITY };
    document.addEventListener('keydown', this.handleKey, { signal });
    this.noteChange = this.guard.noteChange;
  }

  /** @param {KeyboardEvent} event */
  handleKey = (event) => {
    if (event.defaultPrevented) return;
    const [target] = event.composedPath();
    if (!this.isHere(/** @type {Node} */ (event.target))) return;
    // What is shown is sent, also after a reload, when nothing has the focus.
    if (isSendKey(event) && event.target === document.body) return this.sendShown(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (takesText(target)) {
      if (event.key === 'Escape' && target === this.list.search) this.list.focusCurrent();
      return;
    }
    if (isInConfirmation(target)) return;
    const isTyping = this.guard.isTyping(event);
    const rowId = this.rows.focusedId;
    if (rowId === null && !hasDigits()) return;
    const wanted = this.actionFor(event, rowId, target);
    const isLetter = isCharacter(event) && /\p{L}/u.test(event.key);
    if (!(wanted || isLetter) || (event.repeat && !MOVES.includes(event.key))) return;
    const isStray = isTyping || this.isMisdirected(event, rowId);
    const action = isTyping || (isStray && ACTING.test(event.key)) ? null : wanted;
    event.preventDefault();
    if (!action && /^\d$/.test(event.key)) this.inbox.element()?.showTooEarly();
    if (isLetter) this.letters.handle(event, isStray ? null : (rowId ?? this.shownId()), action);
    else if (!this.letters.isContinuedBy(event)) action?.();
  };

  /** Whether keys are for the inbox. @param {Node} target */
  isHere = (target) =>
    (target === document.body || this.page.contains(target)) &&
    !document.querySelector('dialog[open]');

  /** Whether letters are keys of the inbox where the focus is. */
  areHeard = () => {
    const focused = deepActiveElement() ?? document.body;
    const isHere = this.isHere(document.activeElement ?? document.body);
    return isHere && !takesText(focused) && !isInConfirmation(focused);
  };

  /** The open question, if it is in view: on a narrow screen it is hidden beside the list. */
  shownId = () => (this.inbox.element()?.checkVisibility() ? this.inbox.openId() : null);

  /** @param {KeyboardEvent} event */
  sendShown = (event) => {
    const element = this.inbox.element();
    if (this.shownId() && !element?.hasAttribute('data-guarded')) element?.form?.keys(event);
  };

  /** Letters that follow each other are an answer in own words, if the question takes one. @param {string} id @param {string} text */
  write = (id, text) => {
    if (this.inbox.pendingOf(id)?.questions.some((question) => question.own))
      this.openThen(id, (element) => this.writeOwn(element, text));
  };

  /** Goes on with an answer in own words, if the question that is shown takes one. @param {AskbackQuestion} element @param {string} text */
  writeOwn = async (element, text) => {
    // A draft must not be overwritten by what goes on with it.
    await element.restoredDraft;
    const at = element.form?.at ?? 0;
    if (!element.data?.questions[at]?.own) return;
    const written = element.draft.entries[at].own ?? '';
    element.edit({ edit: 'write', field: 'own', text: written + text });
    element.form?.field?.target(element.draft.entries[at]).focus();
  };

  /** Whether the key was meant for what was here a moment ago. @param {KeyboardEvent} event @param {string | null} rowId */
  isMisdirected = (event, rowId) =>
    ((rowId ?? '') === this.movedFocus.to && event.timeStamp - this.movedFocus.at < QUIET_MS) ||
    (rowId === null && Boolean(this.inbox.element()?.hasAttribute('data-guarded')));

  /**
   * @param {KeyboardEvent} event
   * @param {string | null} rowId the row that has the focus
   * @param {EventTarget} target
   * @returns {(() => void) | null}
   */
  actionFor = ({ key }, rowId, target) => {
    const id = rowId ?? this.shownId();
    switch (key) {
      case 'j':
      case 'k':
        return () => this.move(rowId, key === 'j' ? 1 : -1);
      case 'ArrowDown':
      case 'ArrowUp':
        return rowId ? () => this.move(rowId, key === 'ArrowDown' ? 1 : -1) : null;
      case 'Home':
      case 'End':
        return rowId ? () => this.moveTo(key === 'Home' ? 0 : this.rows.items.length - 1) : null;
      case 's':
        return this.list.hasMarks()
          ? () => this.list.confirmMarked('skip')
          : this.onShown(id, () => this.inbox.skip(this.pendingOf(id)));
      case 'z':
        return this.list.hasMarks()
          ? () => this.inbox.snooze(this.list.marked())
          : this.onShown(id, () => this.inbox.snooze(this.pendingOf(id)));
      case 'r':
        return () => {
          if (this.list.hasMarks()) this.list.confirmMarked('reject');
          else if (id && this.inbox.pendingOf(id)) this.openThen(id, this.confirmReject);
        };
      case 'x':
        return id && this.inbox.pendingOf(id) ? () => this.list.toggleMark(id) : null;
      case 'a':
        return () => this.list.toggleAll();
      case 'u':
        return this.inbox.undo();
      case '/':
        return () => this.list.search.focus();
      case '?':
        return this.inbox.showKeys;
      case 'Escape':
        return this.leave(rowId, target);
      case 'Enter':
        if (!id || !(rowId || target === document.body)) return null;
        return () => this.openThen(id, (element) => element.focusFirst());
      case getComputedStyle(this.page).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight':
        return rowId ? () => this.openThen(rowId, (element) => element.focusFirst()) : null;
      default:
        return /^[1-9]$/.test(key) && hasDigits() && id && !this.isInForm(target)
          ? () => this.pick(id, Number(key) - 1)
          : null;
    }
  };

  /** Acts on a question that is in view. One that is not is opened, as beside another after a search. @param {string | null} id @param {() => void} action */
  onShown = (id, action) => () => {
    if (!id || id === this.inbox.openId() || this.inbox.isNarrow()) action();
    else this.inbox.openQuestion(id);
  };

  /** In a form, digits are the form's. @param {EventTarget} target */
  isInForm = (target) => target instanceof Element && target.closest('form') !== null;

  /** @param {string | null} rowId @param {EventTarget} target @returns {(() => void) | null} */
  leave = (rowId, target) => {
    if (this.isInForm(target)) return null;
    if (this.list.hasMarks()) return () => this.list.clearMarks();
    if (rowId) return null;
    return this.inbox.isNarrow() ? this.inbox.backToList : () => this.list.focusCurrent();
  };

  /**
   * Moves in the list, and opens the question beside it. The focus is in the list from then on, so that no
   * key of this kind lands in a field.
   * @param {string | null} rowId
   * @param {number} by
   */
  move = (rowId, by) => {
    const from = this.rows.indexOf(rowId ?? this.inbox.openId());
    // On a narrow screen the list is not in view beside a question.
    if (!rowId && from >= 0 && this.inbox.isNarrow()) this.inbox.step(by);
    else if (from >= 0) this.moveTo(from + by);
    else this.list.focusCurrent();
  };

  /** @param {number} at */
  moveTo = (at) => {
    const id = this.rows.focusAt(at);
    this.movedFocus.at = Number.NEGATIVE_INFINITY;
    if (id && !this.inbox.isNarrow() && id !== this.inbox.openId()) this.inbox.openQuestion(id);
  };

  /** The question, if it is pending. @param {string | null} id */
  pendingOf = (id) => {
    const inquiry = id && this.inbox.pendingOf(id);
    return inquiry ? [inquiry] : [];
  };

  /** @param {string} id @param {number} row */
  pick = (id, row) => {
    if (!this.inbox.pendingOf(id)) return;
    const isSeen = id === this.shownId() && !this.inbox.element()?.hasAttribute('data-guarded');
    this.openThen(id, (element) => {
      if (pickChoice(element, row, { isSeen })) element.focusFirst();
    });
  };

  /** @param {AskbackQuestion} element */
  confirmReject = (element) => {
    // The confirmation, which may be open already, has a button of this class, too.
    const stop = element.form?.node.querySelector('.danger[aria-haspopup]');
    if (!stop) return;
    element.focusFirst();
    stop.dispatchEvent(new MouseEvent('click'));
  };

  /** Opens a question and acts on it once its form is drawn. @param {string} id @param {(element: AskbackQuestion) => void} action */
  openThen = (id, action) => {
    this.inbox.openQuestion(id);
    const element = this.inbox.element();
    if (!element) return;
    if (element.form || !['loading', 'asked'].includes(element.state)) action(element);
    else
      element.addEventListener('askback-state', () => queueMicrotask(() => action(element)), {
        once: true,
      });
  };

  /** Call it when the focus moved without the user: to a row, or to the open question. @param {string} [id] */
  noteMovedFocus = (id = '') => {
    this.movedFocus = { to: id, at: performance.now() };
  };
}

/** Whether something is in a confirmation, which has keys of its own. @param {EventTarget} target */
const isInConfirmation = (target) =>
  target instanceof Element && target.closest('.confirm') !== null;

/**
 * Picks a choice of a single question, as a digit does. It is sent if a click would send it.
 * @param {AskbackQuestion} element
 * @param {number} row
 * @param {{ isSeen: boolean }} options a question that was not in view is not answered
 */
function pickChoice(element, row, { isSeen }) {
  const questions = element.data?.questions ?? [];
  if (questions.length !== 1 || !questions[0].choices?.[row]) return false;
  element.edit({ edit: 'close' });
  element.edit({ edit: 'mark', row });
  if (isSeen && !questions[0].several && element.form?.answersAtOnce) element.form.submitPage();
  return true;
}
