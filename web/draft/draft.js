// The draft of an answer: the same JSON and the same rules as the reducer in askback-core, so that a
// draft can be continued on another surface. tests/draft-vectors.test.mjs compares the two.

/** @import { Inquiry, Question } from '../lib/wire.d.ts' */
/** @typedef {'answer' | 'end' | 'own' | 'note'} DraftField */
/** @typedef {{ question: number } | 'review'} Page */
/** @typedef {{ page: Page, entries: Entry[], review_focus: number, from_review?: boolean }} Draft */

/**
 * The JSON form of the core's draft of one question.
 * @typedef {object} Entry
 * @property {number} focus
 * @property {DraftField} [field]
 * @property {string[]} [picked]
 * @property {string} [own]
 * @property {boolean} [own_ticked]
 * @property {string} [typed]
 * @property {string} [typed_end]
 * @property {'start' | 'end'} [part]
 * @property {string} [note]
 * @property {boolean} [skipped]
 */

/**
 * @typedef {{ edit: 'mark', row: number } | { edit: 'clear' } | { edit: 'mark_all' } | { edit: 'open', field: DraftField } | { edit: 'close' }
 *   | { edit: 'write', field: DraftField, text: string } | { edit: 'skip' } | { edit: 'go_to' | 'reopen', page: number }} Edit
 */

/** @param {string | undefined} text */
export const isWritten = (text) => (text ?? '').trim() !== '';

const FIELDS = /** @type {const} */ ({
  answer: 'typed',
  end: 'typed_end',
  own: 'own',
  note: 'note',
});

/** Longer texts are cut. The limits of answers are lower; the server checks them. */
const FIELD_CHARS_MAX = 100_000;

/** @param {Question} question */
const choices = (question) => question.choices ?? [];

/** @param {Question[]} questions @returns {Draft} */
export const newDraft = (questions) => ({
  page: { question: 0 },
  entries: questions.map(() => ({ focus: 0 })),
  review_focus: 0,
});

/**
 * @param {Question} question
 * @param {Entry} entry
 * @returns {'answered' | 'skipped' | 'unanswered'}
 */
export function answerStatus(question, entry) {
  if (entry.skipped) return 'skipped';
  if (isOwnEmpty(question, entry)) return 'unanswered';
  const isAnswered = question.choices
    ? (entry.picked ?? []).length > 0 || hasOwn(entry)
    : isWritten(entry.typed) || (question.kind === 'date_range' && isWritten(entry.typed_end));
  return isAnswered ? 'answered' : 'unanswered';
}

/** @param {Entry} entry */
const hasOwn = (entry) => Boolean(entry.own_ticked) && isWritten(entry.own);

/**
 * Fits a stored draft to the questions: what does not belong to them is dropped.
 * @param {Question[]} questions
 * @param {Draft} stored
 * @returns {Draft}
 */
export function restore(questions, stored) {
  const entries = questions.map((question, at) =>
    fitEntry(question, stored.entries?.[at] ?? { focus: 0 }),
  );
  const last = questions.length - 1;
  /** @type {Draft} */
  const draft = {
    page: { question: 0 },
    entries,
    review_focus: Math.min(stored.review_focus ?? 0, questions.length),
  };
  if (stored.page === 'review' && last > 0) draft.page = 'review';
  else if (typeof stored.page === 'object')
    draft.page = { question: Math.min(stored.page.question, last) };
  if (stored.from_review) draft.from_review = true;
  return draft;
}

/**
 * @param {Question} question
 * @param {Entry} entry
 * @returns {Entry}
 */
function fitEntry(question, entry) {
  const values = choices(question).map((choice) => choice.value);
  const rows = values.length + (question.own ? 1 : 0);
  const own_ticked = Boolean(entry.own_ticked && question.own);
  let picked = values.filter((value) => entry.picked?.includes(value));
  if (question.choices && !question.several) picked = own_ticked ? [] : picked.slice(0, 1);
  const field =
    entry.field === 'note' || (entry.field === 'own' && question.own) ? entry.field : undefined;
  return omitEmpty({
    ...entry,
    focus: Math.min(entry.focus ?? 0, Math.max(rows - 1, 0)),
    skipped: Boolean(entry.skipped && question.optional),
    picked,
    own_ticked,
    field,
  });
}

