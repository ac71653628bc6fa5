// The field of each kind of question. Rare ones are loaded with the first question that needs them.

import { loadExtraStyles } from '../lib/dom.js';
import { choiceField } from './field-choice.js';

/** @import { Edit, Entry } from '../draft/draft.js' */
/** @import { TypedDate } from '../draft/typed-date.js' */
/** @import { Inquiry, Question } from '../lib/wire.d.ts' */

/**
 * @typedef {object} FieldContext
 * @property {Question} question
 * @property {string} id the id of the control that the question labels
 * @property {string} described ids for aria-describedby
 * @property {boolean} digits whether digits pick choices
 * @property {(edit: Edit) => void} edit
 * @property {() => void} send
 * @property {boolean} isOneStep a choice is a button that sends it, unless a note or own text was begun
 * @property {() => void} picked called after a choice was picked
 * @property {(text: string) => void} announce
 * @property {(text: string) => Promise<TypedDate | null>} parseDate
 * @property {Map<string, string>} shownDays ISO days that are shown, by question id and typed text
 * @property {{ text?: string }} fieldState typed text that is not an answer, kept while the form is redrawn
 */

/**
 * @typedef {object} Field
 * @property {HTMLElement} node
 * @property {boolean} isGroup several controls with a legend
 * @property {string} [hint] the id of the hint that describes a group
 * @property {() => void} focus
 * @property {(entry: Entry) => HTMLElement} target the control that an error points to
 * @property {(entry: Entry) => void} sync
 * @property {() => string | null} [problem] why the text in the field is not an answer
 */

/** Whether a choice is all that there is to answer: one question, one of several choices. @param {Question[]} questions */
export const isOneChoice = ([{ kind, several, choices = [] }, ...others]) =>
  others.length === 0 && /^(choice|confirm)$/.test(kind) && !several && choices.length > 1;

/** From this many choices on a single choice is a combobox. */
const COMBOBOX_FROM = 5;

/** @type {Record<string, (context: FieldContext) => Field>} */
const factories = { choice: choiceField };

/** @type {Record<string, () => Promise<(context: FieldContext) => Field>>} */
const loaders = {
  text: async () => (await import('./field-typed.js')).textField,
  number: async () => (await import('./field-typed.js')).numberField,
  several: async () => {
    const { selectionTools } = await styled(import('./selection-tools.js'));
    return (context) => choiceField(context, selectionTools);
  },
  combobox: async () => {
    const { ComboboxField } = await styled(import('./field-combobox.js'));
    return (context) => new ComboboxField(context);
  },
  date: async () => (await styled(import('./field-date.js'))).dateField,
  date_range: async () => (await styled(import('./field-date.js'))).dateRangeField,
};

/** A module, with its styles. @template T @param {Promise<T>} module @returns {Promise<T>} */
const styled = async (module) => (await Promise.all([module, loadExtraStyles()]))[0];

/** What several questions have, once it is loaded. @type {typeof import('./several-questions.js') | null} */
export let severalQuestions = null;

/** @param {Question} question */
function fieldName({ kind, several, choices = [] }) {
  // An unknown kind takes text.
  if (!/^(choice|confirm)$/.test(kind)) return loaders[kind] ? kind : 'text';
  return several ? 'several' : choices.length >= COMBOBOX_FROM ? 'combobox' : 'choice';
}

/** Whether the fields of these questions are loaded. @param {Question[]} questions */
export const hasFields = (questions) =>
  (questions.length < 2 || severalQuestions !== null) &&
  questions.every((question) => !loaders[fieldName(question)] || factories[fieldName(question)]);

/** Loads what the form of one inquiry needs. @param {Question[]} questions */
export async function loadFields(questions) {
  if (questions.length > 1) severalQuestions ??= await styled(import('./several-questions.js'));
  const missing = questions.map(fieldName).filter((name) => loaders[name] && !factories[name]);
  await Promise.all(
    missing.map(async (name) => {
      factories[name] = await loaders[name]();
    }),
  );
}

/**
 * Loads the fields of a pending inquiry. A failure is ignored here; drawing the form tries again.
 * @param {Inquiry | null} inquiry
 */
export async function fetchFields(inquiry) {
  if (inquiry?.status === 'pending') await loadFields(inquiry.questions).catch(() => {});
}

/** @param {FieldContext} context @returns {Field} */
export const fieldOf = (context) => factories[fieldName(context.question)](context);
