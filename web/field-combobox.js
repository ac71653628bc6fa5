// One of many choices: a text field that narrows a list which is always open. Words that match
// nothing are an answer of one's own, where that is allowed, and stand as the last row.

import { bdi, h, isComposing, uid } from './dom.js';
import { isWritten } from './draft.js';
import { t } from './words.js';

/** @import { Entry } from './draft.js' */
/** @import { Field, FieldContext } from './fields.js' */

/** @param {FieldContext} context @returns {Field} */
export function comboboxField(context) {
  const { question, edit } = context;
  const choices = question.choices ?? [];
  const listId = uid();
  const hintId = uid();
  const input = h('input', {
    id: context.id, type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: 'false',
    'aria-expanded': 'true', 'aria-controls': listId, 'aria-autocomplete': 'list', 'aria-describedby': `${hintId} ${context.described}`,
    placeholder: question.placeholder ?? t('web-filter'), oninput: narrow, onkeydown: keys, dir: 'auto',
  });
  const rows = choices.map((choice, row) => option(row, [
    bdi(choice.label, 'label'),
    choice.recommended && h('span', { class: 'badge' }, t('recommended')),
    choice.description && h('span', { class: 'description', dir: 'auto' }, choice.description),
  ]));
  const ownText = h('span', { class: 'label' });
  const ownRow = option(choices.length, [ownText]);
  const hint = h('p', { id: hintId, class: 'hint' });
  const list = h('ul', { id: listId, role: 'listbox', 'aria-label': question.header ?? question.text, tabindex: -1 }, rows, ownRow);
  ownRow.hidden = true;
  let active = -1;
  let isFirst = true;
  /** @type {Entry} */
  let current = { focus: 0 };

  /** @param {number} row @param {any[]} content */
  function option(row, content) {
    return h('li', {
      id: uid(), role: 'option', 'aria-selected': 'false',
      // The field keeps the focus, so that typing goes on.
      onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
      onclick: () => choose(row),
    }, h('span', { class: 'tick', 'aria-hidden': 'true' }), h('span', { class: 'words' }, content));
  }

  const visible = () => [...rows, ownRow].map((node, row) => ({ node, row })).filter(({ node }) => !node.hidden);

  function narrow() {
    const typed = input.value.trim();
    const wanted = typed.toLowerCase();
    rows.forEach((node, row) => {
      const { label, description = '' } = choices[row];
      node.hidden = !`${label} ${description}`.toLowerCase().includes(wanted);
    });
    const exact = choices.some(({ label }) => label.toLowerCase() === wanted);
    ownRow.hidden = !question.own_text || exact || typed === '';
    ownText.textContent = t('web-use-typed', { text: typed });
    activate(-1);
    count();
    context.announce(hint.textContent ?? '');
  }

  function count() { hint.textContent = t('web-choices-shown', { count: visible().length }); }

  /** @param {number} at place among the visible rows; -1 for none */
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
    if (row === choices.length) edit({ edit: 'write', field: 'own', text: input.value.trim() });
    else {
      edit({ edit: 'close' });
      edit({ edit: 'mark', row });
      input.value = choices[row].label;
    }
    for (const node of rows) node.hidden = false;
    ownRow.hidden = row !== choices.length;
    activate(visible().findIndex((shown) => shown.row === row));
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = visible();
    const last = shown.length - 1;
    if (event.key === 'ArrowDown') activate(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') activate(active <= 0 ? last : active - 1);
    else if (event.key === 'Enter') enter(shown);
    else if (event.key === 'Escape' && (input.value || active >= 0)) {
      event.stopPropagation();
      input.value = '';
      narrow();
      return;
    } else {
      if (event.key === 'Home' || event.key === 'End') activate(-1);
      return;
    }
    event.preventDefault();
  }

  /** @param {{ node: HTMLElement, row: number }[]} shown */
  function enter(shown) {
    const row = shown[active]?.row ?? (shown.length === 1 ? shown[0].row : undefined);
    const isTaken = row !== undefined && shown.find((each) => each.row === row)?.node.getAttribute('aria-selected') === 'true';
    if (isTaken || (row === undefined && (current.picked?.length || current.own_ticked))) context.send();
    else if (row !== undefined) choose(row);
  }

  return {
    node: h('div', { class: 'combobox' }, hint, input, list),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    sync(entry) {
      current = entry;
      const isOwn = Boolean(entry.own_ticked) && isWritten(entry.own);
      rows.forEach((node, row) => { node.setAttribute('aria-selected', String(Boolean(entry.picked?.includes(choices[row].value)))); });
      ownRow.setAttribute('aria-selected', String(isOwn));
      if (isOwn) {
        ownRow.hidden = false;
        ownText.textContent = t('web-use-typed', { text: entry.own ?? '' });
        if (!input.value) input.value = entry.own ?? '';
      }
      const picked = choices.find(({ value }) => entry.picked?.includes(value));
      // A draft that comes back shows what was taken; later the field belongs to who types in it.
      if (picked && isFirst) input.value = picked.label;
      isFirst = false;
      count();
    },
  };
}