/**
 * The entry without default values, as the core serialises it.
 * @param {Entry} entry
 * @returns {Entry}
 */
function omitEmpty(entry) {
  const kept = Object.entries(entry).filter(
    ([name, value]) =>
      name === 'focus' || (value && value !== 'start' && /** @type {any} */ (value).length !== 0),
  );
  return /** @type {Entry} */ (Object.fromEntries(kept));
}

/**
 * The draft after an edit. Pure.
 * @param {Question[]} questions
 * @param {Draft} draft
 * @param {Edit} edit
 * @returns {Draft}
 */
export function reduce(questions, draft, edit) {
  const next = restore(questions, structuredClone(draft));
  if (edit.edit === 'go_to' || edit.edit === 'reopen') return goTo(questions, next, edit);
  if (next.page === 'review') return next;
  const at = next.page.question;
  const entry = next.entries[at];
  change(questions[at], entry, edit);
  next.entries[at] = omitEmpty(entry);
  return next;
}

/**
 * @param {Question[]} questions
 * @param {Draft} draft
 * @param {{ edit: 'go_to' | 'reopen', page: number }} edit
 */
function goTo(questions, draft, { edit, page }) {
  delete draft.from_review;
  if (page >= questions.length && questions.length > 1) {
    const open = questions.findIndex(
      (question, at) => answerStatus(question, draft.entries[at]) === 'unanswered',
    );
    draft.page = 'review';
    draft.review_focus = open < 0 ? questions.length : open;
  } else if (page < questions.length) {
    draft.page = { question: page };
    if (edit === 'reopen') draft.from_review = true;
  }
  return draft;
}

/**
 * @param {Question} question
 * @param {Entry} entry
 * @param {Edit} edit
 */
function change(question, entry, edit) {
  switch (edit.edit) {
    case 'mark':
      return mark(question, entry, edit.row);
    case 'clear':
      return clear(entry);
    case 'mark_all':
      if (!question.several) return;
      entry.picked = choices(question)
        .filter((choice) => !choice.exclusive)
        .map((choice) => choice.value);
      entry.skipped = false;
      return;
    case 'open':
      return open(question, entry, edit.field);
    case 'close':
      entry.field = undefined;
      return;
    case 'write':
      return write(question, entry, edit.field, edit.text);
    case 'skip':
      if (!question.optional) return;
      clear(entry);
      entry.skipped = true;
      return;
    case 'go_to':
    case 'reopen':
      return;
  }
}

/** Removes all choices. Typed text stays. @param {Entry} entry */
function clear(entry) {
  entry.picked = [];
  entry.own_ticked = false;
  if (entry.field === 'own') entry.field = undefined;
}

/**
 * Ticks or unticks a row. The last row is own text: it opens or closes its field.
 * @param {Question} question
 * @param {Entry} entry
 * @param {number} row
 */
function mark(question, entry, row) {
  const choice = choices(question)[row];
  if (!choice) {
    if (row > choices(question).length) return;
    if (question.several && (entry.own_ticked || entry.field === 'own')) {
      entry.own_ticked = false;
      entry.field = undefined;
    } else open(question, entry, 'own');
    return;
  }
  entry.focus = row;
  entry.skipped = false;
  const picked = entry.picked ?? [];
  if (question.several && picked.includes(choice.value)) {
    entry.picked = picked.filter((value) => value !== choice.value);
    return;
  }
  const isExclusive = !question.several || choice.exclusive;
  if (isExclusive) entry.own_ticked = false;
  const others = isExclusive ? [] : withoutExclusive(question, picked);
  entry.picked = choices(question)
    .map(({ value }) => value)
    .filter((value) => value === choice.value || others.includes(value));
}

