// Everything that was decided: what was asked and answered, by whom, where and when. The server lists the newest first,
// page by page; search and filters act on what was read, and read on if that is not enough.

import { announce, bdi, button, h, uniqueId } from '../lib/dom.js';
import { formatList, formatTime, t } from '../lib/i18n.js';
import { answerItems, isOwn, textOf } from '../question/outcome.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Inquiries that are read at once, and pages that one press reads at most while nothing matches. */
const PAGE = 50;
const PAGES_MAX = 20;

/** @param {Inquiry} inquiry */
const projectOf = ({ asker }) => asker?.project?.split('/').pop() ?? '';
/** @param {Inquiry} inquiry */
const personOf = (inquiry) =>
  isOwn(inquiry) ? t('chat-you') : inquiry.answered_by || t('someone');
/** Each question with what was answered, and the note. @param {Inquiry} inquiry */
const pairsOf = ({ questions, outcome }) =>
  questions.map((question) => {
    const answer = outcome?.answers?.find((each) => each.question === question.id);
    return { question, items: answerItems(question, answer), note: answer?.note ?? '' };
  });

/** @param {Inquiry} inquiry @param {string} agent */
function details(inquiry, agent) {
  const { surface } = inquiry;
  const at = inquiry.resolved_at ?? inquiry.asked_at;
  const by = isOwn(inquiry) || inquiry.answered_by ? personOf(inquiry) : '';
  const where = surface ? t('web-answered-unnamed', { surface }) : t('web-answered');
  return [by, where, formatTime(at), agent, projectOf(inquiry)].filter(Boolean);
}

/** @param {Inquiry} inquiry @param {string} agent */
function asMarkdown(inquiry, agent) {
  const plain = (/** @type {string} */ text) =>
    text.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ');
  const lines = pairsOf(inquiry).map(({ question, items, note }) =>
    plain(
      `- ${question.text} **${formatList(textOf(items))}**${note && ` (${t('note')}: ${note})`}`,
    ),
  );
  return [...lines, `  ${plain(details(inquiry, agent).join(' · '))}`].join('\n');
}

/** @param {string} label @param {string} all @param {() => void} onChange */
function filterMenu(label, all, onChange) {
  const select = h('select', { 'aria-label': label, onchange: onChange, hidden: true });
  let known = '';
  return {
    node: select,
    matches: (/** @type {string} */ value) => !select.value || select.value === value,
    /** @param {string[]} values */
    update(values) {
      const now = [...new Set(values.filter(Boolean))].sort();
      if (String(now) === known) return;
      known = String(now);
      const chosen = select.value;
      select.hidden = now.length === 0;
      select.replaceChildren(
        h('option', { value: '' }, all),
        ...now.map((value) => h('option', { value, selected: value === chosen }, value)),
      );
    },
  };
}

/** @param {Store} store */
export function answeredView(store) {
  /** Newest first. @type {Inquiry[]} */
  const read = [];
  /** The cursor of the next page; null after the last one. @type {string | null} */
  let next = '';
  let isReading = false;
  const heading = h('h1', { tabindex: -1 }, t('web-answered'));
  const searchId = uniqueId();
  const search = h('input', {
    id: searchId,
    type: 'text',
    placeholder: t('inbox-search'),
    oninput: draw,
  });
  const agents = filterMenu(t('inbox-agent'), t('inbox-all-agents'), draw);
  const projects = filterMenu(t('answered-project'), t('answered-all-projects'), draw);
  const people = filterMenu(t('answered-person'), t('answered-everybody'), draw);
  const copy = button(t('answered-copy'), copyShown);
  const list = h('ol', { class: 'decisions' });
  const none = h('p', { class: 'hint', hidden: true });
  const more = button(t('web-more-conversations'), readMore, { hidden: true });

  const agentOf = (/** @type {Inquiry} */ inquiry) => store.agentName(inquiry);

  function shown() {
    const wanted = search.value.trim().toLowerCase();
    return read.filter(
      (inquiry) =>
        agents.matches(agentOf(inquiry)) &&
        projects.matches(projectOf(inquiry)) &&
        people.matches(personOf(inquiry)) &&
        (!wanted || asMarkdown(inquiry, agentOf(inquiry)).toLowerCase().includes(wanted)),
    );
  }

  /** @param {Inquiry} inquiry */
  const item = (inquiry) =>
    h(
      'li',
      {},
      pairsOf(inquiry).flatMap(({ question, items, note }) => [
        h('p', { class: 'asked', dir: 'auto' }, question.text),
        h('p', { class: 'given' }, items),
        note && h('p', { class: 'hint', dir: 'auto' }, `${t('note')}: `, bdi(note)),
      ]),
      h(
        'p',
        { class: 'hint' },
        details(inquiry, agentOf(inquiry)).flatMap((part, at) => [at > 0 && ' · ', bdi(part)]),
        ' · ',
        h('a', { href: `/c/${inquiry.conversation_id}` }, t('inbox-open-conversation')),
      ),
    );

  function draw() {
    agents.update(read.map(agentOf));
    projects.update(read.map(projectOf));
    people.update(read.map(personOf));
    const items = shown();
    list.replaceChildren(...items.map(item));
    none.hidden = items.length > 0 || isReading;
    none.textContent = t(read.length === 0 ? 'answered-none' : 'inbox-none-match');
    more.hidden = next === null || isReading;
    copy.disabled = items.length === 0;
  }

  /** Reads at least one page, and on until something new is shown. */
  async function readMore() {
    if (isReading || next === null) return;
    const before = shown().length;
    isReading = true;
    draw();
    try {
      for (let pages = 0; pages < PAGES_MAX && next !== null; pages += 1) {
        const cursor = next && `&cursor=${encodeURIComponent(next)}`;
        const page = await store.client.get(`/inquiries?status=answered&limit=${PAGE}${cursor}`);
        read.push(...page.items);
        next = page.next ?? null;
        if (shown().length > before) break;
      }
    } catch {
      announce(t('chat-connection-lost'));
    }
    isReading = false;
    draw();
  }

  async function copyShown() {
    const text = shown()
      .map((inquiry) => asMarkdown(inquiry, agentOf(inquiry)))
      .join('\n');
    const area = h('textarea', { '.value': text, class: 'visually-hidden' });
    copy.after(area);
    area.select();
    // The clipboard API exists only in secure contexts; copying the selection works everywhere.
    if (
      !navigator.clipboard ||
      !(await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ))
    )
      document.execCommand('copy');
    area.remove();
    copy.focus();
    copy.textContent = t('web-copied');
    announce(t('web-copied'));
  }

  /** @param {Event} event */
  function handleResolved(event) {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    const inquiry = data?.inquiry ?? data;
    const isNew = /resolved/.test(`${type} ${data?.change}`) && inquiry?.status === 'answered';
    if (!isNew || read.some(({ id }) => id === inquiry.id)) return;
    read.unshift(inquiry);
    draw();
  }

  store.addEventListener('feed', handleResolved);
  store.addEventListener('conversations', draw);
  readMore();
  return {
    node: h(
      'div',
      { class: 'chat answered' },
      h('div', { class: 'head' }, heading, copy),
      h(
        'div',
        { class: 'filters' },
        h('label', { for: searchId, class: 'visually-hidden' }, t('inbox-search')),
        search,
        agents.node,
        projects.node,
        people.node,
      ),
      list,
      none,
      more,
    ),
    heading,
    destroy() {
      store.removeEventListener('feed', handleResolved);
      store.removeEventListener('conversations', draw);
    },
  };
}
