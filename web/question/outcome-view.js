// What became of an inquiry: an answer that can be undone, or the outcome. Loaded when the first one is shown.

import { storedActor } from '../lib/api.js';
import { bdi, div, h, ignore, p, span } from '../lib/dom.js';
import { formatTime, t } from '../lib/i18n.js';
import { isAnsweredHere } from '../draft/outbox.js';
import { answerItems, mark, verdict } from './outcome.js';
import { stateOf } from './state.js';
import { undoAnswer, undoButton } from './undo.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Held, Inquiry } from '../lib/wire.d.ts' */

/** @param {Inquiry} inquiry */
function answersView(inquiry) {
  const state = stateOf(inquiry.status);
  const answers = inquiry.outcome?.answers ?? [];
  const pairs = inquiry.questions.map((question) => {
    const answer = answers.find((each) => each.question === question.id);
    const message = inquiry.outcome?.message;
    return div(
      'pair',
      h('dt', { dir: 'auto' }, question.text),
      answer && h('dd', {}, answerItems(question, answer)),
      !answer && message && h('dd', {}, h('span', { class: 'answer', dir: 'auto' }, message)),
      answer?.note &&
        h('dd', { class: 'note-text' }, span('small', `${t('note')}: `), bdi(answer.note)),
    );
  });
  return div(
    'outcome',
    p(
      'verdict',
      mark(state),
      verdict(inquiry),
      inquiry.resolved_at &&
        state !== 'expired' &&
        h(
          'time',
          { class: 'provenance', datetime: inquiry.resolved_at },
          ` ${formatTime(inquiry.resolved_at)}`,
        ),
    ),
    pairs.length > 0 && h('dl', {}, pairs),
    // Nobody answered: show what the agent got instead.
    ['expired', 'error'].includes(state) &&
      inquiry.result &&
      h(
        'details',
        { class: 'agent-result' },
        h('summary', {}, t('web-agent-told')),
        h('pre', { dir: 'auto', tabindex: 0 }, inquiry.result.content),
      ),
  );
}

/** The outcome; after a deadline with a way to answer late. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function endedView(element, inquiry) {
  const view = answersView(inquiry);
  if (inquiry.status === 'expired' && element.phase !== 'late_sent')
    import('./late-answer.js').then(
      ({ offerLateAnswer }) => offerLateAnswer(element, inquiry, view),
      ignore,
    );
  return view;
}

/**
 * An answer that the server still holds, and the button that undoes it.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 * @param {Held} held
 */
function heldView(element, inquiry, held) {
  const status = /** @type {Inquiry['status']} */ (held.outcome.type);
  const view = answersView({
    ...inquiry,
    status,
    outcome: held.outcome,
    answered_by: held.answered_by,
    surface: held.surface,
    resolved_at: held.at,
  });
  const undo = undoButton(held, async () => {
    const { inquiry: now, message } = await undoAnswer(element.client, inquiry.id);
    element.announce(message);
    if (!now) return;
    element.applyInquiry(now);
    element.focusFirst();
  });
  // Only who gave an answer can undo it here. Without names, everybody with the token is the same person.
  const actor = element.client.actor ?? storedActor() ?? '';
  // Who answered here before may have undone that, and somebody else has answered since: the name decides.
  const isOurs =
    element.isSentHere ||
    (held.answered_by ? held.answered_by === actor : !actor || isAnsweredHere(inquiry.id));
  if (!isOurs) return view;
  // Whoever was too late is told whose answer it is.
  if (!element.shown.notice) view.append(p('hint', t('web-held')));
  view.append(undo);
  return view;
}

/** How it ended, or what was answered and can be undone. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export const outcomeView = (element, inquiry) =>
  inquiry.held && element.state === 'held'
    ? heldView(element, inquiry, inquiry.held)
    : endedView(element, inquiry);