/** @param {Question} question @param {string[]} picked */
const withoutExclusive = (question, picked) =>
  picked.filter(
    (value) => !choices(question).some((choice) => choice.exclusive && choice.value === value),
  );

/** @param {Question} question @param {Entry} entry */
function tickOwn(question, entry) {
  entry.skipped = false;
  entry.own_ticked = true;
  entry.picked = question.several ? withoutExclusive(question, entry.picked ?? []) : [];
}

/** @param {Question} question @param {Entry} entry @param {DraftField} field */
function open(question, entry, field) {
  if (field === 'note') entry.field = 'note';
  if (field === 'own' && question.own) {
    entry.focus = choices(question).length;
    entry.field = 'own';
    if (isWritten(entry.own)) tickOwn(question, entry);
  }
  if (question.kind === 'date_range' && field === 'answer') entry.part = 'start';
  if (question.kind === 'date_range' && field === 'end') entry.part = 'end';
}

/** @param {Question} question @param {Entry} entry @param {DraftField} field @param {string} text */
function write(question, entry, field, text) {
  if (field === 'own' ? !question.own : field !== 'note' && question.choices) return;
  entry[FIELDS[field]] = [...text].slice(0, FIELD_CHARS_MAX).join('');
  if (field === 'own') {
    entry.field = 'own';
    entry.focus = choices(question).length;
    if (isWritten(text)) tickOwn(question, entry);
    else entry.own_ticked = false;
  } else if (field !== 'note') entry.skipped = false;
}

/**
 * Whether own text is selected but empty: it looks chosen and is not an answer.
 * @param {Question} question
 * @param {Entry} entry
 */
const isOwnEmpty = (question, entry) =>
  Boolean(question.choices) && entry.field === 'own' && !question.several && !hasOwn(entry);

/**
 * The unanswered questions that keep the draft from being sent, or null if it can be sent. With several
 * questions some may stay unanswered, but the review comes first: an empty list asks for it. All other
 * rules are checked by the server.
 * @param {Question[]} questions
 * @param {Draft} draft
 */
export function missingAnswers(questions, { entries, page }) {
  const open = questions.filter(
    (question, at) => answerStatus(question, entries[at]) === 'unanswered',
  );
  const only = questions.length === 1;
  if (!only && page !== 'review' && open.length > 0) return [];
  return open.length === 0 || (!only && open.length < questions.length) ? null : open;
}

/**
 * The request body of the answers, by question id. Numbers and dates are sent as typed; the server
 * parses them by the same rules for every surface.
 * @param {Pick<Inquiry, 'questions'>} inquiry
 * @param {Draft} draft
 */
export function buildAnswers(inquiry, draft) {
  const answers = inquiry.questions.map((question, at) => {
    const entry = draft.entries[at];
    const answer = buildAnswer(question, entry);
    if (isWritten(entry.note)) answer.note = entry.note;
    return /** @type {const} */ ([question.id, answer]);
  });
  // An id may be `__proto__`, to which nothing can be assigned.
  return Object.fromEntries(answers.filter(([, answer]) => Object.keys(answer).length > 0));
}

/**
 * @param {Question} question
 * @param {Entry} entry
 * @returns {Record<string, unknown>}
 */
function buildAnswer(question, entry) {
  const status = answerStatus(question, entry);
  if (status === 'skipped') return { skipped: true };
  if (status === 'unanswered') return {};
  switch (question.kind) {
    case 'choice':
    case 'confirm':
      return {
        ...(entry.picked?.length ? { values: entry.picked } : {}),
        ...(hasOwn(entry) ? { own: entry.own } : {}),
      };
    case 'text':
      return { text: entry.typed };
    case 'number':
    case 'date':
      return { typed: entry.typed };
    case 'date_range':
      return { typed_start: entry.typed ?? '', typed_end: entry.typed_end ?? '' };
    default:
      return {};
  }
}
