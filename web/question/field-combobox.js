// One of many choices: a text field that filters a list (ARIA combobox). The text in the field is the
// answer: the label of a choice, or own text where that is allowed. Typing replaces the earlier choice.

import { bdi, div, h, isComposing, span, uniqueId } from '../lib/dom.js';
import { isWritten } from '../draft/draft.js';
import { t } from '../lib/i18n.js';

/** @import { Entry } from '../draft/draft.js' */
/** @import { Choice } from '../lib/wire.d.ts' */
/** @import { Field, FieldContext } from './fields.js' */

/**
 * The row of the choice with this label: exactly, or in any case if only one matches; -1 for none.
 * @param {Choice[]} choices
 * @param {string} text
 */
function rowWithLabel(choices, text) {
  const wanted = text.trim();
  const exact = choices.findIndex(({ label }) => label.trim() === wanted);
  if (exact >= 0 || wanted === '') return exact;
  const fold = (/** @type {string} */ each) => each.trim().toLowerCase();
  const rows = choices.flatMap(({ label }, row) => (fold(label) === fold(wanted) ? [row] : []));
  return rows.length === 1 ? rows[0] : -1;
}

export class ComboboxField {
  /** @param {FieldContext} context */
  constructor(context) {
    this.context = context;
    const { question, edit, fieldState } = this.context;
    this.question = question;
    this.edit = edit;
    this.fieldState = fieldState;
    this.choices = this.question.choices ?? [];
    this.listId = uniqueId();
    this.hintId = uniqueId();
    this.input = h('input', {
      id: this.context.id,
      type: 'text',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-expanded': 'true',
      'aria-controls': this.listId,
      'aria-autocomplete': 'list',
      'aria-describedby': `${this.hintId} ${this.context.described}`,
      placeholder: this.question.placeholder ?? t('web-filter'),
      oninput: this.handleInput,
      onkeydown: this.handleKey,
      dir: 'auto',
    });
    this.rows = this.choices.map((choice, row) =>
      this.option(row, [
        bdi(choice.label, 'label'),
        choice.recommended && span('badge', t('recommended')),
        choice.description && h('span', { class: 'description', dir: 'auto' }, choice.description),
      ]),
    );
    this.ownText = span('label');
    this.ownRow = this.option(this.choices.length, [this.ownText]);
    this.countLine = h('p', { id: this.hintId, class: 'hint' });
    this.list = h(
      'ul',
      {
        id: this.listId,
        role: 'listbox',
        'aria-label': this.question.header ?? this.question.text,
        tabindex: -1,
      },
      this.rows,
      this.ownRow,
    );
    this.ownRow.hidden = true;
    this.active = -1;
    /** Whether the text was typed and not yet confirmed with Enter or a click. */
    this.isUnconfirmed = false;
    /** @type {Entry} */
    this.current = { focus: 0 };
    this.node = div('combobox', this.countLine, this.input, this.list);
    this.isGroup = false;
  }

  /** @param {number} row @param {any[]} content */
  option = (row, content) => {
    return h(
      'li',
      {
        id: uniqueId(),
        role: 'option',
        'aria-selected': 'false',
        // The text field keeps the focus.
        onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => this.choose(row),
      },
      // What a tap sends is not ticked first.
      !this.context.isOneStep && h('span', { class: 'tick', 'aria-hidden': 'true' }),
      span('option-text', content),
    );
  };

  visible = () =>
    [...this.rows, this.ownRow]
      .map((node, row) => ({ node, row }))
      .filter(({ node }) => !node.hidden);

  handleInput = () => {
    const text = this.input.value;
    const row = rowWithLabel(this.choices, text);
    this.fieldState.text = text;
    this.isUnconfirmed = true;
    this.edit({ edit: 'clear' });
    if (this.question.own) this.edit({ edit: 'write', field: 'own', text: row < 0 ? text : '' });
    if (row >= 0) this.mark(row);
    this.filterRows();
    this.activate(-1);
    this.context.announce(this.countLine.textContent ?? '');
  };

  /** @param {number} row */
  mark = (row) => {
    this.edit({ edit: 'close' });
    this.edit({ edit: 'mark', row });
  };

  filterRows = () => {
    const wanted = this.input.value.trim().toLowerCase();
    this.rows.forEach((node, row) => {
      const { label, description = '' } = this.choices[row];
      node.hidden = !`${label} ${description}`.toLowerCase().includes(wanted);
    });
    this.count();
  };

