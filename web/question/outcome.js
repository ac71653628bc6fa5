// How an inquiry ended: what was answered, by whom, where and when.

import { isAnsweredHere } from '../draft/outbox.js';
import { storedActor } from '../lib/api.js';
import { bdi, h, p, span } from '../lib/dom.js';
import { answerStatus } from '../draft/draft.js';
import { icon } from '../lib/icons.js';
import { formatTime, formatList, formatLongDate, t } from '../lib/i18n.js';

/** @import { Draft, Entry } from '../draft/draft.js' */
/** @import { IconName } from '../lib/icons.js' */
/** @import { Answer, Inquiry, Question } from '../lib/wire.d.ts' */

const ICONS = /** @type {Record<string, IconName>} */ ({
  replied: 'check',
  declined: 'minus',
  rejected: 'close',
  cancelled: 'close',
  expired: 'clock',
  error: 'alert',
});

/** @param {string} state */
export const mark = (state) => span('mark', icon(ICONS[state] ?? 'question'));

/** @param {Question} question @param {string[]} values */
const labels = (question, values) =>
  values.map((value) => question.choices?.find((choice) => choice.value === value)?.label ?? value);

/**
 * The answer of a draft in one line, with its note.
 * @param {Question} question
 * @param {Entry} entry
 */
export function answerLine(question, entry) {
  const line = answerWithoutNote(question, entry);
  return entry.note?.trim() ? t('answer-noted', { answer: line, note: entry.note.trim() }) : line;
}

/** @param {Question} question @param {Entry} entry */
function answerWithoutNote(question, entry) {
  const status = answerStatus(question, entry);
  if (status === 'skipped') return t('answer-skipped');
  if (status === 'unanswered') return t('answer-open');
  const own = entry.own_ticked && entry.own ? [entry.own.trim()] : [];
  const typed =
    question.kind === 'date_range'
      ? [t('answer-range', { start: entry.typed ?? '', end: entry.typed_end ?? '' })]
      : [entry.typed ?? ''];
  const parts = question.choices ? [...labels(question, entry.picked ?? []), ...own] : typed;
  return formatList(parts);
}

/**
 * @param {Question} question
 * @param {Answer | undefined} answer
 */
export function answerItems(question, answer) {
  const item = (/** @type {string} */ text, /** @type {string} */ className) =>
    h('span', { class: className, dir: 'auto' }, text);
  switch (answer?.given) {
    case 'chosen':
      return [
        ...labels(question, answer.values ?? []).map((label) => item(label, 'answer')),
        answer.own && item(answer.own, 'answer own'),
      ];
    case 'date':
      return [item(formatLongDate(answer.date ?? ''), 'answer')];
    case 'date_range':
      return [
        item(
          t('answer-range', {
            start: formatLongDate(answer.start ?? ''),
            end: formatLongDate(answer.end ?? ''),
          }),
          'answer',
        ),
      ];
    case 'skipped':
      return [item(t('answer-skipped'), 'unanswered')];
    case 'unanswered':
      return [item(t('answer-open'), 'unanswered')];
    default:
      return [item(answer?.display ?? '', 'answer')];
  }
}

/**
 * The outcome as a sentence.
 * @param {Inquiry} inquiry
 */
export function verdict(inquiry) {
  const person = inquiry.answered_by || t('someone');
  const name = inquiry.questions[0]?.header ?? inquiry.questions[0]?.text ?? inquiry.id;
  const surface = inquiry.surface ?? '';
  const time = formatTime(inquiry.resolved_at ?? inquiry.expires_at ?? inquiry.asked_at);
  switch (inquiry.status) {
    case 'declined':
      return isOwn(inquiry) ? t('resolved-declined', { name }) : t('web-declined-by', { person });
    case 'rejected':
    case 'cancelled':
      return isOwn(inquiry) ? t('resolved-stopped', { name }) : t('web-rejected-by', { person });
    // Without questions, the conversation was deleted.
    case 'withdrawn':
      return t(inquiry.questions.length > 0 ? 'web-withdrawn' : 'web-deleted');
    case 'expired':
      return t('web-expired', { time });
    case 'undeliverable':
      return t('resolved-undeliverable', { name });
    default:
      if (!surface) return t('web-answered');
      return inquiry.answered_by
        ? t('web-answered-by', { person, surface })
        : t('web-answered-unnamed', { surface });
  }
}

