// The keys of the inbox. They work anywhere on its page, except in text fields. Outside of the list they
// can be turned off in the settings (WCAG 2.1.4). None acts while somebody types (typing-guard.js), and a letter
// that others follow is the beginning of an answer (typed-letters.js).

import { isSendKey } from '../lib/dom.js';
import { hasDigits } from '../shell/preferences.js';
import { typedLetters } from './typed-letters.js';
import { typingGuard } from './typing-guard.js';
import { isCharacter, QUIET_MS, takesText } from '../lib/input-guard.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { inboxList } from './list.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** What answers, skips or stops: not within a moment after the focus moved by itself. */
const ACTING = /^[srz1-9]$|^Enter$/;
/** Keys that may repeat while they are held down. */
const MOVES = ['j', 'k', 'ArrowDown', 'ArrowUp'];

/**
 * @param {{
 *   page: HTMLElement,
 *   list: ReturnType<typeof inboxList>,
 *   isNarrow: () => boolean,
 *   openId: () => string | null,
 *   element: () => AskbackQuestion | null,
 *   openQuestion: (id: string) => void,
 *   step: (by: number) => void,
 *   backToList: () => void,
 *   pendingOf: (id: string) => Inquiry | null,
 *   skip: (inquiries: Inquiry[]) => void,
 *   snooze: (inquiries: Inquiry[]) => void,
 *   undo: () => void,
 *   showKeys: () => void,
 * }} inbox
 */
