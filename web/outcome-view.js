// An inquiry that has ended: how, and with which answers. Loaded when the first one is shown.

import { bdi, h } from './dom.js';
import { formatTime, t } from './i18n.js';
import { answerItems, mark, stateOf, verdict } from './outcome.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** @param {Inquiry} inquiry */
export function outcomeView(inquiry) {
  const state = stateOf(inquiry.status);
  const answers = inquiry.outcome?.answers ?? [];
  const pairs = inquiry.questions.map((question) => {
    const answer = answers.find((each) => each.question === question.id);
    const message = inquiry.outcome?.message;
    return h(
      'div',
      { class: 'pair' },
      h('dt', { dir: 'auto' }, question.text),
      answer && h('dd', {}, answerItems(question, answer)),
      !answer && message && h('dd', {}, h('span', { class: 'answer', dir: 'auto' }, message)),
      answer?.note &&
        h(
          'dd',
          { class: 'note-text' },
          h('span', { class: 'small' }, `${t('note')}: `),
          bdi(answer.note),
        ),
    );
  });
  return h(
    'div',
    { class: 'outcome' },
    h(
      'p',
      { class: 'verdict' },
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
export function endedView(element, inquiry) {
  const view = outcomeView(inquiry);
  if (inquiry.status === 'expired' && !element.wasLate)
    import('./late-answer.js').then(
      ({ offerLateAnswer }) => offerLateAnswer(element, inquiry, view),
      () => {},
    );
  return view;
}
