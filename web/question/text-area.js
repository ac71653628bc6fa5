// Fields for text beside choices: own text and notes, and what every long text has.

import { div, h, hasKeyboard, isComposing, uniqueId } from '../lib/dom.js';
import { t } from '../lib/i18n.js';

/** @import { DraftField, Entry } from '../draft/draft.js' */
/** @import { FieldContext } from './fields.js' */

/** Limits of texts without their own limit, and of notes, in characters. */
export const TEXT_CHARS_MAX = 10_000;
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
export function textArea(context, { field, max, enterSends, props }) {
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
    node: div(
      'reveal',
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

/** @param {FieldContext} context @param {() => void} onToggle */
export function noteField(context, onToggle) {
  const id = uniqueId();
  const { input, counter, sync } = textArea(context, {
    field: 'note',
    max: NOTE_CHARS_MAX,
    enterSends: false,
    props: { id },
  });
  const details = h(
    'details',
    { class: 'note', ontoggle: onToggle },
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