export function inboxKeys(inbox) {
  const { page, list } = inbox;
  const { rows } = list;
  const guard = typingGuard();
  const letters = typedLetters(write);
  /** Where the focus went without the user: to this row, or to the question if it is empty. */
  let movedFocus = { to: '', at: Number.NEGATIVE_INFINITY };

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.defaultPrevented) return;
    const [target] = event.composedPath();
    const isHere =
      event.target === document.body || page.contains(/** @type {Node} */ (event.target));
    if (!isHere || document.querySelector('dialog[open]')) return;
    // What is shown is sent, also after a reload, when nothing has the focus.
    if (isSendKey(event) && event.target === document.body) return sendShown(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (takesText(target)) {
      if (event.key === 'Escape' && target === list.search) list.focusCurrent();
      return;
    }
    // A confirmation has keys of its own.
    if (target instanceof Element && target.closest('.confirm')) return;
    const isTyping = guard.isTyping(event);
    const rowId = rows.focusedId;
    if (rowId === null && !hasDigits()) return;
    const wanted = actionFor(event, rowId, target);
    const isLetter = isCharacter(event) && /\p{L}/u.test(event.key);
    if (!(wanted || isLetter) || (event.repeat && !MOVES.includes(event.key))) return;
    const isStray = isTyping || isMisdirected(event, rowId);
    const action = isTyping || (isStray && ACTING.test(event.key)) ? null : wanted;
    event.preventDefault();
    if (!action && /^\d$/.test(event.key)) inbox.element()?.showTooEarly();
    if (isLetter) letters.handle(event, isStray ? null : (rowId ?? shownId()), action);
    else if (!letters.isContinuedBy(event)) action?.();
  }

  /** The open question, if it is in view: on a narrow screen it is hidden beside the list. */
  const shownId = () => (inbox.element()?.checkVisibility() ? inbox.openId() : null);

  /** @param {KeyboardEvent} event */
  function sendShown(event) {
    const element = inbox.element();
    if (shownId() && !element?.hasAttribute('data-guarded')) element?.form?.keys(event);
  }

  /** Letters that follow each other are an answer in own words, if the question takes one. @param {string} id @param {string} text */
  function write(id, text) {
    if (inbox.pendingOf(id)?.questions.some((question) => question.own_text))
      openThen(id, (element) => writeOwn(element, text));
  }

  /** Goes on with an answer in own words, if the question that is shown takes one. @param {AskbackQuestion} element @param {string} text */
  async function writeOwn(element, text) {
    // A draft must not be overwritten by what goes on with it.
    await element.restoredDraft;
    const at = element.form?.at ?? 0;
    if (!element.data?.questions[at]?.own_text) return;
    const written = element.draft.entries[at].own ?? '';
    element.edit({ edit: 'write', field: 'own', text: written + text });
    element.form?.field?.target(element.draft.entries[at]).focus();
  }

  /** Whether the key was meant for what was here a moment ago. @param {KeyboardEvent} event @param {string | null} rowId */
  const isMisdirected = (event, rowId) =>
    ((rowId ?? '') === movedFocus.to && event.timeStamp - movedFocus.at < QUIET_MS) ||
    (rowId === null && Boolean(inbox.element()?.hasAttribute('data-guarded')));

  /**
   * @param {KeyboardEvent} event
   * @param {string | null} rowId the row that has the focus
   * @param {EventTarget} target
   * @returns {(() => void) | null}
   */
  function actionFor({ key }, rowId, target) {
    const id = rowId ?? shownId();
    switch (key) {
      case 'j':
      case 'k':
        return () => move(rowId, key === 'j' ? 1 : -1);
      case 'ArrowDown':
      case 'ArrowUp':
        return rowId ? () => move(rowId, key === 'ArrowDown' ? 1 : -1) : null;
      case 'Home':
      case 'End':
        return rowId ? () => moveTo(key === 'Home' ? 0 : rows.items.length - 1) : null;
      case 's':
        return list.hasMarks()
          ? () => list.confirmMarked('skip')
          : onShown(id, () => inbox.skip(pendingOf(id)));
      case 'z':
        return list.hasMarks()
          ? () => inbox.snooze(list.marked())
          : onShown(id, () => inbox.snooze(pendingOf(id)));
      case 'r':
        return () => {
          if (list.hasMarks()) list.confirmMarked('reject');
          else if (id && inbox.pendingOf(id)) openThen(id, confirmReject);
        };
      case 'x':
        return id && inbox.pendingOf(id) ? () => list.toggleMark(id) : null;
      case 'a':
        return () => list.toggleAll();
      case 'u':
        return inbox.undo;
      case '/':
        return () => list.search.focus();
      case '?':
        return inbox.showKeys;
      case 'Escape':
        return leave(rowId, target);
      case 'Enter':
        if (!id || !(rowId || target === document.body)) return null;
        return () => openThen(id, (element) => element.focusFirst());
      case getComputedStyle(page).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight':
        return rowId ? () => openThen(rowId, (element) => element.focusFirst()) : null;
      default:
        return /^[1-9]$/.test(key) && hasDigits() && id && !isInForm(target)
          ? () => pick(id, Number(key) - 1)
          : null;
    }
  }

  /** Acts on a question that is in view. One that is not is opened, as beside another after a search. @param {string | null} id @param {() => void} action */
  const onShown = (id, action) => () => {
    if (!id || id === inbox.openId() || inbox.isNarrow()) action();
    else inbox.openQuestion(id);
  };

  /** In a form, digits are the form's. @param {EventTarget} target */
  const isInForm = (target) => target instanceof Element && target.closest('form') !== null;

  /** @param {string | null} rowId @param {EventTarget} target @returns {(() => void) | null} */
  function leave(rowId, target) {
    if (isInForm(target)) return null;
    if (list.hasMarks()) return () => list.clearMarks();
    if (rowId) return null;
    return inbox.isNarrow() ? inbox.backToList : () => list.focusCurrent();
  }

  /**
   * Moves in the list, and opens the question beside it. The focus is in the list from then on, so that no
   * key of this kind lands in a field.
   * @param {string | null} rowId
   * @param {number} by
   */
  function move(rowId, by) {
    const from = rows.indexOf(rowId ?? inbox.openId());
    // On a narrow screen the list is not in view beside a question.
    if (!rowId && from >= 0 && inbox.isNarrow()) inbox.step(by);
    else if (from >= 0) moveTo(from + by);
    else list.focusCurrent();
  }

  /** @param {number} at */
  function moveTo(at) {
    const id = rows.focusAt(at);
    movedFocus.at = Number.NEGATIVE_INFINITY;
    if (id && !inbox.isNarrow() && id !== inbox.openId()) inbox.openQuestion(id);
  }

  /** The question, if it is pending. @param {string | null} id */
  function pendingOf(id) {
    const inquiry = id && inbox.pendingOf(id);
    return inquiry ? [inquiry] : [];
  }

  /** @param {string} id @param {number} row */
  function pick(id, row) {
    if (!inbox.pendingOf(id)) return;
    const isSeen = id === shownId() && !inbox.element()?.hasAttribute('data-guarded');
    openThen(id, (element) => {
      if (element.pickChoice(row, { isSeen })) element.focusFirst();
    });
  }

  /** @param {AskbackQuestion} element */
  function confirmReject(element) {
    // The confirmation, which may be open already, has a button of this class, too.
    const stop = element.form?.node.querySelector('.danger[aria-haspopup]');
    if (!stop) return;
    element.focusFirst();
    stop.dispatchEvent(new MouseEvent('click'));
  }

  /** Opens a question and acts on it once its form is drawn. @param {string} id @param {(element: AskbackQuestion) => void} action */
  function openThen(id, action) {
    inbox.openQuestion(id);
    const element = inbox.element();
    if (!element) return;
    if (element.form || !['loading', 'asked'].includes(element.state)) action(element);
    else
      element.addEventListener('askback-state', () => queueMicrotask(() => action(element)), {
        once: true,
      });
  }

  document.addEventListener('keydown', handleKey);
  return {
    /** Call it when the focus moved without the user: to a row, or to the open question. @param {string} [id] */
    noteMovedFocus: (id = '') => {
      movedFocus = { to: id, at: performance.now() };
    },
    noteChange: guard.noteChange,
    destroy() {
      document.removeEventListener('keydown', handleKey);
      guard.destroy();
      letters.destroy();
    },
  };
}
