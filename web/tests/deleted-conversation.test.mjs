// The conversation of a question is deleted: its reader is told, and nothing breaks for want of questions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, questionElement, call, waitForState, waitUntilReady, harness } from './harness.mjs';

const it = harness();
const input = {
  questions: [{ question: 'Which colour?', header: 'Colour', options: ['Red', 'Blue'] }],
};
const remove = async ({ conversation_id: id }) =>
  assert.equal((await call(it.server, 'DELETE', `/conversations/${id}`)).status, 204);

/** F-S2: whoever has the question open still reads what it was, and that it is over. */
test('an open question ends in place when its conversation is deleted', async () => {
  const inquiry = await ask(it.server, input);
  const page = await it.open(`/q/${inquiry.id}`);
  await waitUntilReady(page, inquiry);
  await remove(inquiry);
  await waitForState(page, inquiry, 'cancelled');
  await questionElement(page, inquiry).getByText('Which colour?').waitFor();
});

/** F-S2: what is left of a question that was deleted can be opened, as a page and in the inbox. */
test('a question whose conversation was deleted says so', async () => {
  const inquiry = await ask(it.server, input);
  await remove(inquiry);
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
