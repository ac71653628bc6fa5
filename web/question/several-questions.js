// Several questions of one inquiry: the steps through them, the review before they are sent, and the list of
// what is wrong.

import { bdi, button, div, h, ignore, p, span, uniqueId } from '../lib/dom.js';
import { answerStatus } from '../draft/draft.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { answerLine } from './outcome.js';

/** @import { Entry } from '../draft/draft.js' */
/** @import { IconName } from '../lib/icons.js' */
/** @import { QuestionForm } from './form.js' */
/** @import { Question } from '../lib/wire.d.ts' */

/** The way through the questions, with what was answered. @param {QuestionForm} form */
export function stepItems(form) {
  const { questions } = form.host.inquiry;
  const { entries } = form.host.draft();
  const items = questions.map((question, at) => {
    const status = answerStatus(question, entries[at]);
    /** @type {IconName | ''} */
    const mark = status === 'answered' ? 'check' : status === 'skipped' ? 'minus' : '';
    return {
      page: at,
      label: question.header ?? String(at + 1),
      mark,
      summary: answerLine(question, entries[at]),
    };
  });
  items.push({
    page: questions.length,
    label: t('review'),
    mark: /** @type {const} */ (''),
    summary: '',
  });
  return items.map(({ page, label, mark, summary }) =>
    h(
      'li',
      {},
      button(
        [mark && icon(mark), bdi(label), summary && span('visually-hidden', `, ${summary}`)],
        () => form.go(page),
        { 'aria-current': page === form.at ? 'step' : undefined },
      ),
    ),
  );
}

/** Whether nothing is answered there. @param {QuestionForm} form @param {number} at */
const isMissing = ({ host }, at) =>
  answerStatus(host.inquiry.questions[at], host.draft().entries[at]) === 'unanswered';

/** Goes to the first question without an answer, or else to the review. Who is at such a question passes it over. @param {QuestionForm} form */
export function goToMissing(form) {
  const { length } = form.host.inquiry.questions;
  const from = isMissing(form, form.at) ? form.at + 1 : 0;
  let to = from;
  while (to < length && !isMissing(form, to)) to += 1;
  form.go(to);
}

/** Enter in a list with several answers: continues, or takes the first answer. @param {QuestionForm} form @param {HTMLInputElement} box */
export function continueFrom(form, box) {
  if (isMissing(form, form.at)) box.click();
  else form.submitPage();
}

/** All answers before they are sent. @param {QuestionForm} form */
export function review(form) {
  const { inquiry } = form.host;
  const { entries } = form.host.draft();
  const rows = inquiry.questions.map((question, at) =>
    h(
      'li',
      {},
      h('span', { class: 'review-question', dir: 'auto' }, question.text),
      span(
        `review-answer ${answerStatus(question, entries[at])}`,
        answerLine(question, entries[at]),
        reviewDays(form, question, entries[at]),
      ),
      button(
        [t('web-edit'), span('visually-hidden', ' ', bdi(question.header ?? question.text))],
        () => form.host.edit({ edit: 'reopen', page: at }),
        { class: 'quiet' },
      ),
    ),
  );
  return div('review', p('legend', t('review-lead')), h('ul', {}, rows));
}

/** The days that typed dates mean, once they are known. @param {QuestionForm} form @param {Question} question @param {Entry} entry */
function reviewDays({ host }, question, entry) {
  if (!question.kind.startsWith('date')) return null;
  const days = span('hint days');
  import('../draft/typed-date.js').then(
    ({ showDays }) => showDays(days, host, question, entry),
    ignore,
  );
  return days;
}

/** What is wrong, with a link to each field. @param {QuestionForm} form */
export function errorSummary(form) {
  const { inquiry, errors } = form.host;
  const id = uniqueId();
  const items = errors.map((error) => {
    const at = inquiry.questions.findIndex((question) => question.id === error.question);
    const onclick = (/** @type {Event} */ event) => {
      event.preventDefault();
      form.focusError(Math.max(at, 0));
    };
    return h('li', {}, h('a', { href: '#', onclick }, error.message));
  });
  return h(
    'div',
    { class: 'summary', tabindex: -1, role: 'group', 'aria-labelledby': id },
    h('p', { id }, t('web-error-summary', { count: errors.length })),
    h('ul', {}, items),
  );
}
