// The list of the inbox: search, filter and order, the rows, and what can be done to marked questions.

import { announce, askFirst, button, h, loadConfirm, uniqueId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { isSkippable } from './actions.js';
import { InboxRows } from './rows.js';

/** @import { InboxFilter } from './filter.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/**
 * @typedef {object} ListOptions
 * @property {InboxFilter} filter
 * @property {() => string | null} currentId the open question
 * @property {() => Inquiry | null} ended the open question, if it ended elsewhere and stays in the list
 * @property {(id: string) => void} onOpen
 * @property {() => void} onFilter called after the filter or the order changed
 * @property {(id: string) => void} onFocusMoved
 * @property {() => void} onFocusLost
 * @property {(inquiries: Inquiry[]) => void} skip
 * @property {(inquiries: Inquiry[]) => void} reject
 * @property {(inquiries: Inquiry[]) => void} snooze
 */

/** @param {Store} store @param {ListOptions} options */
export function inboxList(store, options) {
  const { filter } = options;
  /** @type {Set<string>} */
  const marked = new Set();
  const rows = new InboxRows({
    isMarked: (id) => marked.has(id),
    currentId: options.currentId,
    snoozedUntil: (id) => (store.snoozes.has(id) ? store.snoozes.untilById.get(id) : undefined),
    agentName: (inquiry) => store.agentName(inquiry),
    conversationTitle: (id) => {
      const conversation = store.conversations.get(id);
      return conversation?.driver === 'built_in' ? conversation.title : null;
    },
    onOpen: options.onOpen,
    onMark: (id) => toggleMark(id),
    onFocusMoved: options.onFocusMoved,
    onFocusLost: options.onFocusLost,
  });
  const search = h('input', {
    type: 'text',
    'aria-label': t('inbox-search'),
    placeholder: t('inbox-search'),
    autocomplete: 'off',
    oninput: () => {
      filter.text = search.value;
      options.onFilter();
    },
  });
  const agent = select(t('inbox-agent'), (value) => {
    filter.agent = value;
  });
  const order = select(t('inbox-sort'), (value) => {
    filter.sort = value;
  });
  order.node.replaceChildren(
    ...[
      ['deadline', t('inbox-sort-deadline')],
      ['oldest', t('inbox-sort-oldest')],
      ['newest', t('inbox-sort-newest')],
    ].map(([value, label]) => h('option', { value }, label)),
  );
  order.node.value = filter.sort;
  const snoozed = button(
    '',
    () => {
      filter.showsSnoozed = !filter.showsSnoozed;
      options.onFilter();
    },
    { class: 'quiet snoozed', hidden: true },
  );
  const hint = h('p', { class: 'hint', hidden: true });
  const clear = button(
    t('inbox-clear-filter'),
    () => {
      filter.clear();
      search.value = '';
      agent.node.value = '';
      options.onFilter();
      search.focus();
    },
    { hidden: true },
  );
  const bulk = h('div', { class: 'bulk', hidden: true });
  const node = h(
    'div',
    { class: 'inbox-list' },
    h(
      'div',
      { class: 'tools' },
      h('div', { class: 'search' }, icon('search'), search),
      h('div', { class: 'selects' }, agent.label, order.label),
    ),
    bulk,
    h('div', { class: 'rows' }, rows.node, h('div', { class: 'empty' }, hint, clear), snoozed),
  );
  /** The agents that the filter offers. */
  let agents = '';

  /** @param {string} label @param {(value: string) => void} onChange */
  function select(label, onChange) {
    const id = uniqueId();
    const field = h('select', {
      id,
      onchange: () => {
        onChange(field.value);
        options.onFilter();
      },
    });
    return {
      node: field,
      label: h(
        'label',
        { for: id },
        h('span', { class: 'visually-hidden' }, label),
        field,
        icon('chevron'),
      ),
    };
  }

  function drawAgents() {
    const names = filter.agents();
    // The chosen one stays, even if its last question is gone.
    if (filter.agent && !names.includes(filter.agent)) names.push(filter.agent);
    if (names.join('\n') === agents && agent.node.firstChild) return;
    agents = names.join('\n');
    agent.node.replaceChildren(
      h('option', { value: '' }, t('inbox-all-agents')),
      ...names.map((name) => h('option', { value: name }, name)),
    );
    agent.node.value = filter.agent;
    agent.label.hidden = names.length < 2 && !filter.agent;
  }

  /** The questions that are listed; one that has ended stays in its place until the reader moves on. */
  function list() {
    const listed = filter.list();
    const ended = options.ended();
    if (ended && !listed.some(({ id }) => id === ended.id))
      listed.splice(positionOf(listed, ended), 0, ended);
    return listed;
  }

  /** @param {Inquiry[]} listed @param {Inquiry} inquiry */
  function positionOf(listed, inquiry) {
    const at = listed.findIndex((each) => filter.order(inquiry, each) < 0);
    return at < 0 ? listed.length : at;
  }

  function draw() {
    for (const id of marked) if (!store.pendingById.has(id)) marked.delete(id);
    drawAgents();
    rows.draw(list());
    drawEmpty();
    drawBulk();
  }

  function drawEmpty() {
    const snoozedCount = store.pendingById.size - store.waitingCount;
    const isEmpty = rows.items.length === 0;
    const text = !store.isComplete
      ? t('inbox-loading')
      : !isEmpty
        ? ''
        : t(filter.isActive ? 'inbox-none-match' : 'inbox-empty');
    if (hint.textContent !== text) hint.textContent = text;
    hint.hidden = text === '';
    clear.hidden = !isEmpty || !filter.isActive;
    const label = filter.showsSnoozed
      ? t('inbox-hide-snoozed')
      : t('inbox-show-snoozed', { count: snoozedCount });
    if (snoozed.textContent !== label) snoozed.textContent = label;
    snoozed.hidden = snoozedCount === 0 && !filter.showsSnoozed;
  }

  // Marks

  function drawBulk() {
    const isShown = marked.size > 0;
    const isConfirming = bulk.querySelector('.confirm') !== null;
    if (!isShown || !isConfirming) {
      const text = t('inbox-marked', { count: marked.size });
      if (bulk.querySelector('.count')?.textContent !== text || !isShown)
        bulk.replaceChildren(...(isShown ? bulkControls(text) : []));
    }
    bulk.hidden = !isShown;
    node.classList.toggle('marking', isShown);
  }

  /** Only a question that may be skipped is skipped; any other is left to its agent. */
  function skipTexts() {
    const inquiries = markedInquiries();
    const { length: count } = inquiries;
    const skippable = inquiries.filter(isSkippable).length;
    if (skippable === 0)
      return { question: t('inbox-decline-marked', { count }), confirm: t('web-decline') };
    if (skippable === count)
      return { question: t('inbox-skip-marked', { count }), confirm: t('web-skip') };
    return {
      question: t('inbox-skip-or-decline-marked', { count }),
      confirm: t('inbox-key-skip'),
    };
  }

  /** @param {string} text */
  const bulkControls = (text) => [
    h(
      'div',
      { class: 'bulk-head' },
      h('span', { class: 'count' }, text),
      button(t('inbox-unmark'), () => clearMarks(), { class: 'quiet' }),
    ),
    h(
      'div',
      { class: 'bulk-actions' },
      button(skipTexts().confirm, () => confirmMarked('skip'), {
        'data-action': 'skip',
        'aria-haspopup': 'true',
      }),
      button(t('inbox-snooze'), () => options.snooze(markedInquiries()), {
        'data-action': 'snooze',
      }),
      button(
        t('inbox-reject-marked-confirm', { count: marked.size }),
        () => confirmMarked('reject'),
        {
          class: 'quiet danger',
          'data-action': 'stop',
          'aria-haspopup': 'true',
        },
      ),
    ),
  ];

  /** @param {string} id */
  function toggleMark(id) {
    if (!marked.delete(id)) marked.add(id);
    announce(t('inbox-marked', { count: marked.size }));
    draw();
  }

  /** Marks everything that is listed, or clears the marks if all of it is marked. */
  function toggleAll() {
    const ids = filter.list().map(({ id }) => id);
    if (ids.every((id) => marked.has(id))) marked.clear();
    else for (const id of ids) marked.add(id);
    announce(t('inbox-marked', { count: marked.size }));
    draw();
  }

  function clearMarks() {
    const hadFocus = bulk.contains(document.activeElement);
    marked.clear();
    draw();
    if (hadFocus) focusCurrent();
  }

  const markedInquiries = () => [...marked].flatMap((id) => store.pendingById.get(id) ?? []);

  /** One confirmation for all marked questions: a key that is pressed by mistake ends none of them. @param {'skip' | 'reject'} action */
  async function confirmMarked(action) {
    await loadConfirm();
    const placeholder = h('div', {});
    const inquiries = markedInquiries();
    const count = inquiries.length;
    const texts =
      action === 'skip'
        ? skipTexts()
        : {
            question: t('inbox-reject-marked', { count }),
            confirm: t('inbox-reject-marked-confirm', { count }),
          };
    bulk.replaceChildren(placeholder);
    bulk.hidden = false;
    const close = () => {
      bulk.replaceChildren();
      draw();
      focusCurrent();
    };
    askFirst(placeholder, {
      ...texts,
      keep: t('web-keep-open'),
      onKeep: close,
      onConfirm: () => {
        marked.clear();
        close();
        // Some may have ended meanwhile.
        options[action](inquiries.filter(({ id }) => store.pendingById.has(id)));
      },
    });
  }

  function focusCurrent() {
    rows.focusAt(Math.max(rows.indexOf(rows.tabStop), 0));
  }

  return {
    node,
    rows,
    draw,
    search,
    hasMarks: () => marked.size > 0,
    toggleMark,
    toggleAll,
    clearMarks,
    marked: markedInquiries,
    confirmMarked,
    focusCurrent,
    destroy: () => rows.destroy(),
  };
}
