// Answering after the deadline. The inquiry stays expired; the answer is sent to the agent as a message
// that names the question (docs/decisions/0006-late-answers.md).

import { createMessageKeys } from '../lib/api.js';
import { button } from '../lib/dom.js';
import { newDraft, answerStatus } from '../draft/draft.js';
import { loadFields } from './fields.js';
import { answerLine } from './outcome.js';
import { failureText, t } from '../lib/i18n.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/**
 * Adds an "Answer anyway" button to the outcome, if the agent can take a message now.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 * @param {HTMLElement} view
 */
export async function offerLateAnswer(element, inquiry, view) {
  const conversation = await element.client.conversation(inquiry.conversation_id).catch(() => null);
  if (conversation?.driver !== 'built_in' || !['idle', 'error'].includes(conversation.state.type))
    return;
  view.append(
    button(t('web-answer-anyway'), async () => {
      await loadFields(inquiry.questions);
      element.draftSync.reset();
      element.draftSync.draft = newDraft(inquiry.questions);
      element.messageId = createMessageKeys();
      element.dispatch({ type: 'phase', phase: 'late', notice: t('web-late-lead') });
      element.render();
      element.focusFirst();
    }),
  );
}

/**
 * The message to the agent, without the isolation marks of the page.
 * @param {AskbackQuestion} element
 */
function messageText({ data, draft }) {
  const { questions } = /** @type {Inquiry} */ (data);
  const answered = questions
    .map((question, at) => ({ question, entry: draft.entries[at] }))
    .filter(({ question, entry }) => answerStatus(question, entry) !== 'unanswered');
  const lines = answered.map(({ question, entry }) =>
    t('web-late-text', { question: question.text, answer: answerLine(question, entry) }),
  );
  return lines.join('\n').replace(/[\u2068\u2069]/g, '');
}

/** @param {AskbackQuestion} element */
export async function sendLateAnswer(element) {
  const inquiry = /** @type {Inquiry} */ (element.data);
  try {
    const text = messageText(element);
    await element.client.post(`/conversations/${inquiry.conversation_id}/messages`, {
      text,
      message_id: element.messageId.keyFor(text),
    });
  } catch (error) {
    return element.showErrors([{ code: 'late', message: failureText(error) }]);
  }
  element.draftSync.reset();
  element.dispatch({ type: 'phase', phase: 'late_sent', notice: t('web-late-sent') });
  element.render();
  element.heading.focus();
  element.announce(t('web-late-sent'));
}
