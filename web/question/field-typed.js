// Fields for typed answers: text and numbers. The text is sent as typed; the server parses it by the same rules for every
// surface.

import { div, h, hasKeyboard, uniqueId } from '../lib/dom.js';
import { intlTag, t } from '../lib/i18n.js';
import { TEXT_CHARS_MAX, textArea } from './text-area.js';

/** @import { DraftField } from '../draft/draft.js' */
/** @import { Field, FieldContext } from './fields.js' */

/** @param {number | string | null | undefined} value other values are returned as text */
const formatNumber = (value) =>
  typeof value === 'number'
    ? new Intl.NumberFormat(intlTag(), { maximumFractionDigits: 20 }).format(value)
    : String(value ?? '');

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
    node: h('div', {}, input, div('under', hint, counter)),
    isGroup: false,
    focus: () => input.focus(),
    target: () => input,
    sync: (entry) => sync(entry.typed ?? ''),
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
