// An answer that could not be sent is sent later from any page, to its own question or to none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answersOf,
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  waitForState,
  waitUntilReady,
  withdrawAll,
} from './harness.mjs';

const it = harness();
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);

/** Two questions in the inbox; the answer to the first was sent while the server was out of reach, and the second is open. */
async function answeredOffline() {
  await withdrawAll(it.server);
  const asked = [];
  for (const question of ['Which name?', 'Which colour?'])
    asked.push(await ask(it.server, { question, input_type: 'text' }));
  const [one, two] = asked;
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await it.open('/inbox', { context });
  await row(page, two).waitFor();
  await waitUntilReady(page, one);
  await questionElement(page, one).getByRole('textbox').first().fill('Ada');
  await context.setOffline(true);
  await questionElement(page, one).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, one, 'offline');
  await row(page, two).click();
  await questionElement(page, two).locator('form').waitFor();
  return { context, page, one, two };
}

const statusOf = async ({ id }) => (await call(it.server, 'GET', `/inquiries/${id}`)).body.status;

test('an answer given offline is sent while another question is open', async () => {
  const { context, page, one, two } = await answeredOffline();
  await row(page, one).getByText('Not sent yet').waitFor();
  await context.setOffline(false);
  assert.equal((await answersOf(it.server, one.id))[0].text, 'Ada');
  await row(page, one).waitFor({ state: 'detached' });
  assert.equal(await statusOf(two), 'pending');
  await context.close();
});

test('an answer given offline is sent after a reload, from another page', async () => {
  const { context, page, one } = await answeredOffline();
  // A new page of the same browser begins with nothing but what was stored.
  await page.goto('about:blank');
  await context.setOffline(false);
  await page.goto(it.server.base);
  assert.equal((await answersOf(it.server, one.id))[0].text, 'Ada');
  await context.close();
});

test('an answer to a question that has ended meanwhile is shown, and sent to no other', async () => {
  const { context, page, one, two } = await answeredOffline();
  const path = `/inquiries/${one.id}/answer`;
  await call(it.server, 'POST', path, { answers: { q1: 'Bob' } }, { 'X-Askback-Actor': 'ana' });
  await context.setOffline(false);
  const notice = page.locator('.unsent-answer');
  await notice.waitFor();
  assert.match(await notice.innerText(), /not sent\s+Which name\?\s+Ada/);
  // It is there after a reload, and beside the answer that counts.
  await page.goto(`${it.server.base}/inbox#${one.id}`);
  await notice.waitFor();
  const element = questionElement(page, one);
  await element.getByText(/Already answered by .?ana/).waitFor();
  assert.match(await element.locator('.unsent').innerText(), /Ada/);
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.goto(`${it.server.base}/new`);
  await page.getByText('General assistant').waitFor();
  assert.equal(await notice.count(), 0);
  assert.equal((await answersOf(it.server, one.id))[0].text, 'Bob');
  assert.equal(await statusOf(two), 'pending');
  await context.close();
});
