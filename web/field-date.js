// A date or a range of dates: typed, picked in a calendar, or chosen by a shortcut such as "Tomorrow".

import { button, h, uniqueId } from './dom.js';
import { textLine } from './field-typed.js';
import { formatLongDate, t, today, daysToMonday } from './i18n.js';

/** @import { Field, FieldContext } from './fields.js' */

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @param {FieldContext} context @returns {Field} */
export function dateField(context) {
  const hint = dateHint(context);
  const end = dateInput(context, 'answer', {
    id: context.id,
    described: `${hint.id} ${context.described}`,
  });
  const picks = shortcuts(context, end);
  return {
    node: h('div', {}, hint, end.node, picks),
    isGroup: false,
    focus: () => end.input.focus(),
    target: () => end.input,
    sync: (entry) => end.sync(entry.typed ?? ''),
  };
}

/** @param {FieldContext} context @returns {Field} */
export function dateRangeField(context) {
  const hint = dateHint(context);
  const described = `${hint.id} ${context.described}`;
  const from = dateInput(context, 'answer', { id: uniqueId(), described });
  const to = dateInput(context, 'end', { id: uniqueId(), described });
  const label = (/** @type {string} */ id, /** @type {string} */ text) =>
    h('label', { for: id, class: 'small' }, text);
  return {
    node: h(
      'div',
      {},
      hint,
      h(
        'div',
        { class: 'range' },
        h('div', {}, label(from.input.id, t('from')), from.node),
        h('div', {}, label(to.input.id, t('to')), to.node),
      ),
    ),
    isGroup: true,
    hint: hint.id,
    focus: () => from.input.focus(),
    target: (entry) => (entry.typed?.trim() ? to.input : from.input),
    sync(entry) {
      from.sync(entry.typed ?? '');
      to.sync(entry.typed_end ?? '');
    },
  };
}

/** @param {FieldContext} context */
function dateHint({ question }) {
  const { min, max } = question;
  const text =
    min && max
      ? t('date-between', { min, max })
      : min
        ? t('date-min', { min })
        : max
          ? t('date-max', { max })
          : '';
  return h(
    'p',
    { class: 'hint', id: uniqueId() },
    [text, t('date-any', { example: today() })].filter(Boolean).join(' · '),
  );
}

/**
 * A date as text, with a button for the browser's date picker. The echo shows the date in full.
 * @param {FieldContext} context
 * @param {'answer' | 'end'} field
 * @param {{ id: string, described: string }} options
 */
function dateInput(context, field, { id, described }) {
  const echo = h('span', { class: 'echo', id: uniqueId() });
  const input = textLine(context, {
    field,
    props: {
      id,
      class: 'short',
      placeholder: context.question.placeholder,
      'aria-describedby': `${echo.id} ${described}`,
    },
  });
  const picker = h('input', {
    type: 'date',
    class: 'picker',
    tabindex: -1,
    'aria-hidden': 'true',
    min: context.question.min,
    max: context.question.max,
    onchange: () => {
      if (picker.value) setDate(picker.value);
    },
  });
  const open = button(
    '',
    () => {
      if (ISO_DAY.test(input.value)) picker.value = input.value;
      picker.showPicker?.();
    },
    { class: 'calendar', 'aria-label': t('web-pick-date') },
  );
  /** @param {string} iso */
  function setDate(iso) {
    context.edit({ edit: 'write', field, text: iso });
    input.value = iso;
    input.focus();
  }
  return {
    input,
    setDate,
    node: h('div', { class: 'day' }, h('div', { class: 'day-line' }, input, open, picker), echo),
    /** @param {string} text */
    sync(text) {
      if (input.value !== text) input.value = text;
      echo.textContent = ISO_DAY.test(text.trim()) ? formatLongDate(text.trim()) : '';
    },
  };
}

/** @param {FieldContext} context @param {{ setDate: (iso: string) => void }} target */
function shortcuts({ question }, target) {
  const picks = [
    [t('web-today'), today()],
    [t('web-tomorrow'), today(1)],
    [t('web-next-monday'), today(daysToMonday())],
  ];
  const fits = picks.filter(
    ([, iso]) =>
      (!question.min || iso >= String(question.min)) &&
      (!question.max || iso <= String(question.max)),
  );
  return h(
    'div',
    { class: 'picks' },
    fits.map(([label, iso]) => button(label, () => target.setDate(iso), { class: 'quiet' })),
  );
}
