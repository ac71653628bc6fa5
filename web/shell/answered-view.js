// Everything that was decided: what was asked, how it ended, by whom, where and when. The server lists the newest first,
// page by page, and searches all of it; the menus offer what was read.

import { copyField } from '../lib/copy.js';
import { announce, bdi, button, div, h, p, uniqueId } from '../lib/dom.js';
import { optionList } from '../lib/option-list.js';
import { formatList, formatTime, t } from '../lib/i18n.js';
import { answerItems, askerName, isOwn, textOf, verdict } from '../question/outcome.js';
import { projectOf } from './inquiry-names.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Inquiries that are read at once, and pages that one press reads at most while nothing matches. */
const PAGE = 50;
const PAGES_MAX = 20;
/** How long after the last key the server is asked, in milliseconds. */
const SEARCH_AFTER_MS = 250;

/** @param {Inquiry} inquiry */
const personOf = (inquiry) => {
  if (isOwn(inquiry)) return t('chat-you');
  return inquiry.answered_by || (inquiry.status === 'answered' ? t('someone') : '');
};
/** The name of each outcome in the filter. */
const OUTCOMES = /** @type {Record<string, string>} */ ({
  answered: 'web-answered',
  superseded: 'channel-superseded',
  declined: 'web-decline',
  rejected: 'web-reject',
  cancelled: 'web-reject',
  withdrawn: 'web-withdrawn',
});
/** @param {Inquiry} inquiry */
const outcomeOf = ({ status }) => t(OUTCOMES[status] ?? 'answered-no-answer');
/** Each question with what was answered, and the note. @param {Inquiry} inquiry */
const pairsOf = (inquiry) =>
  inquiry.questions.map((question) => {
    const answer = inquiry.outcome?.answers?.find((each) => each.question === question.id);
    const items =
      inquiry.status === 'answered'
        ? answerItems(question, answer)
        : [h('span', { class: 'unanswered', dir: 'auto' }, verdict(inquiry))];
    return { question, items, note: answer?.note ?? '' };
  });

/** Whether it has an outcome, and its questions are still known. @param {Inquiry | undefined} inquiry */
const isEnded = (inquiry) => inquiry?.status !== 'pending' && Boolean(inquiry?.questions?.length);

/** @param {Inquiry} inquiry @param {string} agent */
function details(inquiry, agent) {
  const { surface, status } = inquiry;
  const at = inquiry.resolved_at ?? inquiry.asked_at;
  const by = isOwn(inquiry) || inquiry.answered_by ? personOf(inquiry) : '';
  const place = surface ? t('web-answered-unnamed', { surface }) : t('web-answered');
  const where = status === 'answered' ? place : '';
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
  /** What was read once stays in the menu. @type {Set<string>} */
  const known = new Set();
  return {
    node: select,
    chosen: () => select.value,
    matches: (/** @type {string} */ value) => !select.value || select.value === value,
    /** @param {string[]} values */
    update(values) {
      const before = known.size;
      for (const value of values) if (value) known.add(value);
      if (known.size === before) return;
      const chosen = select.value;
      select.hidden = false;
      select.replaceChildren(
        h('option', { value: '' }, all),
        ...optionList(
          [...known].sort().map((value) => [value, value]),
          chosen,
        ),
      );
    },
  };
}

