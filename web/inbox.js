// Every question that waits, of all agents. The list answers to the keyboard while the focus is in
// it: j and k move, Enter opens, digits choose, s skips, r rejects, x marks several, u takes back.

import { bdi, button, confirmIn, h } from './dom.js';
import { hasDigits, newQuestion } from './preferences.js';
import { ago, clock, listed, t } from './words.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** How long a skip from the list can be taken back, in milliseconds. */
const HOLD_MS = 5000;

/** What a question is called in lists. @param {Inquiry} inquiry */
export const nameOf = (inquiry) => inquiry.questions[0].header ?? inquiry.questions[0].text;

/**
 * @param {Store} store
 * @param {{ open: (id: string) => void, selected: () => string | null, element: () => AskbackQuestion | null, say: (text: string) => void }} options
 */
export function inboxList(store, { open, selected, element, say }) {
  const list = h('ul', { class: 'inbox', onkeydown: keys });
  const note = h('div', { class: 'held', hidden: true });
  const node = h('div', {}, list, note, h('p', { class: 'hint keys' }, t('web-inbox-keys')));
  /** @type {Set<string>} */
  const marked = new Set();
  /** @type {{ ids: string[], timer: ReturnType<typeof setTimeout>, run: () => void } | null} */
  let held = null;

  const shown = () => store.pending.filter(({ id }) => !held?.ids.includes(id));

  function draw() {
    const focused = /** @type {HTMLElement | null} */ (list.querySelector('a:focus'))?.dataset.id;
    const pending = shown();
    const place = focused ? [...list.querySelectorAll('a')].findIndex((link) => link.dataset.id === focused) : -1;
    list.replaceChildren(...pending.map(row));
    if (pending.length === 0) list.replaceChildren(h('li', { class: 'hint' }, t('inbox-empty')));
    if (!focused) return;
    const links = [...list.querySelectorAll('a')];
    (links.find((link) => link.dataset.id === focused) ?? links[Math.min(place, links.length - 1)])?.focus();
  }

  /** @param {Inquiry} inquiry */
  function row(inquiry) {
    const { id } = inquiry;
    const meta = [inquiry.source && bdi(inquiry.source), h('span', {}, inquiry.expires_at ? t('web-deadline', { time: clock(inquiry.expires_at) }) : ago(inquiry.asked_at))];
    return h('li', {}, h('a', {
      href: `/inbox#${id}`, 'data-id': id, 'aria-current': selected() === id ? 'true' : undefined, class: marked.has(id) ? 'marked' : undefined,
      onclick: (/** @type {MouseEvent} */ event) => { if (event.metaKey || event.ctrlKey) return; event.preventDefault(); open(id); },
    }, marked.has(id) && h('span', { class: 'tick' }, '✔'), bdi(nameOf(inquiry), 'name'),
    inquiry.questions[0].header && h('span', { class: 'preview', dir: 'auto' }, inquiry.questions[0].text), h('span', { class: 'meta' }, meta)));
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLAnchorElement)) return;
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(event.target);
    const id = event.target.dataset.id ?? '';
    const act = /** @type {Record<string, () => void>} */ ({
      j: () => links[Math.min(at + 1, links.length - 1)].focus(),
      k: () => links[Math.max(at - 1, 0)].focus(),
      Enter: () => show(id, (each) => each.focusFirst()),
      s: () => hold(id, 'skip'),
      r: () => (marked.size > 0 ? rejectMarked() : show(id, (each) => { each.focusFirst(); each.form?.node.querySelector('.danger')?.dispatchEvent(new MouseEvent('click')); })),
      x: () => { if (!marked.delete(id)) marked.add(id); say(t('inbox-marked', { count: marked.size })); draw(); },
      u: undo,
    })[event.key] ?? (/^[1-9]$/.test(event.key) && hasDigits() ? () => show(id, (each) => { if (each.mark(Number(event.key) - 1)) each.focusFirst(); }) : null);
    if (!act || (event.repeat && !'jk'.includes(event.key))) return;
    event.preventDefault();
    act();
  }

  /** @param {string} id @param {(element: AskbackQuestion) => void} then */
  function show(id, then) {
    open(id);
    const each = element();
    if (!each) return;
    // A question that was just opened has no form before it is drawn.
    if (each.form || !['loading', 'asked'].includes(each.state)) then(each);
    else each.addEventListener('askback-state', () => queueMicrotask(() => then(each)), { once: true });
  }

  /**
   * Skips after a while in which it can be taken back; with marked ones, all of them.
   * @param {string} id
   * @param {'skip'} way
   */
  function hold(id, way) {
    held?.run();
    const ids = marked.size > 0 ? [...marked] : [id];
    marked.clear();
    const run = () => {
      clearTimeout(held?.timer);
      held = null;
      note.hidden = true;
      for (const each of ids) leave(each, way);
    };
    held = { ids, timer: setTimeout(run, HOLD_MS), run };
    const names = ids.flatMap((each) => store.waiting.get(each) ?? []).map(nameOf);
    const text = t('resolved-skipped', { name: listed(names) });
    note.replaceChildren(h('span', {}, text), button(t('web-undo'), undo));
    note.hidden = false;
    say(text);
    draw();
  }

  /** Rejecting stops agents: it asks once, for all that are marked. */
  function rejectMarked() {
    const ids = [...marked];
    const box = h('div', {});
    note.hidden = false;
    note.replaceChildren(box);
    const done = () => { note.hidden = true; list.querySelector('a')?.focus(); };
    confirmIn(box, {
      ask: t('inbox-reject-marked', { count: ids.length }), keep: t('web-keep-open'), act: t('web-reject-confirm'), back: done,
      run: () => { marked.clear(); done(); for (const id of ids) reject(id); draw(); },
    });
  }

  /** @param {string} id */
  async function reject(id) {
    const inquiry = store.waiting.get(id);
    if (inquiry) await store.client.post(`/conversations/${inquiry.conversation_id}/reject`, { inquiry_id: id, revision: inquiry.revision }).catch((error) => say(String(error.message)));
  }

  function undo() {
    if (!held) return;
    clearTimeout(held.timer);
    held = null;
    note.hidden = true;
    say(t('inbox-count', { count: store.waiting.size }));
    draw();
  }

  /** A question that can be skipped is; of any other the agent is told to go on without an answer. @param {string} id @param {'skip'} _way */
  async function leave(id, _way) {
    const inquiry = store.waiting.get(id);
    if (!inquiry) return;
    const canSkip = inquiry.questions.every(({ skippable }) => skippable);
    const answers = Object.fromEntries(inquiry.questions.map((question) => [question.id, { skipped: true }]));
    const path = `/inquiries/${id}/${canSkip ? 'answer' : 'decline'}`;
    await store.client.post(path, { ...(canSkip ? { answers } : {}), revision: inquiry.revision }).catch((error) => say(String(error.message)));
  }

  const redraw = () => draw();
  store.addEventListener('pending', redraw);
  draw();
  return { node, draw, leave() { held?.run(); store.removeEventListener('pending', redraw); } };
}

