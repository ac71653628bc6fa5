// The list of the inbox: search, filter and order, the rows, and what can be done to marked questions.

import { announce, askFirst, button, div, h, loadConfirm, span, uniqueId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';
import { optionList } from '../lib/option-list.js';
import { isSkippable } from './actions.js';
import { hasMine } from './filter.js';
import { positionIn } from '../shell/pending.js';
import { InboxRows } from './rows.js';

/** @import { InboxFilter } from './filter.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** Writes nothing if nothing changes: a screen reader would read it again. @param {HTMLElement} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

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

export class InboxList {
  /** @param {Store} store @param {ListOptions} options @param {AbortSignal} signal aborted when the page is left */
  constructor(store, options, signal) {
    this.store = store;
    this.options = options;
    this.filter = options.filter;
    /** @type {Set<string>} */
    this.markedIds = new Set();
    this.rows = new InboxRows(
      {
        ...options,
        isMarked: (id) => this.markedIds.has(id),
        snoozedUntil: (id) => (store.snoozes.has(id) ? store.snoozes.untilById.get(id) : undefined),
        conversationTitle: (id) => {
          const conversation = store.conversations.get(id);
          return conversation?.driver === 'built_in' ? conversation.title : null;
        },
        onMark: (id) => this.toggleMark(id),
      },
      signal,
    );
    this.search = h('input', {
      type: 'text',
      'aria-label': t('inbox-search'),
      placeholder: t('inbox-search'),
      autocomplete: 'off',
      oninput: () => {
        this.filter.text = this.search.value;
        this.options.onFilter();
      },
    });
    this.agent = this.select(t('inbox-agent'), (value) => {
      this.filter.agent = value;
    });
    this.order = this.select(t('inbox-sort'), (value) => {
      this.filter.sort = value;
    });
    const orders = [
      ['deadline', t('inbox-sort-deadline')],
      ['oldest', t('inbox-sort-oldest')],
      ['newest', t('inbox-sort-newest')],
    ];
    this.order.node.replaceChildren(...optionList(orders, this.filter.sort));
    this.forMe = button(
      t('inbox-for-me'),
      () => {
        this.filter.isForMe = !this.filter.isForMe;
        this.options.onFilter();
      },
      { class: 'quiet', 'aria-pressed': 'false', hidden: !hasMine },
    );
    this.snoozed = button(
      '',
      () => {
        this.filter.showsSnoozed = !this.filter.showsSnoozed;
        this.options.onFilter();
      },
      { class: 'quiet snoozed', hidden: true },
    );
    this.hint = h('p', { class: 'hint', hidden: true });
    this.clear = button(
      t('inbox-clear-filter'),
      () => {
        this.filter.clear();
        this.search.value = '';
        this.agent.node.value = '';
        this.options.onFilter();
        this.search.focus();
      },
      { hidden: true },
    );
    this.bulk = h('div', { class: 'bulk', hidden: true });
    this.node = div(
      'inbox-list',
      div(
        'tools',
        div('search', icon('search'), this.search),
        div('selects', this.forMe, this.agent.label, this.order.label),
      ),
      this.bulk,
      div('rows', this.rows.node, div('empty', this.hint, this.clear), this.snoozed),
    );
    /** The agents that the filter offers. */
    this.agents = '';
  }

  /** @param {string} label @param {(value: string) => void} onChange */
  select = (label, onChange) => {
    const id = uniqueId();
    const field = h('select', {
      id,
      onchange: () => {
        onChange(field.value);
        this.options.onFilter();
      },
    });
    return {
      node: field,
      label: h('label', { for: id }, span('visually-hidden', label), field, icon('chevron')),
    };
  };

  drawAgents = () => {
    const names = this.filter.agents();
    // The chosen one stays, even if its last question is gone.
    if (this.filter.agent && !names.includes(this.filter.agent)) names.push(this.filter.agent);
    if (names.join('\n') === this.agents && this.agent.node.firstChild) return;
    this.agents = names.join('\n');
    this.agent.node.replaceChildren(
      h('option', { value: '' }, t('inbox-all-agents')),
      ...optionList(
        names.map((name) => [name, name]),
        this.filter.agent,
      ),
    );
    this.agent.label.hidden = names.length < 2 && !this.filter.agent;
  };

  /** The questions that are listed; one that has ended stays in its place until the reader moves on. */
  list = () => {
    const listed = this.filter.list();
    const ended = this.options.ended();
    if (ended && !listed.some(({ id }) => id === ended.id))
      listed.splice(positionIn(listed, ended, this.filter.order), 0, ended);
    return listed;
  };

  draw = () => {
    for (const id of this.markedIds) if (!this.store.pendingById.has(id)) this.markedIds.delete(id);
    this.drawAgents();
    this.forMe.setAttribute('aria-pressed', String(this.filter.isForMe));
    this.rows.draw(this.list());
    this.drawEmpty();
    this.drawBulk();
  };

  drawEmpty = () => {
    const snoozedCount = this.store.pendingById.size - this.store.waitingCount;
    const isEmpty = this.rows.items.length === 0;
    const text = !this.store.isComplete
      ? t('inbox-loading')
      : !isEmpty
        ? ''
        : t(this.filter.isActive ? 'inbox-none-match' : 'inbox-empty');
    setText(this.hint, text);
    this.hint.hidden = text === '';
    this.clear.hidden = !isEmpty || !this.filter.isActive;
    const label = this.filter.showsSnoozed
      ? t('inbox-hide-snoozed')
      : t('inbox-show-snoozed', { count: snoozedCount });
    setText(this.snoozed, label);
    this.snoozed.hidden = snoozedCount === 0 && !this.filter.showsSnoozed;
  };

  // Marks
  drawBulk = () => {
    const isShown = this.markedIds.size > 0;
    const isConfirming = this.bulk.querySelector('.confirm') !== null;
    if (!isShown || !isConfirming) {
      const text = t('inbox-marked', { count: this.markedIds.size });
      if (this.bulk.querySelector('.count')?.textContent !== text || !isShown)
        this.bulk.replaceChildren(...(isShown ? this.bulkControls(text) : []));
    }
    this.bulk.hidden = !isShown;
    this.node.classList.toggle('marking', isShown);
  };

  /** Only a question that may be skipped is skipped; any other is left to its agent. */
  skipTexts = () => {
    const inquiries = this.marked();
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
  };

  /** @param {string} text */
  bulkControls = (text) => [
    div(
      'bulk-head',
      span('count', text),
      button(t('inbox-unmark'), () => this.clearMarks(), { class: 'quiet' }),
    ),
    div(
      'bulk-actions',
      button(this.skipTexts().confirm, () => this.confirmMarked('skip'), {
        'data-action': 'skip',
        'aria-haspopup': 'true',
      }),
      button(t('inbox-snooze'), () => this.options.snooze(this.marked()), {
        'data-action': 'snooze',
      }),
      button(
        t('inbox-reject-marked-confirm', { count: this.markedIds.size }),
        () => this.confirmMarked('reject'),
        {
          class: 'quiet danger',
          'data-action': 'stop',
          'aria-haspopup': 'true',
        },
      ),
    ),
  ];

  /** @param {string} id */
  toggleMark = (id) => {
    if (!this.markedIds.delete(id)) this.markedIds.add(id);
    announce(t('inbox-marked', { count: this.markedIds.size }));
    this.draw();
  };

  /** Marks everything that is listed, or clears the marks if all of it is marked. */
  toggleAll = () => {
    const ids = this.filter.list().map(({ id }) => id);
    if (ids.every((id) => this.markedIds.has(id))) this.markedIds.clear();
    else for (const id of ids) this.markedIds.add(id);
    announce(t('inbox-marked', { count: this.markedIds.size }));
    this.draw();
  };

  clearMarks = () => {
    const hadFocus = this.bulk.contains(document.activeElement);
    this.markedIds.clear();
    this.draw();
    if (hadFocus) this.focusCurrent();
  };

  marked = () => [...this.markedIds].flatMap((id) => this.store.pendingById.get(id) ?? []);

  /** One confirmation for all marked questions: a key that is pressed by mistake ends none of them. @param {'skip' | 'reject'} action */
  confirmMarked = async (action) => {
    await loadConfirm();
    const placeholder = h('div', {});
    const inquiries = this.marked();
    const count = inquiries.length;
    const texts =
      action === 'skip'
        ? this.skipTexts()
        : {
            question: t('inbox-reject-marked', { count }),
            confirm: t('inbox-reject-marked-confirm', { count }),
          };
    this.bulk.replaceChildren(placeholder);
    this.bulk.hidden = false;
    const close = () => {
      this.bulk.replaceChildren();
      this.draw();
      this.focusCurrent();
    };
    askFirst(placeholder, {
      ...texts,
      keep: t('web-keep-open'),
      onKeep: close,
      onConfirm: () => {
        this.markedIds.clear();
        close();
        // Some may have ended meanwhile.
        this.options[action](inquiries.filter(({ id }) => this.store.pendingById.has(id)));
      },
    });
  };

  focusCurrent = () => {
    this.rows.focusAt(Math.max(this.rows.indexOf(this.rows.tabStop), 0));
  };

  hasMarks = () => this.markedIds.size > 0;
}
