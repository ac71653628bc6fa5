// Everything that was decided: what was asked, how it ended, by whom, where and when. The server lists the newest first,
// page by page; search and filters act on what was read, and read on if that is not enough.

import { announce, bdi, button, h, uniqueId } from '../lib/dom.js';
import { formatList, formatTime, t } from '../lib/i18n.js';
import { answerItems, isOwn, textOf, verdict } from '../question/outcome.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Inquiries that are read at once, and pages that one press reads at most while nothing matches. */
const PAGE = 50;
const PAGES_MAX = 20;

/** @param {Inquiry} inquiry */
const projectOf = ({ asker }) => asker?.project?.split('/').pop() ?? '';
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

export class AnsweredView {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** Newest first. @type {Inquiry[]} */
    this.read = [];
    /** The cursor of the next page; null after the last one. @type {string | null} */
    this.next = '';
    this.isReading = false;
    this.heading = h('h1', { tabindex: -1 }, t('web-answered'));
    this.searchId = uniqueId();
    this.search = h('input', {
      id: this.searchId,
      type: 'text',
      placeholder: t('inbox-search'),
      oninput: this.draw,
    });
    this.agents = filterMenu(t('inbox-agent'), t('inbox-all-agents'), this.draw);
    this.projects = filterMenu(t('answered-project'), t('answered-all-projects'), this.draw);
    this.people = filterMenu(t('answered-person'), t('answered-everybody'), this.draw);
    this.outcomes = filterMenu(t('answered-outcome'), t('answered-all-outcomes'), this.draw);
    this.copy = button(t('answered-copy'), this.copyShown);
    this.list = h('ol', { class: 'decisions' });
    this.none = h('p', { class: 'hint', hidden: true });
    this.more = button(t('web-more-conversations'), this.readMore, { hidden: true });
    this.store.addEventListener('feed', this.handleResolved);
    this.store.addEventListener('conversations', this.draw);
    this.readMore();
    this.node = h(
      'div',
      { class: 'chat answered' },
      h('div', { class: 'head' }, this.heading, this.copy),
      h(
        'div',
        { class: 'filters' },
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

  agentOf = (/** @type {Inquiry} */ inquiry) => this.store.agentName(inquiry);

  shown = () => {
    const wanted = this.search.value.trim().toLowerCase();
    return this.read.filter(
      (inquiry) =>
        this.agents.matches(this.agentOf(inquiry)) &&
        this.projects.matches(projectOf(inquiry)) &&
        this.people.matches(personOf(inquiry)) &&
        this.outcomes.matches(outcomeOf(inquiry)) &&
        (!wanted || asMarkdown(inquiry, this.agentOf(inquiry)).toLowerCase().includes(wanted)),
    );
  };

  /** @param {Inquiry} inquiry */
  item = (inquiry) =>
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
        details(inquiry, this.agentOf(inquiry)).flatMap((part, at) => [at > 0 && ' · ', bdi(part)]),
        ' · ',
        h('a', { href: `/c/${inquiry.conversation_id}` }, t('inbox-open-conversation')),
      ),
    );

  draw = () => {
    this.agents.update(this.read.map(this.agentOf));
    this.projects.update(this.read.map(projectOf));
    this.people.update(this.read.map(personOf));
    this.outcomes.update(this.read.map(outcomeOf));
    const items = this.shown();
    this.list.replaceChildren(...items.map(this.item));
    this.none.hidden = items.length > 0 || this.isReading;
    this.none.textContent = t(this.read.length === 0 ? 'answered-none' : 'inbox-none-match');
    this.more.hidden = this.next === null || this.isReading;
    this.copy.disabled = items.length === 0;
  };

  /** Reads at least one page, and on until something new is shown. */
  readMore = async () => {
    if (this.isReading || this.next === null) return;
    const before = this.shown().length;
    this.isReading = true;
    this.draw();
    try {
      for (let pages = 0; pages < PAGES_MAX && this.next !== null; pages += 1) {
        const cursor = this.next && `&cursor=${encodeURIComponent(this.next)}`;
        const page = await this.store.client.get(`/inquiries?limit=${PAGE}${cursor}`);
        this.read.push(...page.items.filter(isEnded));
        this.next = page.next ?? null;
        if (this.shown().length > before) break;
      }
    } catch {
      announce(t('chat-connection-lost'));
    }
    this.isReading = false;
    this.draw();
  };

  copyShown = async () => {
    const text = this.shown()
      .map((inquiry) => asMarkdown(inquiry, this.agentOf(inquiry)))
      .join('\n');
    const area = h('textarea', { '.value': text, class: 'visually-hidden' });
    this.copy.after(area);
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
    this.read.unshift(inquiry);
    this.draw();
  };

  destroy = () => {
    this.store.removeEventListener('feed', this.handleResolved);
    this.store.removeEventListener('conversations', this.draw);
  };
}
