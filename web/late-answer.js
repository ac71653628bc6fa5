// Answering after the deadline. What has ended stays ended: the answer goes to the agent as an ordinary
// message that names the question, while its conversation lives and waits for nothing else.

import { keyForText, Problem } from './api.js';
import { button } from './dom.js';
import { newDraft, standing } from './draft.js';
import { loadFields } from './fields.js';
import { answerLine } from './outcome.js';
import { t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/**
 * Puts the way to a late answer under the outcome, if the agent would hear it.
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 * @param {HTMLElement} view
 */
export async function offerLate(element, inquiry, view) {
  const conversation = await element.client.conversation(inquiry.conversation_id).catch(() => null);
  if (conversation?.driver !== 'built_in' || !['idle', 'error'].includes(conversation.state.type))
    return;
  view.append(
    button(t('web-answer-anyway'), async () => {
      await loadFields(inquiry.questions);
      element.drafting.reset();
      element.drafting.now = newDraft(inquiry.questions);
      Object.assign(element, {
        isLate: true,
        errors: [],
        notice: t('web-late-lead'),
        messageId: keyForText(),
      });
      element.render();
      element.focusFirst();
    }),
  );
}

/**
 * What the agent reads. Marks that keep words apart on a page have no meaning there.
 * @param {AskbackQuestion} element
 */
function message({ data, draft }) {
  const { questions } = /** @type {Inquiry} */ (data);
  const given = questions
    .map((question, at) => ({ question, entry: draft.entries[at] }))
    .filter(({ question, entry }) => standing(question, entry) !== 'open');
  const lines = given.map(({ question, entry }) =>
    t('web-late-text', { question: question.text, answer: answerLine(question, entry) }),
  );
  return lines.join('\n').replace(/[\u2068\u2069]/g, '');
}

/** @param {AskbackQuestion} element */
export async function sendLate(element) {
  const inquiry = /** @type {Inquiry} */ (element.data);
  try {
    const text = message(element);
    await element.client.post(`/conversations/${inquiry.conversation_id}/messages`, {
      text,
      message_id: element.messageId.of(text),
    });
  } catch (error) {
    return element.refuse([
      {
        code: 'late',
        message: error instanceof Problem ? error.message : t('chat-connection-lost'),
      },
    ]);
  }
  return done(element);
}

/** @param {AskbackQuestion} element */
function done(element) {
  element.drafting.reset();
  Object.assign(element, { isLate: false, wasLate: true, errors: [], notice: t('web-late-sent') });
  element.render();
  element.heading.focus();
  element.announce(t('web-late-sent'));
}
