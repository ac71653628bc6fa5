// What becomes of a question: expired and answered late, invalid, cancelled, or deleted with its conversation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitForState,
  waitUntilReady,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness({
  script: {
    steps: [{ say: 'Hello' }],
    repeat_from: 1,
    scenes: [
      {
        when: 'late',
        steps: [
          {
            say: 'One thing first.',
            calls: [{ tool: 'ask_user_question', input: questions.single }],
          },
          { say: 'Nobody answered; I went on.' },
          { say: 'Noted: {{message}}' },
        ],
      },
      {
        when: 'wrong',
        steps: [
          {
            calls: [
              {
                tool: 'ask_user_question',
                input: { questions: [{ question: '', options: ['only one'] }] },
              },
            ],
          },
          { say: 'Sorry.' },
        ],
      },
    ],
  },
});
/** Text without isolation marks. */
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');
/** The text that was announced last. */
const announced = (page) => page.locator('#app > p[role=status]');
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
const colour = {
  questions: [{ question: 'Which colour?', header: 'Colour', options: ['Red', 'Blue'] }],
};
const deleteConversation = async ({ conversation_id: id }) =>
  assert.equal((await call(it.server, 'DELETE', `/conversations/${id}`)).status, 204);

/** Starts a conversation of the built-in agent, and waits for its question. */
async function asked(message) {
  const { body } = await call(it.server, 'POST', '/conversations', { message });
  const read = async () => {
    const { body: found } = await call(it.server, 'GET', '/inquiries?status=pending&limit=200');
    return found.items.find(({ conversation_id: id }) => id === body.id);
  };
  return waitUntil(read, Boolean, 'the agent asked nothing');
}

/** ux 3.4, expired: the time, what the agent went on with, and a late answer that is a message. */
test('an expired question can be answered late, as a message', async () => {
  const inquiry = await asked('be late');
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '1s' });
  await waitForState(page, inquiry, 'expired');
  assert.match(
    plain(await element.locator('.verdict').innerText()),
    /No answer by .*\. The agent continued without one\./,
  );
  await page.locator('.log').getByText('Nobody answered; I went on.').waitFor();
  await element.getByText('What the agent received').click();
  await element.getByText(/Nobody answered before the deadline passed/).waitFor();
  await element.getByRole('button', { name: 'Answer anyway' }).click();
  await waitForState(page, inquiry, 'late');
  await element.getByText('Your answer will be sent to the agent as a message').waitFor();
  assert.equal(
    await element.getByRole('button', { name: /Stop the agent|Let the agent/ }).count(),
    0,
    'it has ended already',
  );
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element
    .locator('.error')
    .getByText(/Database.?: give an answer/)
    .waitFor();
  await element.getByLabel('MongoDB').check();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element.getByText('Sent to the agent as a message').waitFor();
  const message = 'My late answer to “Which database should we use for this project?”: MongoDB';
  await page.locator('.user-text', { hasText: message }).waitFor();
  await page.locator('.log').getByText(`Noted: ${message}`).waitFor();
  // Nothing that had ended was opened again.
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.deepEqual([body.status, body.outcome], ['expired', { type: 'expired' }]);
  assert.equal(await element.getAttribute('data-state'), 'expired');
  assert.equal(await element.getByRole('button', { name: 'Answer anyway' }).count(), 0);
  await page.context().close();
});

/** A late answer is offered only where somebody would hear it. */
test('an external agent cannot be answered late', async () => {
  const inquiry = await ask(it.server, questions.single, { expires_in: '1s' });
  const page = await it.openInChat(inquiry);
  await waitForState(page, inquiry, 'expired');
  // The page reads the conversation, and then the element does, to see whether it takes messages.
  let reads = 0;
  page.on('requestfinished', (request) => {
    if (request.url().includes(`/conversations/${inquiry.conversation_id}`)) reads += 1;
  });
  await page.reload();
  await waitUntil(
    () => reads,
    (count) => count >= 2,
    'reads of the conversation',
  );
  await questionElement(page, inquiry).locator('.verdict').waitFor();
  assert.equal(
    await questionElement(page, inquiry).getByRole('button', { name: 'Answer anyway' }).count(),
    0,
  );
  await page.context().close();
});

/** ux 3.4, error: what the agent sent wrong is a block of its own. */
test('a question that cannot be shown says what was sent', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'wrong' });
  const page = await it.open(`/c/${body.id}`);
  const failure = page.locator('.failure');
  await failure.getByText('The agent sent a question that cannot be shown').waitFor();
  await failure.getByText('ask_user_question', { exact: true }).waitFor();
  await failure.getByText('What the agent sent').click();
  await failure.getByText('"only one"').waitFor();
  await failure.getByText('What the agent received').click();
  assert.match(await failure.locator('pre').last().innerText(), /question/);
  await page.context().close();
});

/** ux 3.4, cancelled: by whom. */
test('who cancelled is named', async () => {
  const inquiry = await ask(it.server, questions.single);
  await call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/cancel`,
    {},
    { 'X-Askback-Actor': 'ana' },
  );
  const page = await it.openInChat(inquiry);
  await waitForState(page, inquiry, 'cancelled');
  await questionElement(page, inquiry)
    .getByRole('heading', { name: /Agent stopped by .?ana/ })
    .waitFor();
  await page.context().close();
});

/** Deleting asks in its place, and takes the conversation with its questions away. */
test('a conversation is deleted after a second press', async () => {
  const inquiry = await asked('late again');
  const page = await it.openInChat(inquiry);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Delete this conversation and its answers?').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await waitForEqual(focused, 'Back');
  await page.keyboard.press('Escape');
  await waitForEqual(focused, 'Delete');
  await page.keyboard.press('Enter');
  await page.locator('.confirm').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/new$/);
  await announced(page).filter({ hasText: 'Conversation deleted' }).waitFor({ state: 'attached' });
  assert.equal(
    (await call(it.server, 'GET', `/conversations/${inquiry.conversation_id}`)).status,
    404,
  );
  for (const gone of [page.locator(`a[href="/c/${inquiry.conversation_id}"]`), row(page, inquiry)])
    await waitForEqual(() => gone.count(), 0);
  await page.context().close();
});

/** Whoever has the question open still reads what it was, and that it is over. */
test('an open question ends in place when its conversation is deleted', async () => {
  const inquiry = await ask(it.server, colour);
  const page = await it.open(`/q/${inquiry.id}`);
  await waitUntilReady(page, inquiry);
  await deleteConversation(inquiry);
  await waitForState(page, inquiry, 'cancelled');
  await questionElement(page, inquiry).getByText('Which colour?').waitFor();
});

/** What is left of a question that was deleted can be opened, as a page and in the inbox. */
test('a question whose conversation was deleted says so', async () => {
  const inquiry = await ask(it.server, colour);
  await deleteConversation(inquiry);
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.deepEqual([body.status, body.questions], ['withdrawn', []]);
  const page = await it.open(`/q/${inquiry.id}`);
  await page.getByText('Conversation deleted').first().waitFor();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${it.server.base}/inbox#${inquiry.id}`);
  await waitForState(page, inquiry, 'cancelled');
  await questionElement(page, inquiry).getByText('Conversation deleted').first().waitFor();
  assert.deepEqual(errors, []);
});
