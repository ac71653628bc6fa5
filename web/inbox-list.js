// The list of pending questions of all agents. While the focus is in it: j and k move, Enter opens,
// digits choose, s skips, r rejects, x marks several for s and r, u undoes.

import { UNDO_SECONDS_MIN } from './answer-sender.js';
import { confirmInPlace } from './confirm.js';
import { bdi, h } from './dom.js';
import { formatAge, formatList, formatTime, t } from './i18n.js';
import { GUARD_MS, inputGuard } from './input-guard.js';
import { hasDigits, undoSeconds } from './preferences.js';

/** Loaded with the first answer that can be undone. */
export const loadUndo = () => import('./undo.js');

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** @param {Inquiry} inquiry */
export const nameOf = (inquiry) =>
  inquiry.questions[0]?.header ?? inquiry.questions[0]?.text ?? inquiry.id;

/**
 * @param {Store} store
 * @param {{
 *   openQuestion: (id: string) => Promise<void>,
 *   selectedId: () => string | null,
 *   openElement: () => AskbackQuestion | null,
 *   announce: (text: string) => void,
 * }} options
 */
export function inboxList(store, { openQuestion, selectedId, openElement, announce }) {
  const list = h('ul', { class: 'inbox', onkeydown: handleKey });
  const undoBar = h('div', {
    class: 'undo-bar',
    hidden: true,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'u') undo();
    },
  });
  const guardUndo = inputGuard(undoBar);
  const node = h('div', {}, list, undoBar, h('p', { class: 'hint keys' }, t('web-inbox-keys')));
  /** @type {Set<string>} */
  const marked = new Set();
  /** Ids of the answers that were sent last and can be undone. @type {string[]} */
  let undoable = [];
  /** Where and when the focus moved because its row was removed. */
  let movedFocus = { to: '', at: Number.NEGATIVE_INFINITY };

  const links = () => [...list.querySelectorAll('a')];

  function draw() {
    const focusedAt = links().findIndex((link) => link.matches(':focus'));
    const focusedId = links()[focusedAt]?.dataset.id;
    const { pending } = store;
    list.replaceChildren(...pending.map(row));
    if (pending.length === 0) list.replaceChildren(h('li', { class: 'hint' }, t('inbox-empty')));
    if (!focusedId) return;
    const same = links().find((link) => link.dataset.id === focusedId);
    const neighbour = links()[Math.min(focusedAt, pending.length - 1)];
    (same ?? neighbour ?? undoBar.querySelector('button'))?.focus();
    if (!same) movedFocus = { to: neighbour?.dataset.id ?? '', at: performance.now() };
  }

  /** @param {Inquiry} inquiry */
  function row(inquiry) {
    const { id, source, expires_at, asked_at, questions } = inquiry;
    const time = expires_at
      ? t('web-deadline', { time: formatTime(expires_at) })
      : formatAge(asked_at);
    return h(
      'li',
      {},
      h(
        'a',
        {
          href: `/inbox#${id}`,
          'data-id': id,
          'aria-current': selectedId() === id ? 'true' : undefined,
          class: marked.has(id) ? 'marked' : undefined,
          onclick: (/** @type {MouseEvent} */ event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            openQuestion(id);
          },
        },
        marked.has(id) && h('span', { class: 'tick' }, '✔'),
        bdi(nameOf(inquiry), 'name'),
        questions[0]?.header && h('span', { class: 'preview', dir: 'auto' }, questions[0].text),
        h('span', { class: 'meta' }, source && bdi(source), h('span', {}, time)),
      ),
    );
  }

  /** What a key does with the row that has the focus. @param {string} key @param {string} id @returns {(() => void) | null} */
  function actionFor(key, id) {
    const at = links().findIndex((link) => link.dataset.id === id);
    const focusRow = (/** @type {number} */ to) =>
      links()[Math.min(Math.max(to, 0), links().length - 1)].focus();
    switch (key) {
      case 'j':
        return () => focusRow(at + 1);
      case 'k':
        return () => focusRow(at - 1);
      case 'Enter':
        return () => openThen(id, (element) => element.focusFirst());
      case 's':
        return () => skip(id);
      case 'r':
        return () => (marked.size > 0 ? confirmRejectMarked() : openThen(id, confirmReject));
      case 'x':
        return () => toggleMark(id);
      case 'u':
        return undo;
      default:
        if (!/^[1-9]$/.test(key) || !hasDigits()) return null;
        return () =>
          openThen(id, (element) => {
            if (element.pickChoice(Number(key) - 1)) element.focusFirst();
          });
    }
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLAnchorElement))
      return;
    const id = target.dataset.id ?? '';
    const action = actionFor(key, id);
    const isMove = 'jk'.includes(key);
    if (!action || (event.repeat && !isMove)) return;
    event.preventDefault();
    // After its row was removed, a key was meant for the question that is gone.
    const isMisdirected = id === movedFocus.to && event.timeStamp - movedFocus.at < GUARD_MS;
    if (isMove || 'ux'.includes(key) || !isMisdirected) action();
  }

  /** @param {string} id */
  function toggleMark(id) {
    if (!marked.delete(id)) marked.add(id);
    announce(t('inbox-marked', { count: marked.size }));
    draw();
  }

  /** @param {AskbackQuestion} element */
  function confirmReject(element) {
    element.focusFirst();
    element.form?.node.querySelector('.danger')?.dispatchEvent(new MouseEvent('click'));
  }

  /** Opens a question and acts on it once its form is drawn. @param {string} id @param {(element: AskbackQuestion) => void} action */
  async function openThen(id, action) {
    await openQuestion(id);
    const element = openElement();
    if (!element) return;
    if (element.form || !['loading', 'asked'].includes(element.state)) action(element);
    else
      element.addEventListener('askback-state', () => queueMicrotask(() => action(element)), {
        once: true,
      });
  }

  /** Takes the marked questions, or this one if none is marked. @param {string} id */
  function takeMarked(id) {
    const ids = marked.size > 0 ? [...marked] : [id];
    marked.clear();
    return ids.flatMap((each) => store.pendingById.get(each) ?? []);
  }

  /** A single key is easily pressed by mistake, so this can always be undone. @param {string} path @param {Record<string, unknown>} body @param {Inquiry} inquiry */
  const post = (path, body, { revision }) =>
    store.client
      .post(path, {
        ...body,
        revision,
        undo_seconds: Math.max(undoSeconds('inbox'), UNDO_SECONDS_MIN),
      })
      .catch((/** @type {Error} */ error) => {
        announce(error.message);
        return null;
      });

  /** Skips a question, or declines it if it cannot be skipped. @param {string} id */
  async function skip(id) {
    const inquiries = takeMarked(id);
    const replies = await Promise.all(
      inquiries.map((inquiry) => {
        const canSkip = inquiry.questions.every(({ skippable }) => skippable);
        const answers = Object.fromEntries(
          inquiry.questions.map((question) => [question.id, { skipped: true }]),
        );
        return post(
          `/inquiries/${inquiry.id}/${canSkip ? 'answer' : 'decline'}`,
          canSkip ? { answers } : {},
          inquiry,
        );
      }),
    );
    offerUndo(replies, t('resolved-skipped', { name: formatList(inquiries.map(nameOf)) }));
  }

  /** One confirmation for all marked questions. */
  function confirmRejectMarked() {
    const placeholder = h('div', {});
    undoBar.hidden = false;
    undoBar.replaceChildren(placeholder);
    const close = () => {
      undoBar.hidden = true;
      links()[0]?.focus();
    };
    confirmInPlace(placeholder, {
      question: t('inbox-reject-marked', { count: marked.size }),
      keep: t('web-keep-open'),
      confirm: t('inbox-reject-marked-confirm', { count: marked.size }),
      onKeep: close,
      onConfirm: () => {
        const inquiries = takeMarked('');
        close();
        draw();
        reject(inquiries);
      },
    });
  }

  /** @param {Inquiry[]} inquiries */
  async function reject(inquiries) {
    await Promise.all(
      inquiries.map((inquiry) =>
        post(
          `/conversations/${inquiry.conversation_id}/reject`,
          { inquiry_id: inquiry.id },
          inquiry,
        ),
      ),
    );
    // The replies are conversations: read the inquiries.
    const now = await Promise.all(
      inquiries.map(({ id }) => store.client.inquiry(id).catch(() => null)),
    );
    offerUndo(
      now.filter((each) => each?.held || each?.status === 'rejected'),
      t('web-held'),
    );
  }

  /**
   * Announces what was sent, with an undo button. A reply is null if its request failed.
   * @param {(Inquiry | null)[]} replies
   * @param {string} text
   */
  async function offerUndo(replies, text) {
    const accepted = replies.flatMap((each) => each ?? []);
    if (accepted.length > 0) announce(text);
    for (const each of accepted) {
      if (each.held) store.applyHeld(each);
      else store.applyResolved(each);
    }
    const last = accepted.at(-1)?.held;
    if (!last) return;
    undoable = accepted.map(({ id }) => id);
    const { undoButton } = await loadUndo();
    undoBar.replaceChildren(
      h('span', {}, text),
      undoButton(last, undo, () => {
        undoBar.hidden = true;
      }),
    );
    guardUndo();
    undoBar.hidden = false;
    if (links().length === 0) undoBar.querySelector('button')?.focus();
  }

  async function undo() {
    const ids = [...undoable];
    const { undoAnswer } = await loadUndo();
    for (const id of ids) {
      const { inquiry, message, isLost } = await undoAnswer(store.client, id);
      announce(message);
      if (isLost) return;
      removeUndoable(id);
      if (inquiry) store.handleEvent({ type: 'inquiry_reopened', data: inquiry });
    }
    links()
      .find((link) => link.dataset.id === ids[0])
      ?.focus();
  }

  /** @param {string} id */
  function removeUndoable(id) {
    if (!undoable.includes(id)) return;
    undoable = undoable.filter((each) => each !== id);
    if (undoable.length === 0 && undoBar.querySelector('.undo')) undoBar.hidden = true;
  }

  const redraw = () => draw();
  const rememberSent = (/** @type {Event} */ event) => {
    undoable = [/** @type {CustomEvent<Inquiry>} */ (event).detail.id];
  };
  store.addEventListener('pending', redraw);
  store.addEventListener('sent', rememberSent);
  const unsubscribe = onUndoClosed(store, removeUndoable);
  draw();
  return {
    node,
    draw,
    destroy() {
      store.removeEventListener('pending', redraw);
      store.removeEventListener('sent', rememberSent);
      unsubscribe();
    },
  };
}

/**
 * Calls back when a held answer took effect or was undone, wherever that happened.
 * @param {Store} store
 * @param {(id: string) => void} callback
 */
export function onUndoClosed(store, callback) {
  const handleEvent = (/** @type {Event} */ event) => {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    if (['inquiry_reopened', 'inquiry_resolved'].includes(type)) callback(data.id);
  };
  store.addEventListener('feed', handleEvent);
  return () => store.removeEventListener('feed', handleEvent);
}
