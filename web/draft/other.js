// Another device, or another window, saved a different draft of the answer meanwhile. It is offered beside the one
// of this page, and stays on the server until the person has chosen.

import { button, div, h } from '../lib/dom.js';
import { digest } from './sync.js';
import { newDraft, restore } from './draft.js';
import { drawAboveForm } from '../question/view.js';
import { t } from '../lib/i18n.js';
import { answerLine } from '../question/outcome.js';

/** @import { Draft } from './draft.js' */
/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** @param {AskbackQuestion} element @param {Inquiry} inquiry */
export const otherDraftView = (element, inquiry) =>
  div(
    'notice',
    h('p', {}, t('web-other-draft')),
    button(t('web-use-other-draft'), () => {
      element.draftSync.draft = element.draftSync.otherDraft;
      saveChosen(element, inquiry);
      element.render();
      element.focusFirst();
    }),
    ' ',
    button(t('web-keep-this-draft'), () => {
      saveChosen(element, inquiry);
      drawAboveForm(element);
      element.focusFirst();
    }),
  );

/** The person has seen both drafts and chosen the one that is shown. @param {AskbackQuestion} element @param {Inquiry} inquiry */
function saveChosen({ draftSync }, inquiry) {
  draftSync.seen.push(digest(inquiry.questions, draftSync.otherDraft));
  draftSync.otherDraft = null;
  draftSync.scheduleSave(inquiry);
}

/** What was entered, wherever the focus is. @param {Inquiry} inquiry @param {Draft} draft */
const entered = ({ questions }, { entries }) =>
  questions.map((question, at) => answerLine(question, entries[at])).join('\n');

/**
 * The server has refused a draft because it has another one: offers that one, unless nothing in it differs or
 * this draft was made from it.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export async function compareDrafts(element, inquiry) {
  const { draftSync } = element;
  const stored = await element.client.draft(inquiry.id).catch(() => null);
  if (!stored || element.data?.id !== inquiry.id || !draftSync.draft) return;
  draftSync.version = stored.version;
  const { questions } = inquiry;
  const theirs = restore(questions, stored.draft ?? newDraft(questions));
  if (
    draftSync.seen.includes(digest(questions, theirs)) ||
    entered(inquiry, theirs) === entered(inquiry, draftSync.draft)
  )
    return draftSync.save();
  draftSync.otherDraft = theirs;
  drawAboveForm(element);
  element.announce(t('web-other-draft'));
}
