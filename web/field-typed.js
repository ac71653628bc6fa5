// Fields into which an answer is typed: text, number, day, range of days, own words, a note. What
// was typed goes to the server as it is; days and numbers are read there, for every surface alike.

import { button, h, isComposing, uid } from './dom.js';
import { longDay, shown, t, today, toMonday } from './words.js';

/** @import { DraftField, Entry } from './wire.d.ts' */
/** @import { Field, FieldContext } from './question-form.js' */

/** Characters of an own text or a text without a limit of its own, and of a note. */
const TEXT_CHARS_MAX = 10_000;
const NOTE_CHARS_MAX = 4_000;
/** The part of the limit from which on the counter is shown. */
const COUNTER_FROM = 0.8;
const ROWS_MIN = 2;
const ROWS_MAX = 10;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A text field that grows with its text.
 * @param {FieldContext} context
 * @param {{ field: DraftField, max: number, enterSends: boolean, props: Record<string, any> }} options
 */
function area(context, { field, max, enterSends, props }) {
  const counter = h('span', { class: 'counter', id: uid() });
  const input = h('textarea', {
    rows: ROWS_MIN, dir: 'auto', ...props,
    'aria-describedby': [props['aria-describedby'], counter.id].filter(Boolean).join(' '),
    oninput: () => { context.edit({ edit: 'write', field, text: input.value }); fitHeight(); },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const isPlain = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || !enterSends || event.repeat) return;
      if (isComposing(event)) { event.preventDefault(); return; }
      event.preventDefault();
      context.send();
    },
  });
  function fitHeight() {
    const lines = input.value.split('\n').length;
    input.rows = Math.min(Math.max(lines, ROWS_MIN), ROWS_MAX);
    // Wrapped lines are not counted above; the height of the content is known once it is drawn.
    if (input.scrollHeight > input.clientHeight + 2 && input.clientHeight > 0) {
      const line = Number.parseFloat(getComputedStyle(input).lineHeight) || 24;
      input.rows = Math.min(ROWS_MAX, Math.max(input.rows, Math.floor(input.scrollHeight / line)));
    }
  }
  /** @param {string} text */
  function sync(text) {
    // A field that shows the text already keeps its caret.
    if (input.value !== text) input.value = text;
    const used = [...text].length;
    counter.textContent = used >= max * COUNTER_FROM ? t('counter', { used, max }) : '';
    counter.classList.toggle('over', used > max);
    queueMicrotask(fitHeight);
  }
  return { input, counter, sync };
}

/** @param {FieldContext} context @returns {Field} */
export function textField(context) {
  const { question } = context;
  const hint = h('p', { class: 'hint', id: uid() }, t('web-enter-sends'));
  const { input, counter, sync } = area(context, {
    field: 'answer', max: question.max_length ?? TEXT_CHARS_MAX, enterSends: true,
    props: { id: context.id, placeholder: question.placeholder, 'aria-describedby': `${context.described} ${hint.id}` },
  });
  return {
    node: h('div', {}, input, h('div', { class: 'under' }, hint, counter)),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    sync: (entry) => sync(entry.typed ?? ''),
  };
}

/**
 * Own words beside or instead of choices.
 * @param {FieldContext} context
 */
export function ownField(context) {
  const id = uid();
  const { input, counter, sync } = area(context, {
    field: 'own', max: TEXT_CHARS_MAX, enterSends: !context.question.several, props: { id },
  });
  return {
    node: h('div', { class: 'reveal' }, h('label', { for: id, class: 'small' }, t('web-own-answer')), input, counter),
    input,
    focus: () => input.focus(),
    /** @param {Entry} entry */
    sync: (entry) => sync(entry.own ?? ''),
  };
}

/** @param {FieldContext} context */
export function noteField(context) {
  const id = uid();
  const { input, counter, sync } = area(context, { field: 'note', max: NOTE_CHARS_MAX, enterSends: false, props: { id } });
  const details = h('details', { class: 'note' }, h('summary', {}, t('web-add-note')),
    h('label', { for: id, class: 'small' }, t('note')), input, counter);
  return {
    node: details,
    /** @param {Entry} entry */
    sync(entry) {
      sync(entry.note ?? '');
      if (entry.note) details.open = true;
    },
  };
}

/**
 * A line of text: a number or a day.
 * @param {FieldContext} context
 * @param {{ field: DraftField, props: Record<string, any> }} options
 */
