// What stands above checkboxes: how many are selected, "Select all", and a filter for long lists. The checkboxes are in
// field-choice.js.

import { button, div, h, span, uniqueId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';

/** @import { Entry } from '../draft/draft.js' */
/** @import { FieldContext } from './fields.js' */

/** From this many choices on there is a filter. */
const FILTER_FROM = 5;

/**
 * What the filter hides is not selected by "Select all", and stays selected if it was.
 * @param {FieldContext} context
 * @param {{ node: HTMLElement, text: string }[]} cards
 * @param {string} hint
 */
export function selectionTools(context, cards, hint) {
  const choices = context.question.choices ?? [];
  const count = span('count');
  const all = button(t('web-select-all'), selectShown, { class: 'quiet' });
  const none = button(t('web-clear-selection'), clearAll, { class: 'quiet' });
  const line = div('tools', h('span', { id: hint }, t('select-several')), count, all, none);
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
