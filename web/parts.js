// Parts of the block that few questions show. Their modules come when they are needed.

import { button, h } from './dom.js';
import { answerLine, outcomeView } from './outcome.js';
import { t } from './i18n.js';

/** @import { Draft } from './draft.js' */
/** @import { AskbackQuestion } from './element.js' */
/** @import { Held, Inquiry } from './wire.d.ts' */

/** The longest time that the server takes, in seconds. */
const HOLD_SECONDS_MAX = 60;

/** For how long an answer can be taken back: what a page asks for, within what the server takes. @param {AskbackQuestion} element */
export const holdSeconds = (element) =>
  Math.min(Math.max(Math.round(Number(element.getAttribute('undo'))), 0), HOLD_SECONDS_MAX) ||
  undefined;

/** An answer that can be taken back. @param {AskbackQuestion} element @param {Inquiry} inquiry @param {Held} held */
export function heldPart(element, inquiry, held) {
  const place = h('div');
  import('./undo.js').then(
    ({ heldView }) => place.replaceWith(heldView(element, inquiry, held)),
    () => {},
  );
  return place;
}

/** What became of a question, with the way to a late answer. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export function endedPart(element, inquiry) {
  const view = outcomeView(inquiry);
  if (inquiry.status === 'expired' && !element.wasLate)
    import('./late-answer.js').then(
      ({ offerLate }) => offerLate(element, inquiry, view),
      () => {},
    );
  return view;
}

/** The way to answer elsewhere. The link is made when it is asked for. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export function sharePart(element, inquiry) {
  const place = h('div');
  const open = () => {
    if (!place.firstChild)
      import('./share-link.js').then(
        ({ showLink }) => showLink(element, inquiry, place),
        () => {},
      );
  };
  return h('details', { class: 'share', ontoggle: open }, h('summary', {}, t('web-link')), place);
}

/** What was entered here and went nowhere, because somebody else was faster. @param {Inquiry} inquiry @param {Draft} draft */
export function unsentPart({ questions }, { entries }) {
  const pairs = questions.map((question, at) =>
    h(
      'div',
      { class: 'pair' },
      // One question stands above already.
      h('dt', { dir: 'auto', class: questions.length > 1 ? undefined : 'unseen' }, question.text),
      h('dd', { class: 'note-text', dir: 'auto' }, answerLine(question, entries[at])),
    ),
  );
  return h(
    'div',
    { class: 'unsent' },
    h('p', { class: 'small' }, t('web-not-sent')),
    h('dl', {}, pairs),
  );
}

/** A different draft was kept elsewhere while this one could not be. @param {AskbackQuestion} element @param {Inquiry} inquiry */
export function otherDraftPart(element, inquiry) {
  return h(
    'div',
    { class: 'notice' },
    h('p', {}, t('web-other-draft')),
    button(t('web-use-other-draft'), () => {
      element.drafting.useOther(inquiry);
      element.render();
      element.focusFirst();
    }),
  );
}