/**
 * The page of the inbox: one question at a time, and the next one when it is done.
 * @param {Store} store
 * @param {{ selected: () => string | null, go: (id: string) => void }} options
 */
export function inboxView(store, { selected, go }) {
  const heading = h('h1', { tabindex: -1 }, t('inbox-title'));
  const lead = h('p', { class: 'lead' });
  const place = h('div', { class: 'stage' });
  const more = h('p', { class: 'more' });
  const node = h('div', { class: 'chat' }, heading, lead, place, more);
  /** @type {AskbackQuestion | null} */
  let element = null;

  function draw() {
    lead.textContent = t('inbox-count', { count: store.waiting.size });
    const id = selected() ?? store.pending[0]?.id;
    if (!id || element?.getAttribute('inquiry') === id) return;
    element = newQuestion();
    const inquiry = store.waiting.get(id);
    if (inquiry) element.inquiry = inquiry;
    else element.setAttribute('inquiry', id);
    place.replaceChildren(element);
    const conversation = inquiry && store.conversations.get(inquiry.conversation_id);
    more.replaceChildren(...(inquiry ? [h('a', { href: `/c/${inquiry.conversation_id}` }, bdi(conversation?.title ?? t('web-conversations')))] : []));
    element.addEventListener('askback-resolved', next);
  }

  /** @param {Event} event */
  function next(event) {
    const { inquiry, hadFocus } = /** @type {CustomEvent<{ inquiry: Inquiry, hadFocus: boolean }>} */ (event).detail;
    store.resolved(inquiry);
    const [first] = store.pending;
    lead.textContent = t('inbox-count', { count: store.waiting.size });
    if (!hadFocus || !first) return;
    event.preventDefault();
    go(first.id);
    element?.focusFirst();
  }

  const redraw = () => draw();
  store.addEventListener('pending', redraw);
  draw();
  return { node, heading, draw, element: () => element, leave() { store.removeEventListener('pending', redraw); } };
}
