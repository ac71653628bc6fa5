// Choices as native radio buttons or checkboxes. The last one is own text, if it is allowed.

import { bdi, button, h, isTextField, uniqueId } from '../lib/dom.js';
import { ownField } from './field-typed.js';
import { t } from '../lib/i18n.js';

/** @import { Entry } from '../draft/draft.js' */
/** @import { Choice } from '../lib/wire.d.ts' */
/** @import { Field, FieldContext } from './fields.js' */

/** From this many choices on there is a filter. */
const FILTER_FROM = 5;

/** The text as it is; Markdown and diffs are drawn when it is opened. @param {Choice} choice */
function choicePreview({ preview, label }) {
  const name = t('web-preview');
  const content = h(
    'div',
    { class: 'markdown', tabindex: 0, role: 'region', 'aria-label': `${name} ${label}` },
    h('pre', { dir: 'ltr' }, preview),
  );
  const draw = async () => {
    const { previewContent } = await import('./choice-preview.js');
    content.replaceChildren(...previewContent(preview ?? ''));
  };
  return h(
    'details',
    { class: 'preview', ontoggle: () => draw().catch(() => {}) },
    h('summary', {}, name, h('span', { class: 'visually-hidden' }, ' ', bdi(label))),
    content,
  );
}

/** @param {FieldContext} context @returns {Field} */
export function choiceField(context) {
  const { question, edit } = context;
  const choices = question.choices ?? [];
  const type = question.several ? 'checkbox' : 'radio';
  const name = uniqueId();
  const hint = question.several ? uniqueId() : '';
  const { digits } = context;
  const cards = choices.map((choice, row) => card({ choice, row, type, name, mark, digits }));
  const own = question.own
    ? ownCard(
        { ...context, described: `${hint} ${context.described}` },
        { row: choices.length, type, name, mark, digits },
      )
    : null;
  const box = h(
    'div',
    { class: 'cards' },
    cards.map(({ node }) => node),
    own?.node,
  );

  /** @param {number} row */
  function mark(row) {
    const isOwn = row === choices.length;
    if (!isOwn) edit({ edit: 'close' });
    edit({ edit: 'mark', row });
    if (isOwn) own?.field.focus();
  }

  const tools = question.several ? selectionTools(context, cards, hint) : null;
  const node = h(
    'div',
    { onkeydown: handleDigit, onchange: (/** @type {Event} */ event) => event.stopPropagation() },
    tools?.node,
    box,
  );

  /** @param {KeyboardEvent} event */
  function handleDigit(event) {
    if (!context.digits || !/^[1-9]$/.test(event.key) || isTextField(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const input = [...cards, ...(own ? [own] : [])][Number(event.key) - 1]?.input;
    if (!input || input.closest('[hidden]')) return;
    event.preventDefault();
    input.focus();
    input.click();
  }

  return {
    node,
    isGroup: true,
    hint,
    focus: () =>
      own?.input.checked
        ? own.field.focus()
        : (cards.find(({ input }) => input.checked) ?? cards[0] ?? own).input.focus(),
    target: (entry) => (own && entry.field === 'own' ? own.field.input : (cards[0] ?? own).input),
    sync(entry) {
      const ownOpen =
        Boolean(own) &&
        (question.several
          ? Boolean(entry.own_ticked) || entry.field === 'own'
          : entry.field === 'own' || Boolean(entry.own_ticked));
      cards.forEach(({ input }, row) => {
        const isPicked = Boolean(entry.picked?.includes(choices[row].value));
        input.checked = isPicked && !(ownOpen && !question.several);
      });
      own?.sync(entry, ownOpen);
      tools?.sync(entry);
    },
  };
}

/** @typedef {{ row: number, type: string, name: string, mark: (row: number) => void, digits: boolean }} CardOptions */

/** The key that picks a choice. @param {number} row @param {boolean} digits */
const keyHint = (row, digits) =>
  digits && row < 9 && h('kbd', { 'aria-hidden': 'true' }, String(row + 1));

/**
 * @param {{ choice: Choice } & CardOptions} options
 */
function card({ choice, row, type, name, mark, digits }) {
  const id = uniqueId();
  const described = choice.description ? `${id}-d` : undefined;
  const input = h('input', {
    type,
    id,
    name,
    value: row,
    'aria-describedby': described,
    onchange: () => mark(row),
  });
  const node = h(
    'div',
    { class: 'card' },
    input,
    h(
      'label',
      { for: id },
      bdi(choice.label, 'label'),
      choice.recommended && h('span', { class: 'badge' }, t('recommended')),
    ),
    keyHint(row, digits),
    choice.description &&
      h('p', { id: described, class: 'description', dir: 'auto' }, choice.description),
    choice.preview && choicePreview(choice),
  );
  return { node, input, text: `${choice.label} ${choice.description ?? ''}`.toLowerCase() };
}

/**
 * @param {FieldContext} context
 * @param {CardOptions} options
 */
function ownCard(context, { row, type, name, mark, digits }) {
  const id = uniqueId();
  const input = h('input', { type, id, name, value: row, onchange: () => mark(row) });
  const field = ownField(context);
  const node = h(
    'div',
    { class: 'card own' },
    input,
    h('label', { for: id }, h('span', { class: 'label' }, t('web-something-else'))),
    keyHint(row, digits),
    field.node,
  );
  return {
    node,
    input,
    field,
    text: '',
    /** @param {Entry} entry @param {boolean} isOpen */
    sync(entry, isOpen) {
      input.checked = isOpen;
      field.node.hidden = !isOpen;
      field.sync(entry);
    },
  };
}

/**
 * The line above several choices: their count, "Select all", and a filter for long lists. What the filter hides
 * is not selected by it, and stays selected if it was.
 * @param {FieldContext} context
 * @param {{ node: HTMLElement, text: string }[]} cards
 * @param {string} hint
 */
function selectionTools(context, cards, hint) {
  const choices = context.question.choices ?? [];
  const count = h('span', { class: 'count' });
  const all = button(t('web-select-all'), selectShown, { class: 'quiet' });
  const none = button(t('web-clear-selection'), clearAll, { class: 'quiet' });
  const line = h(
    'div',
    { class: 'tools' },
    h('span', { id: hint }, t('select-several')),
    count,
    all,
    none,
  );
  let current = /** @type {Entry | null} */ (null);
  const isPicked = (/** @type {number} */ row) =>
    Boolean(current?.picked?.includes(choices[row].value));

  function selectShown() {
    if (!cards.some(({ node }) => node.hidden)) return context.edit({ edit: 'mark_all' });
    cards.forEach(({ node }, row) => {
      if (!node.hidden && !choices[row].exclusive && !isPicked(row))
        context.edit({ edit: 'mark', row });
    });
  }

  function clearAll() {
    context.edit({ edit: 'clear' });
    all.focus();
  }

  function drawCount() {
    const picked = cards.filter((_, row) => isPicked(row));
    const hidden = picked.filter(({ node }) => node.hidden).length;
    const selected = picked.length + (current?.own_ticked ? 1 : 0);
    count.textContent = hidden
      ? t('web-selected-hidden', { count: selected, hidden })
      : t('selected-count', { count: selected });
    none.hidden = selected === 0;
  }

  /** @param {Entry} entry */
  const sync = (entry) => {
    current = entry;
    drawCount();
  };
  if (cards.length < FILTER_FROM) return { node: line, sync };
  const id = uniqueId();
  const noMatch = h('p', { class: 'hint', hidden: true }, t('web-choices-shown', { count: 0 }));
  const input = h('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    oninput: filter,
    onkeydown: handleFilterKey,
  });
  function filter() {
    const wanted = input.value.trim().toLowerCase();
    for (const { node, text } of cards) node.hidden = !text.includes(wanted);
    const left = cards.filter(({ node }) => !node.hidden).length;
    noMatch.hidden = left > 0;
    drawCount();
    context.announce(t('web-choices-shown', { count: left }));
  }
  /** @param {KeyboardEvent} event */
  function handleFilterKey(event) {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
    if (event.key !== 'Escape' || !input.value) return;
    event.stopPropagation();
    input.value = '';
    filter();
  }
  const label = h('label', { for: id, class: 'small' }, t('web-filter'));
  return { node: h('div', {}, line, label, input, noMatch), sync };
}