function line(context, { field, props }) {
  const input = h('input', {
    type: 'text', autocomplete: 'off', dir: 'auto', ...props,
    onfocus: () => { if (context.question.kind === 'date_range') context.edit({ edit: 'open', field }); },
    oninput: () => context.edit({ edit: 'write', field, text: input.value }),
  });
  return input;
}

/** @param {FieldContext} context @returns {Field} */
export function numberField(context) {
  const { question } = context;
  const hint = h('p', { class: 'hint', id: uid() }, numberHint(context));
  const input = line(context, { field: 'answer', props: {
    id: context.id, inputmode: 'decimal', class: 'short', placeholder: question.placeholder, 'aria-describedby': `${hint.id} ${context.described}`,
  } });
  return {
    node: h('div', {}, hint, input),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    sync: (entry) => { if (input.value !== (entry.typed ?? '')) input.value = entry.typed ?? ''; },
  };
}

/** @param {FieldContext} context */
function numberHint({ question }) {
  const { min, max, step, integer } = question;
  const kind = integer ? 'number-whole' : 'number';
  const bounds = min !== undefined && max !== undefined ? 'range' : min !== undefined ? 'min' : max !== undefined ? 'max' : '';
  const suffix = bounds ? `-${bounds}` : integer ? '' : '-any';
  const text = t(kind + suffix, { min: shown(min), max: shown(max) });
  return step === undefined || step === 1 ? text : `${text}, ${t('number-step', { step: shown(step) })}`;
}

/** @param {FieldContext} context @returns {Field} */
export function dateField(context) {
  const end = day(context, 'answer', { id: context.id, described: context.described });
  const picks = quickPicks(context, end);
  return {
    node: h('div', {}, dateHint(context), end.node, picks),
    isGroup: false,
    focus: () => end.input.focus(),
    target: () => end.input,
    sync: (entry) => end.sync(entry.typed ?? ''),
  };
}

/** @param {FieldContext} context @returns {Field} */
export function dateRangeField(context) {
  const from = day(context, 'answer', { id: uid(), described: context.described });
  const to = day(context, 'end', { id: uid(), described: context.described });
  const label = (/** @type {string} */ id, /** @type {string} */ text) => h('label', { for: id, class: 'small' }, text);
  return {
    node: h('div', {}, dateHint(context), h('div', { class: 'range' },
      h('div', {}, label(from.input.id, t('from')), from.node),
      h('div', {}, label(to.input.id, t('to')), to.node))),
    isGroup: true,
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
  const text = min && max ? t('date-between', { min, max }) : min ? t('date-min', { min }) : max ? t('date-max', { max }) : '';
  return h('p', { class: 'hint' }, [text, t('date-any', { example: today() })].filter(Boolean).join(' · '));
}

/**
 * A day as text, with a button for the picker of the browser.
 * @param {FieldContext} context
 * @param {'answer' | 'end'} field
 * @param {{ id: string, described: string }} options
 */
function day(context, field, { id, described }) {
  const echo = h('span', { class: 'echo', id: uid() });
  const input = line(context, { field, props: { id, class: 'short', placeholder: context.question.placeholder, 'aria-describedby': `${echo.id} ${described}` } });
  const picker = h('input', {
    type: 'date', class: 'picker', tabindex: -1, 'aria-hidden': 'true', min: context.question.min, max: context.question.max,
    onchange: () => { if (picker.value) put(picker.value); },
  });
  const open = button('', () => {
    if (ISO_DAY.test(input.value)) picker.value = input.value;
    picker.showPicker?.();
  }, { class: 'calendar', 'aria-label': t('web-pick-date') });
  /** @param {string} iso */
  function put(iso) {
    context.edit({ edit: 'write', field, text: iso });
    input.value = iso;
    input.focus();
  }
  return {
    input, put,
    node: h('div', { class: 'day' }, h('div', { class: 'day-line' }, input, open, picker), echo),
    /** @param {string} text */
    sync(text) {
      if (input.value !== text) input.value = text;
      echo.textContent = ISO_DAY.test(text.trim()) ? longDay(text.trim()) : '';
    },
  };
}

/** @param {FieldContext} context @param {{ put: (iso: string) => void }} target */
function quickPicks({ question }, target) {
  const picks = [[t('web-today'), today()], [t('web-tomorrow'), today(1)], [t('web-next-monday'), today(toMonday())]];
  const fits = picks.filter(([, iso]) => (!question.min || iso >= String(question.min)) && (!question.max || iso <= String(question.max)));
  return h('div', { class: 'picks' }, fits.map(([label, iso]) => button(label, () => target.put(iso), { class: 'quiet' })));
}
