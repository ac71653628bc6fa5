// Fields for typed answers: text, number, own text and notes. The text is sent as typed; the server
// parses it by the same rules for every surface.

import { h, hasKeyboard, isComposing, uniqueId } from '../lib/dom.js';
import { formatNumber, t } from '../lib/i18n.js';

/** @import { DraftField, Entry } from '../draft/draft.js' */
/** @import { Field, FieldContext } from './fields.js' */

/** Limits of texts without their own limit, and of notes, in characters. */
const TEXT_CHARS_MAX = 10_000;
const NOTE_CHARS_MAX = 4_000;
/** The share of the limit from which on the counter is shown. */
const COUNTER_FROM = 0.8;
const ROWS_MIN = 2;
const ROWS_MAX = 10;

/**
 * A text field that grows with its text.
 * @param {FieldContext} context
 * @param {{ field: DraftField, max: number, enterSends: boolean, props: Record<string, any> }} options
 */
function textArea(context, { field, max, enterSends, props }) {
  const counter = h('span', { class: 'counter', id: uniqueId() });
  const input = h('textarea', {
    rows: ROWS_MIN,
    dir: 'auto',
    autocomplete: 'off',
    ...props,
    'aria-describedby': [props['aria-describedby'], counter.id].filter(Boolean).join(' '),
    oninput: () => {
      context.edit({ edit: 'write', field, text: input.value });
      fitHeight();
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const isPlain =
        event.key === 'Enter' &&
        !event.shiftKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey;
      // On a keyboard of the screen, Return makes a new line: there is no Shift+Enter.
      if (!isPlain || !enterSends || event.repeat || !hasKeyboard()) return;
      if (isComposing(event)) {
        event.preventDefault();
        return;
      }
      event.preventDefault();
      context.send();
    },
  });
  function fitHeight() {
    const lines = input.value.split('\n').length;
    input.rows = Math.min(Math.max(lines, ROWS_MIN), ROWS_MAX);
    // Wrapped lines are not counted above; measure the content.
    if (input.scrollHeight > input.clientHeight + 2 && input.clientHeight > 0) {
      const line = Number.parseFloat(getComputedStyle(input).lineHeight) || 24;
      input.rows = Math.min(ROWS_MAX, Math.max(input.rows, Math.floor(input.scrollHeight / line)));
    }
  }
  /** @param {string} text */
  function sync(text) {
    // Setting the value would move the caret.
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
  const hint = h('p', { class: 'hint', id: uniqueId() }, hasKeyboard() && t('web-enter-sends'));
  const { input, counter, sync } = textArea(context, {
    field: 'answer',
    max: question.max_length ?? TEXT_CHARS_MAX,
    enterSends: true,
    props: {
      id: context.id,
      placeholder: question.placeholder,
      'aria-describedby': `${context.described} ${hint.id}`,
    },
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
 * Own text beside or instead of choices.
 * @param {FieldContext} context
 */
export function ownField(context) {
  const id = uniqueId();
  const { input, counter, sync } = textArea(context, {
    field: 'own',
    max: TEXT_CHARS_MAX,
    enterSends: !context.question.several,
    props: { id, 'aria-describedby': context.described },
  });
  return {
    node: h(
      'div',
      { class: 'reveal' },
      h('label', { for: id, class: 'small' }, t('web-own-answer')),
      input,
      counter,
    ),
    input,
    focus: () => input.focus(),
    /** @param {Entry} entry */
    sync: (entry) => sync(entry.own ?? ''),
  };
}

/** @param {FieldContext} context */
export function noteField(context) {
  const id = uniqueId();
  const { input, counter, sync } = textArea(context, {
    field: 'note',
    max: NOTE_CHARS_MAX,
    enterSends: false,
    props: { id },
  });
  const details = h(
    'details',
    { class: 'note' },
    h('summary', {}, t('web-add-note')),
    h('label', { for: id, class: 'small' }, t('note')),
    input,
    counter,
  );
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
 * A single line, for a number or a date.
 * @param {FieldContext} context
 * @param {{ field: DraftField, props: Record<string, any> }} options
 */
export function textLine(context, { field, props }) {
  const input = h('input', {
    type: 'text',
    autocomplete: 'off',
    dir: 'auto',
    ...props,
    onfocus: () => {
      if (context.question.kind === 'date_range') context.edit({ edit: 'open', field });
    },
    oninput: () => context.edit({ edit: 'write', field, text: input.value }),
  });
  return input;
}

/** @param {FieldContext} context @returns {Field} */
export function numberField(context) {
  const { question } = context;
  const hint = h('p', { class: 'hint', id: uniqueId() }, numberHint(context));
  const input = textLine(context, {
    field: 'answer',
    props: {
      id: context.id,
      inputmode: 'decimal',
      class: 'short',
      placeholder: question.placeholder,
      'aria-describedby': `${hint.id} ${context.described}`,
    },
  });
  return {
    node: h('div', {}, hint, input),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    sync: (entry) => {
      if (input.value !== (entry.typed ?? '')) input.value = entry.typed ?? '';
    },
  };
}

/** @param {FieldContext} context */
function numberHint({ question }) {
  const { min, max, step, integer } = question;
  const kind = integer ? 'number-whole' : 'number';
  const [hasMin, hasMax] = [min, max].map((bound) => typeof bound === 'number');
  const bounds = hasMin && hasMax ? 'range' : hasMin ? 'min' : hasMax ? 'max' : '';
  const suffix = bounds ? `-${bounds}` : integer ? '' : '-any';
  const text = t(kind + suffix, { min: formatNumber(min), max: formatNumber(max) });
  return !step || step === 1 ? text : `${text}, ${t('number-step', { step: formatNumber(step) })}`;
}