  count = () => {
    const shown = this.visible().filter(
      ({ row }) => row < this.choices.length || this.current.own_ticked,
    );
    this.countLine.textContent = t('web-choices-shown', { count: shown.length });
  };

  /** @param {number} at index among the visible rows; -1 for none */
  activate = (at) => {
    const shown = this.visible();
    this.active = shown.length === 0 ? -1 : at;
    for (const node of [...this.rows, this.ownRow]) node.classList.remove('active');
    const target = shown[this.active]?.node;
    if (!target) return this.input.removeAttribute('aria-activedescendant');
    target.classList.add('active');
    this.input.setAttribute('aria-activedescendant', target.id);
    target.scrollIntoView({ block: 'nearest' });
    return undefined;
  };

  /** @param {number} row */
  choose = (row) => {
    // Own words are typed first.
    if (row === this.choices.length && !this.current.own_ticked) {
      this.activate(-1);
      this.input.focus();
      this.context.announce(this.ownText.textContent ?? '');
      return;
    }
    this.isUnconfirmed = false;
    if (row < this.choices.length) {
      this.fieldState.text = '';
      if (this.question.own) this.edit({ edit: 'write', field: 'own', text: '' });
      this.mark(row);
    }
    for (const node of this.rows) node.hidden = false;
    this.count();
    this.activate(this.visible().findIndex((shown) => shown.row === row));
    if (row < this.choices.length) this.context.picked();
  };

  erase = () => {
    this.input.value = '';
    this.handleInput();
  };

  /** @param {KeyboardEvent} event */
  handleKey = (event) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.visible().length - 1;
    if (event.key === 'ArrowDown') this.activate(this.active >= last ? 0 : this.active + 1);
    else if (event.key === 'ArrowUp') this.activate(this.active <= 0 ? last : this.active - 1);
    else if (event.key === 'Enter') {
      if (!event.repeat) this.handleEnter();
    } else if (event.key === 'Escape' && (this.input.value || this.active >= 0)) {
      event.stopPropagation();
      this.erase();
      return;
    } else {
      if (event.key === 'Home' || event.key === 'End') this.activate(-1);
      return;
    }
    event.preventDefault();
  };

  /** The first Enter confirms the active row or the text, the next one sends. */
  handleEnter = () => {
    const shown = this.visible();
    const only = shown.filter(({ row }) => row < this.choices.length || this.current.own_ticked);
    const target =
      shown[this.active] ?? (this.isUnconfirmed && only.length === 1 ? only[0] : undefined);
    const isChosen = Boolean(this.current.picked?.length || this.current.own_ticked);
    if (target && (this.isUnconfirmed || target.node.getAttribute('aria-selected') !== 'true'))
      this.choose(target.row);
    else if (this.isUnconfirmed && isChosen)
      this.choose(
        this.current.own_ticked
          ? this.choices.length
          : rowWithLabel(this.choices, this.input.value),
      );
    else if (isChosen) this.context.send();
    else if (isWritten(this.input.value)) this.context.announce(this.problem() ?? '');
  };

  problem = () => {
    return isWritten(this.input.value) && !this.current.picked?.length && !this.current.own_ticked
      ? t('web-no-such-choice', { text: this.input.value.trim() })
      : null;
  };

  focus = () => this.input.focus();

  target = () => this.input;

  /** @param {Entry} entry */
  sync = (entry) => {
    this.current = entry;
    const isOwn = Boolean(entry.own_ticked) && isWritten(entry.own);
    const picked = this.choices.findIndex(({ value }) => entry.picked?.includes(value));
    this.rows.forEach((node, row) => {
      node.setAttribute('aria-selected', String(row === picked));
    });
    this.ownRow.setAttribute('aria-selected', String(isOwn));
    this.ownRow.hidden = !this.question.own || (picked >= 0 && this.isUnconfirmed);
    this.ownText.textContent = isOwn
      ? t('web-use-typed', { text: (entry.own ?? '').trim() })
      : t('web-type-own');
    // Shows the answer, also one from another device. Text that is not an answer stays.
    const text =
      picked >= 0
        ? this.choices[picked].label
        : isOwn
          ? (entry.own ?? '')
          : (this.fieldState.text ?? '');
    const isShown =
      picked >= 0
        ? rowWithLabel(this.choices, this.input.value) === picked
        : this.input.value === text;
    if (!isShown) this.input.value = text;
    this.count();
  };
}
