// The list of every question that waits, of all agents. It answers to the keyboard while the focus is in
// it: j and k move, Enter opens, digits choose, s skips, r rejects, x marks several, u takes back.

import { confirmIn } from './confirm.js';
import { bdi, h } from './dom.js';
import { GUARD_MS, guard } from './input-guard.js';
import { hasDigits, undoSeconds } from './preferences.js';
import { UNDO_SECONDS_MIN } from './answer-sender.js';
import { ago, clock, listed, t } from './i18n.js';

/** Loaded with the first answer that can be taken back. */
export const takingBack = () => import('./undo.js');

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** What a question is called in lists. @param {Inquiry} inquiry */
export const nameOf = (inquiry) =>
  inquiry.questions[0]?.header ?? inquiry.questions[0]?.text ?? inquiry.id;

/**
 * @param {Store} store
 * @param {{ open: (id: string) => void, selected: () => string | null, element: () => AskbackQuestion | null, say: (text: string) => void }} options
 */
export function inboxList(store, { open, selected, element, say }) {
  const list = h('ul', { class: 'inbox', onkeydown: keys });
  const note = h('div', {
    class: 'held',
    hidden: true,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'u') undo();
    },
  });
  const noteShown = guard(note);
  const node = h('div', {}, list, note, h('p', { class: 'hint keys' }, t('web-inbox-keys')));
  /** @type {Set<string>} */
  const marked = new Set();
  /** What was sent last and can be taken back. @type {string[]} */
  let held = [];
  /** The row that the focus moved to by itself, and when. */
  let moved = { to: '', at: Number.NEGATIVE_INFINITY };

  function draw() {
    const focused = /** @type {HTMLElement | null} */ (list.querySelector('a:focus'))?.dataset.id;
    const { pending } = store;
    const place = focused
      ? [...list.querySelectorAll('a')].findIndex((link) => link.dataset.id === focused)
      : -1;
    list.replaceChildren(...pending.map(row));
    if (pending.length === 0) list.replaceChildren(h('li', { class: 'hint' }, t('inbox-empty')));
    if (!focused) return;
    const links = [...list.querySelectorAll('a')];
    const same = links.find((link) => link.dataset.id === focused);
    (same ?? links[Math.min(place, links.length - 1)] ?? note.querySelector('button'))?.focus();
    // Its question is gone: what is pressed now was meant for that one.
    if (!same)
      moved = {
        to: links[Math.min(place, links.length - 1)]?.dataset.id ?? '',
        at: performance.now(),
      };
  }

  /** @param {Inquiry} inquiry */
  function row(inquiry) {
    const { id } = inquiry;
    const meta = [
      inquiry.source && bdi(inquiry.source),
      h(
        'span',
        {},
        inquiry.expires_at
          ? t('web-deadline', { time: clock(inquiry.expires_at) })
          : ago(inquiry.asked_at),
      ),
    ];
    return h(
      'li',
      {},
      h(
        'a',
        {
          href: `/inbox#${id}`,
          'data-id': id,
          'aria-current': selected() === id ? 'true' : undefined,
          class: marked.has(id) ? 'marked' : undefined,
          onclick: (/** @type {MouseEvent} */ event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            open(id);
          },
        },
        marked.has(id) && h('span', { class: 'tick' }, '✔'),
        bdi(nameOf(inquiry), 'name'),
        inquiry.questions[0]?.header &&
          h('span', { class: 'preview', dir: 'auto' }, inquiry.questions[0].text),
        h('span', { class: 'meta' }, meta),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(event.target instanceof HTMLAnchorElement)
    )
      return;
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(event.target);
    const id = event.target.dataset.id ?? '';
    const act =
      /** @type {Record<string, () => void>} */ ({
        j: () => links[Math.min(at + 1, links.length - 1)].focus(),
        k: () => links[Math.max(at - 1, 0)].focus(),
        Enter: () => show(id, (each) => each.focusFirst()),
        s: () => skip(id),
        r: () =>
          marked.size > 0
            ? rejectMarked()
            : show(id, (each) => {
                each.focusFirst();
                each.form?.node.querySelector('.danger')?.dispatchEvent(new MouseEvent('click'));
              }),
        x: () => {
          if (!marked.delete(id)) marked.add(id);
          say(t('inbox-marked', { count: marked.size }));
          draw();
        },
        u: undo,
      })[event.key] ??
      (/^[1-9]$/.test(event.key) && hasDigits()
        ? () =>
            show(id, (each) => {
              if (each.mark(Number(event.key) - 1)) each.focusFirst();
            })
        : null);
    const isMove = 'jk'.includes(event.key);
    if (!act || (event.repeat && !isMove)) return;
    event.preventDefault();
    if (
      isMove ||
      'ux'.includes(event.key) ||
      id !== moved.to ||
      event.timeStamp - moved.at >= GUARD_MS
    )
      act();
  }

  /** @param {string} id @param {(element: AskbackQuestion) => void} then */
  function show(id, then) {
    open(id);
    const each = element();
    if (!each) return;
    // A question that was just opened has no form before it is drawn.
    if (each.form || !['loading', 'asked'].includes(each.state)) then(each);
    else
      each.addEventListener('askback-state', () => queueMicrotask(() => then(each)), {
        once: true,
      });
  }

  /**
   * Says what was sent, with a way to take it back for a while.
   * @param {(Inquiry | null)[]} sent
   * @param {string} text
   */
  async function offerUndo(sent, text) {
    const taken = sent.flatMap((each) => each ?? []);
    if (taken.length > 0) say(text);
    for (const each of taken) {
      if (each.held) store.held(each);
      else store.resolved(each);
    }
    const last = taken.at(-1)?.held;
    if (!last) return;
    held = taken.map(({ id }) => id);
    const { undoButton } = await takingBack();
    note.replaceChildren(
      h('span', {}, text),
      undoButton(last, undo, () => {
        note.hidden = true;
      }),
    );
    noteShown();
    note.hidden = false;
    if (!list.querySelector('a')) note.querySelector('button')?.focus();
  }

  const markedOr = (/** @type {string} */ id) => {
    const ids = marked.size > 0 ? [...marked] : [id];
    marked.clear();
    return ids.flatMap((each) => store.waiting.get(each) ?? []);
  };

  /** One key is easily hit by mistake: what it sends can be undone, whatever was chosen for answers. @param {string} path @param {Record<string, unknown>} body @param {Inquiry} inquiry */
  const post = (path, body, { revision }) =>
    store.client
      .post(path, {
        ...body,
        revision,
        undo_seconds: Math.max(undoSeconds('inbox'), UNDO_SECONDS_MIN),
      })
      .catch((error) => {
        say(String(error.message));
        return null;
      });

  /** A question that can be skipped is; of any other the agent is told to go on without an answer. @param {string} id */
  async function skip(id) {
    const inquiries = markedOr(id);
    const sent = await Promise.all(
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
    offerUndo(sent, t('resolved-skipped', { name: listed(inquiries.map(nameOf)) }));
  }

  /** Rejecting stops agents: it asks once, for all that are marked. */
  function rejectMarked() {
    const box = h('div', {});
    note.hidden = false;
    note.replaceChildren(box);
    const done = () => {
      note.hidden = true;
      list.querySelector('a')?.focus();
    };
    confirmIn(box, {
      ask: t('inbox-reject-marked', { count: marked.size }),
      keep: t('web-keep-open'),
      act: t('inbox-reject-marked-confirm', { count: marked.size }),
      back: done,
      run: async () => {
        const inquiries = markedOr('');
        done();
        draw();
        await Promise.all(
          inquiries.map((inquiry) =>
            post(
              `/conversations/${inquiry.conversation_id}/reject`,
              { inquiry_id: inquiry.id },
              inquiry,
            ),
          ),
        );
        const now = await Promise.all(
          inquiries.map(({ id }) => store.client.inquiry(id).catch(() => null)),
        );
        offerUndo(
          now.filter((each) => each?.held || each?.status === 'rejected'),
          t('web-held'),
        );
      },
    });
  }

  async function undo() {
    const ids = [...held];
    const { takeBack } = await takingBack();
    for (const id of ids) {
      const { inquiry, words, isLost } = await takeBack(store.client, id);
      say(words);
      if (isLost) return;
      noLonger(id);
      if (inquiry) store.hear({ type: 'inquiry_reopened', data: inquiry });
    }
    /** @type {HTMLElement | null} */ (list.querySelector(`a[data-id="${ids[0]}"]`))?.focus();
  }

  /** It can be taken back no more, or was. @param {string} id */
  function noLonger(id) {
    if (!held.includes(id)) return;
    held = held.filter((each) => each !== id);
    if (held.length === 0 && note.querySelector('.undo')) note.hidden = true;
  }

  const redraw = () => draw();
  store.addEventListener('pending', redraw);
  const settled = whenSettled(store, noLonger);
  draw();
  const keep = (/** @type {Event} */ event) => {
    held = [/** @type {CustomEvent<Inquiry>} */ (event).detail.id];
  };
  store.addEventListener('sent', keep);
  return {
    node,
    draw,
    leave() {
      store.removeEventListener('pending', redraw);
      store.removeEventListener('sent', keep);
      settled();
    },
  };
}

/**
 * Tells of answers that took effect or were taken back, wherever that was done.
 * @param {Store} store
 * @param {(id: string) => void} then
 */
export function whenSettled(store, then) {
  const hear = (/** @type {Event} */ event) => {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    if (['inquiry_reopened', 'inquiry_resolved'].includes(type)) then(data.id);
  };
  store.addEventListener('feed', hear);
  return () => store.removeEventListener('feed', hear);
}