/** To whom it was handed on, by whom and why. @param {Inquiry} inquiry */
export function handedOn({ recipient, recipient_name, handed_on }) {
  if (!handed_on) return null;
  const { by: person, reason } = handed_on;
  const to = recipient_name ?? recipient ?? '';
  const line = person ? t('handed-on-to', { to, person }) : t('handed-on-to-unnamed', { to });
  return p('hint', line, reason && [': ', bdi(reason)]);
}

/** Who asks, everywhere: the name that was given, or that of the program. @param {Inquiry} inquiry */
export const askerName = ({ source, asker }) => source ?? asker?.client ?? 'askback';

/** The name of the question and who asks. @param {Inquiry} inquiry */
export function headline(inquiry) {
  const { questions } = inquiry;
  const name =
    questions.length > 1 ? t('question-count', { count: questions.length }) : questions[0]?.header;
  const isNamed = inquiry.source ?? inquiry.asker;
  const who = isNamed || !name ? t('asks', { agent: askerName(inquiry) }) : '';
  return [...(name ? [bdi(name, 'chip'), ' '] : []), span('who', who)];
}

/** What was answered, in a line: the answers to all questions. @param {Inquiry} inquiry */
export function answered({ questions, outcome }) {
  if (outcome?.message) return outcome.message;
  const texts = questions.map((question) => {
    const answer = outcome?.answers?.find((each) => each.question === question.id);
    return formatList(textOf(answerItems(question, answer)));
  });
  return texts.filter(Boolean).join(' · ');
}

/** What was asked: all questions in a line. @param {Inquiry} inquiry */
export const askedText = ({ questions }) => questions.map(({ text }) => text).join(' · ');

/** What the items of an answer say. @param {ReturnType<typeof answerItems>} items */
export const textOf = (items) => items.flatMap((each) => (each ? [each.textContent ?? ''] : []));

/** Whether it was answered by whoever looks at it. Others may be nameless too: then only what was sent from this browser is one's own. @param {Inquiry} inquiry */
export const isOwn = ({ id, answered_by }) =>
  answered_by ? answered_by === storedActor() : isAnsweredHere(id);

/** How it ended, with the name of the question if it has one: `Route: Right`. @param {Inquiry} inquiry */
function endingLine(inquiry) {
  const { questions } = inquiry;
  const name = questions.length === 1 ? questions[0].header : '';
  const answer = answered(inquiry);
  if (answer) return name ? t('resolved-answered', { name, answer }) : answer;
  return verdict(inquiry);
}

/** Who ended it; nothing where its line says so. @param {Inquiry} inquiry */
function endedBy(inquiry) {
  if (isOwn(inquiry)) return t('chat-you');
  const { surface, answered_by } = inquiry;
  if (!answered(inquiry)) return '';
  return answered_by || (surface ? t('web-answered-unnamed', { surface }) : '');
}

/** Who and when, in one piece: on a phone it is a line of its own, without a point before it. @param {string} by @param {string | null | undefined} at */
function provenance(by, at) {
  if (!by && !at) return undefined;
  const dot = span('dot', '· ');
  const time = at && h('time', { datetime: at }, formatTime(at));
  return span('provenance', dot, by && bdi(by), by && at && ' · ', time);
}

/** The whole question in short: what waits; or what was asked, and below it how it ended. @param {Inquiry} inquiry @param {string} state */
export function foldedLine(inquiry, state) {
  if (!ICONS[state])
    return [
      ...headline(inquiry),
      h('span', { class: 'line', dir: 'auto' }, inquiry.questions[0]?.text),
    ];
  return [
    h('span', { class: 'line asked', dir: 'auto' }, askedText(inquiry)),
    mark(state),
    h('span', { class: 'line', dir: 'auto' }, endingLine(inquiry)),
    provenance(endedBy(inquiry), state === 'expired' ? undefined : inquiry.resolved_at),
  ].filter((part) => part instanceof HTMLElement);
}