export class AnsweredView {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** Newest first. @type {Inquiry[]} */
    this.read = [];
    /** The cursor of the next page; null after the last one. @type {string | null} */
    this.next = '';
    /** The part of the address that searches. */
    this.asked = '';
    /** What is read at the moment; a later search replaces it. @type {object | null} */
    this.reading = null;
    this.timer = 0;
    this.heading = h('h1', { tabindex: -1 }, t('web-answered'));
    this.searchId = uniqueId();
    this.search = h('input', {
      id: this.searchId,
      type: 'text',
      placeholder: t('inbox-search'),
      oninput: this.searchSoon,
    });
    this.agents = filterMenu(t('inbox-agent'), t('inbox-all-agents'), this.searchNow);
    this.projects = filterMenu(t('answered-project'), t('answered-all-projects'), this.searchNow);
    this.people = filterMenu(t('answered-person'), t('answered-everybody'), this.searchNow);
    this.outcomes = filterMenu(t('answered-outcome'), t('answered-all-outcomes'), this.searchNow);
    this.copy = button(t('answered-copy'), this.copyShown);
    this.list = h('ol', { class: 'decisions' });
    this.none = h('p', { class: 'hint', hidden: true });
    this.more = button(t('web-more-conversations'), this.readMore, { hidden: true });
    this.store.addEventListener('feed', this.handleResolved);
    this.store.addEventListener('conversations', this.draw);
    this.readMore();
    this.node = div(
      'chat answered',
      div('head', this.heading, this.copy),
      div(
        'filters',
        h('label', { for: this.searchId, class: 'visually-hidden' }, t('inbox-search')),
        this.search,
        this.agents.node,
        this.projects.node,
        this.people.node,
        this.outcomes.node,
      ),
      this.list,
      this.none,
      this.more,
    );
  }

  /** What was read and is chosen in the menus. The server has searched it. */
  shown = () =>
    this.read.filter(
      (inquiry) =>
        this.agents.matches(askerName(inquiry)) &&
        this.projects.matches(projectOf(inquiry)) &&
        this.people.matches(personOf(inquiry)) &&
        this.outcomes.matches(outcomeOf(inquiry)),
    );

  /** What the server is asked for: the words, and the names that it knows by the same word. */
  query() {
    const names = [
      this.read.find(({ source }) => source && source === this.agents.chosen())?.source,
      this.projects.chosen(),
      this.read.find(({ answered_by }) => answered_by && answered_by === this.people.chosen())
        ?.answered_by,
    ];
    const words = [this.search.value.trim(), ...names].filter(Boolean).join(' ');
    return words && `&search=${encodeURIComponent(words)}`;
  }

  searchSoon = () => {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.searchNow, SEARCH_AFTER_MS);
  };

  searchNow = () => {
    clearTimeout(this.timer);
    this.asked = this.query();
    this.next = '';
    this.readMore();
  };

  /** @param {Inquiry} inquiry */
  item = (inquiry) =>
    h(
      'li',
      {},
      pairsOf(inquiry).flatMap(({ question, items, note }) => [
        h('p', { class: 'asked', dir: 'auto' }, question.text),
        p(
          'given',
          items.filter(Boolean).flatMap((item, at) => (at ? ['·', item] : [item])),
        ),
        note && h('p', { class: 'hint', dir: 'auto' }, `${t('note')}: `, bdi(note)),
      ]),
      p(
        'hint',
        details(inquiry, askerName(inquiry)).flatMap((part, at) => [at > 0 && ' · ', bdi(part)]),
        ' · ',
        h('a', { href: `/c/${inquiry.conversation_id}` }, t('inbox-open-conversation')),
      ),
    );

  draw = () => {
    this.agents.update(this.read.map(askerName));
    this.projects.update(this.read.map(projectOf));
    this.people.update(this.read.map(personOf));
    this.outcomes.update(this.read.map(outcomeOf));
    const items = this.shown();
    this.list.replaceChildren(...items.map(this.item));
    const isReading = this.reading !== null;
    this.none.hidden = items.length > 0 || isReading;
    const isAll = this.read.length === 0 && !this.asked;
    this.none.textContent = t(isAll ? 'answered-none' : 'inbox-none-match');
    this.more.hidden = this.next === null || isReading;
    this.copy.disabled = items.length === 0;
  };

  /** Reads at least one page, and on until something new is shown. */
  readMore = async () => {
    const reading = {};
    this.reading = reading;
    const before = this.next === '' ? 0 : this.shown().length;
    this.draw();
    try {
      for (let pages = 0; pages < PAGES_MAX && this.next !== null; pages += 1) {
        const cursor = this.next && `&cursor=${encodeURIComponent(this.next)}`;
        const path = `/inquiries?limit=${PAGE}${this.asked}${cursor}`;
        const page = await this.store.client.get(path);
        if (this.reading !== reading) return;
        this.read = [...(this.next === '' ? [] : this.read), ...page.items.filter(isEnded)];
        this.next = page.next ?? null;
        if (this.shown().length > before) break;
      }
    } catch {
      if (this.reading === reading) announce(t('chat-connection-lost'));
    }
    if (this.reading !== reading) return;
    this.reading = null;
    this.draw();
  };

  copyShown = async () => {
    const text = this.shown()
      .map((inquiry) => asMarkdown(inquiry, askerName(inquiry)))
      .join('\n');
    const area = h('textarea', { '.value': text, class: 'visually-hidden' });
    this.copy.after(area);
    await copyField(area);
    area.remove();
    this.copy.focus();
    this.copy.textContent = t('web-copied');
    announce(t('web-copied'));
  };

  /** @param {Event} event */
  handleResolved = (event) => {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    const inquiry = data?.inquiry ?? data;
    const isNew = /resolved/.test(`${type} ${data?.change}`) && isEnded(inquiry);
    if (!isNew || this.read.some(({ id }) => id === inquiry.id)) return;
    if (this.asked) return this.searchSoon();
    this.read.unshift(inquiry);
    this.draw();
  };

  destroy = () => {
    clearTimeout(this.timer);
    this.reading = null;
    this.store.removeEventListener('feed', this.handleResolved);
    this.store.removeEventListener('conversations', this.draw);
  };
}
