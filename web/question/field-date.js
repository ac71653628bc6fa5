// A date or a range of dates: typed, picked in a calendar, or chosen by a shortcut such as "Tomorrow".

import { button, div, h, uniqueId } from '../lib/dom.js';
import { textLine } from './field-typed.js';
import { t, today } from '../lib/i18n.js';
import { knownDate, shownAndSent } from '../draft/typed-date.js';

/** @import { Field, FieldContext } from './fields.js' */
/** @import { TypedDate } from '../draft/typed-date.js' */

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Days until the next Monday: 1 to 7. */
const daysToMonday = () => (8 - new Date().getDay()) % 7 || 7;

/** How long after the last key a text is parsed, in milliseconds. */
const PARSE_AFTER_MS = 200;

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
      div(
        'range',
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

/** The days that the question takes; empty for all. @param {FieldContext} context */
function limits({ question: { min, max } }) {
  if (min && max) return t('date-between', { min, max });
  return min ? t('date-min', { min }) : max ? t('date-max', { max }) : '';
}

/** @param {FieldContext} context */
function dateHint(context) {
  return h(
    'p',
    { class: 'hint', id: uniqueId() },
    [limits(context), t('date-any', { example: today() })].filter(Boolean).join(' · '),
  );
}

/**
 * Beside a field: the day that its text means, in full. What is no date (yet) has none; why not is said
 * when the field is left.
 * @param {FieldContext} context
 * @param {'answer' | 'end'} field
 * @param {HTMLInputElement} input
 * @param {HTMLElement} node
 */
function dayEcho(context, field, input, node) {
  const { question, shownDays } = context;
  const takesRange = question.kind === 'date_range' && field === 'answer';
  let timer = 0;
  const typed = () => input.value.trim();

  /** @param {string} text @param {TypedDate | null} meaning */
  function draw(text, meaning) {
    // Only the first of two fields takes both days.
    const date = meaning?.end && !takesRange ? null : meaning?.date;
    const { shown, sent } = shownAndSent(meaning);
    if (date) shownDays.set(`${question.id} ${text}`, sent);
    const last = meaning?.end ?? date;
    const isOutside =
      date &&
      last &&
      ((question.min && date < question.min) || (question.max && last > question.max));
    const isLeft =
      /** @type {ShadowRoot | Document} */ (input.getRootNode()).activeElement !== input;
    const isMarked = input.getAttribute('aria-invalid') === 'true';
    node.textContent = date
      ? [shown, isOutside && limits(context)].filter(Boolean).join(' · ')
      : text && isLeft && !isMarked
        ? (meaning?.problem ?? '')
        : '';
    node.classList.toggle('unclear', Boolean(isOutside) || !date);
  }

  /** Asks what the text means, unless that is known. */
  async function parse() {
    const text = typed();
    const meaning = text ? await context.parseDate(text) : null;
    if (text !== typed()) return;
    draw(text, meaning);
    if (meaning?.date) context.announce(node.textContent ?? '');
  }

  input.addEventListener('blur', () => draw(typed(), knownDate(typed())));
  return () => {
    clearTimeout(timer);
    const text = typed();
    const known = knownDate(text);
    draw(text, known);
    if (text && !known) timer = setTimeout(parse, PARSE_AFTER_MS);
  };
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
  const drawEcho = dayEcho(context, field, input, echo);
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
    node: div('day', div('day-line', input, open, picker), echo),
    /** @param {string} text */
    sync(text) {
      if (input.value !== text) input.value = text;
      drawEcho();
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
  return div(
    'picks',
    fits.map(([label, iso]) => button(label, () => target.setDate(iso), { class: 'quiet' })),
  );
}
