// One of many choices: a text field that filters a list (ARIA combobox). The text in the field is the
// answer: the label of a choice, or own text where that is allowed. Typing replaces the earlier choice.

import { bdi, h, isComposing, uniqueId } from '../lib/dom.js';
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

/** @param {FieldContext} context @returns {Field} */
export function comboboxField(context) {
  const { question, edit, fieldState } = context;
  const choices = question.choices ?? [];
  const listId = uniqueId();
  const hintId = uniqueId();
  const input = h('input', {
    id: context.id,
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-expanded': 'true',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    'aria-describedby': `${hintId} ${context.described}`,
    placeholder: question.placeholder ?? t('web-filter'),
    oninput: handleInput,
    onkeydown: handleKey,
    dir: 'auto',
  });
  const rows = choices.map((choice, row) =>
    option(row, [
      bdi(choice.label, 'label'),
      choice.recommended && h('span', { class: 'badge' }, t('recommended')),
      choice.description && h('span', { class: 'description', dir: 'auto' }, choice.description),
    ]),
  );
  const ownText = h('span', { class: 'label' });
  const ownRow = option(choices.length, [ownText]);
  const hint = h('p', { id: hintId, class: 'hint' });
  const list = h(
    'ul',
    { id: listId, role: 'listbox', 'aria-label': question.header ?? question.text, tabindex: -1 },
    rows,
    ownRow,
  );
  ownRow.hidden = true;
  let active = -1;
  /** Whether the text was typed and not yet confirmed with Enter or a click. */
  let isUnconfirmed = false;
  /** @type {Entry} */
  let current = { focus: 0 };

  /** @param {number} row @param {any[]} content */
  function option(row, content) {
    return h(
      'li',
      {
        id: uniqueId(),
        role: 'option',
        'aria-selected': 'false',
        // The text field keeps the focus.
        onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => choose(row),
      },
      h('span', { class: 'tick', 'aria-hidden': 'true' }),
      h('span', { class: 'option-text' }, content),
    );
  }

  const visible = () =>
    [...rows, ownRow].map((node, row) => ({ node, row })).filter(({ node }) => !node.hidden);

  function handleInput() {
    const text = input.value;
    const row = rowWithLabel(choices, text);
    fieldState.text = text;
    isUnconfirmed = true;
    edit({ edit: 'clear' });
    if (question.own_text) edit({ edit: 'write', field: 'own', text: row < 0 ? text : '' });
    if (row >= 0) mark(row);
    filterRows();
    activate(-1);
    context.announce(hint.textContent ?? '');
  }

  /** @param {number} row */
  function mark(row) {
    edit({ edit: 'close' });
    edit({ edit: 'mark', row });
  }

  function filterRows() {
    const wanted = input.value.trim().toLowerCase();
    rows.forEach((node, row) => {
      const { label, description = '' } = choices[row];
      node.hidden = !`${label} ${description}`.toLowerCase().includes(wanted);
    });
    count();
  }

  function count() {
    const shown = visible().filter(({ row }) => row < choices.length || current.own_ticked);
    hint.textContent = t('web-choices-shown', { count: shown.length });
  }

  /** @param {number} at index among the visible rows; -1 for none */
  function activate(at) {
    const shown = visible();
    active = shown.length === 0 ? -1 : at;
    for (const node of [...rows, ownRow]) node.classList.remove('active');
    const target = shown[active]?.node;
    if (!target) return input.removeAttribute('aria-activedescendant');
    target.classList.add('active');
    input.setAttribute('aria-activedescendant', target.id);
    target.scrollIntoView({ block: 'nearest' });
    return undefined;
  }

  /** @param {number} row */
  function choose(row) {
    // Own words are typed first.
    if (row === choices.length && !current.own_ticked) {
      activate(-1);
      input.focus();
      context.announce(ownText.textContent ?? '');
      return;
    }
    isUnconfirmed = false;
    if (row < choices.length) {
      fieldState.text = '';
      if (question.own_text) edit({ edit: 'write', field: 'own', text: '' });
      mark(row);
    }
    for (const node of rows) node.hidden = false;
    count();
    activate(visible().findIndex((shown) => shown.row === row));
    if (row < choices.length) context.picked();
  }

  function erase() {
    input.value = '';
    handleInput();
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = visible().length - 1;
    if (event.key === 'ArrowDown') activate(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') activate(active <= 0 ? last : active - 1);
    else if (event.key === 'Enter') {
      if (!event.repeat) handleEnter();
    } else if (event.key === 'Escape' && (input.value || active >= 0)) {
      event.stopPropagation();
      erase();
      return;
    } else {
      if (event.key === 'Home' || event.key === 'End') activate(-1);
      return;
    }
    event.preventDefault();
  }

  /** The first Enter confirms the active row or the text, the next one sends. */
  function handleEnter() {
    const shown = visible();
    const only = shown.filter(({ row }) => row < choices.length || current.own_ticked);
    const target = shown[active] ?? (isUnconfirmed && only.length === 1 ? only[0] : undefined);
    const isChosen = Boolean(current.picked?.length || current.own_ticked);
    if (target && (isUnconfirmed || target.node.getAttribute('aria-selected') !== 'true'))
      choose(target.row);
    else if (isUnconfirmed && isChosen)
      choose(current.own_ticked ? choices.length : rowWithLabel(choices, input.value));
    else if (isChosen) context.send();
    else if (isWritten(input.value)) context.announce(problem() ?? '');
  }

  function problem() {
    return isWritten(input.value) && !current.picked?.length && !current.own_ticked
      ? t('web-no-such-choice', { text: input.value.trim() })
      : null;
  }

  return {
    node: h('div', { class: 'combobox' }, hint, input, list),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    problem,
    sync(entry) {
      current = entry;
      const isOwn = Boolean(entry.own_ticked) && isWritten(entry.own);
      const picked = choices.findIndex(({ value }) => entry.picked?.includes(value));
      rows.forEach((node, row) => {
        node.setAttribute('aria-selected', String(row === picked));
      });
      ownRow.setAttribute('aria-selected', String(isOwn));
      ownRow.hidden = !question.own_text || (picked >= 0 && isUnconfirmed);
      ownText.textContent = isOwn
        ? t('web-use-typed', { text: (entry.own ?? '').trim() })
        : t('web-type-own');
      // Shows the answer, also one from another device. Text that is not an answer stays.
      const text =
        picked >= 0 ? choices[picked].label : isOwn ? (entry.own ?? '') : (fieldState.text ?? '');
      const isShown =
        picked >= 0 ? rowWithLabel(choices, input.value) === picked : input.value === text;
      if (!isShown) input.value = text;
      count();
    },
  };
}
