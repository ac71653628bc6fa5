// The field of each kind of question. Those that are seldom needed come with the first question that
// needs them.

import { choiceField } from './field-choice.js';
import { numberField, textField } from './field-typed.js';

/** @import { Edit, Entry } from './draft.js' */
/** @import { Inquiry, Question } from './wire.d.ts' */

/**
 * @typedef {object} FieldContext
 * @property {Question} question
 * @property {string} id the id of the control that the question labels
 * @property {string} described ids of what describes the control
 * @property {boolean} digits whether digits choose
 * @property {(edit: Edit) => void} edit
 * @property {() => void} send
 * @property {(text: string) => void} announce
 * @property {{ text?: string }} memory what was typed and is no answer, kept for when the field is drawn again
 */

/**
 * @typedef {object} Field
 * @property {HTMLElement} node
 * @property {boolean} isGroup whether it is a group of controls with a legend
 * @property {string} [hint] the id of what describes a group before anything is entered
 * @property {() => void} focus
 * @property {(entry: Entry) => HTMLElement} target what an error points to
 * @property {(entry: Entry) => void} sync
 * @property {() => string | null} [problem] why what the field shows cannot be sent, if it is no answer
 */

/** From so many choices one of them is looked for rather than looked at. */
const COMBOBOX_FROM = 5;

/** @type {Record<string, (context: FieldContext) => Field>} */
const makers = { choice: choiceField, text: textField, number: numberField };

/** @type {Record<string, () => Promise<(context: FieldContext) => Field>>} */
const loaders = {
  combobox: async () => (await import('./field-combobox.js')).comboboxField,
  date: async () => (await import('./field-date.js')).dateField,
  date_range: async () => (await import('./field-date.js')).dateRangeField,
};

/** @param {Question} question */
const nameOf = ({ kind, several, choices }) =>
  kind === 'choice' && !several && (choices ?? []).length >= COMBOBOX_FROM ? 'combobox' : kind;

/** Whether all fields of these questions can be drawn now. @param {Question[]} questions */
export const hasFields = (questions) =>
  questions.every((question) => !loaders[nameOf(question)] || makers[nameOf(question)]);

/** Fetches what is missing for these questions. @param {Question[]} questions */
export async function loadFields(questions) {
  const missing = questions.map(nameOf).filter((name) => loaders[name] && !makers[name]);
  await Promise.all(
    missing.map(async (name) => {
      makers[name] = await loaders[name]();
    }),
  );
}

/**
 * The same, if the inquiry waits. Fields that do not come are asked for again when they are to be drawn.
 * @param {Inquiry | null} inquiry
 */
export async function fetchFields(inquiry) {
  if (inquiry?.status === 'pending') await loadFields(inquiry.questions).catch(() => {});
}

/** @param {FieldContext} context @returns {Field} */
export const fieldOf = (context) => (makers[nameOf(context.question)] ?? textField)(context);
