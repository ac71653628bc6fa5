// The page of everything that was decided: what, by whom, where and when; searched, filtered and copied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, call, harness, waitForEqual } from './harness.mjs';
import { auditBoth } from './axe.mjs';

const it = harness();
const route = (question) => ({
  questions: [{ question, header: 'Route', options: [{ label: 'Left' }, { label: 'Right' }] }],
});

/** Asks, and answers as a person. */
async function answered(question, { person, value, ...options }) {
  const inquiry = await ask(it.server, route(question), options);
  const { status, body } = await call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/answer`,
    { answers: { [inquiry.questions[0].id]: { values: [value], note: 'because' } } },
    { 'X-Askback-Actor': person },
  );
  assert.equal(status, 200, JSON.stringify(body));
  return inquiry;
}

test('answers are listed newest first, searched, filtered and copied', async () => {
  await answered('Which way to the sea?', { person: 'ana', value: 'Left', source: 'builder' });
  await answered('Which way to the hills?', { person: 'ben', value: 'Right', source: 'planner' });
  const context = await it.context({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await it.open('/inbox', { context });
  await page.locator('nav').getByRole('link', { name: 'Answered' }).click();
  await page.getByRole('heading', { name: 'Answered', level: 1 }).waitFor();
  const items = page.locator('.decisions > li');
  await items.nth(1).waitFor();
  assert.match(await items.nth(0).innerText(), /hills\?\s+Right\s+Note: .?because.?\s+.?ben/);
  assert.match(await items.nth(1).innerText(), /sea\?\s+Left[\s\S]*ana.? · .?Answered over HTTP/);
  assert.deepEqual((await auditBoth(page)).violations, []);
  await page.getByLabel('Search questions').fill('SEA');
  await items.nth(1).waitFor({ state: 'detached' });
  await waitForEqual(() => items.count(), 1);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^- Which way to the sea\? \*\*Left\*\* \(Note: because\)\n {2}ana · /);
  await page.getByLabel('Search questions').fill('');
  await page.getByLabel('Answered by').selectOption('ben');
  await items.getByText('hills').waitFor();
  await waitForEqual(() => items.count(), 1);
  await page.getByLabel('Answered by').selectOption('');
  await page.getByLabel('Agent').selectOption('builder');
  await items.getByText('sea').waitFor();
  await waitForEqual(() => items.count(), 1);
  // What is answered meanwhile appears by itself.
  await answered('Which way home?', { person: 'ana', value: 'Left', source: 'builder' });
  await items.getByText('home').waitFor();
  await context.close();
});

test('other outcomes are listed, and one kind of them alone', async () => {
  const declined = await ask(it.server, route('Left to you?'), { source: 'builder' });
  const body = { revision: declined.revision };
  await call(it.server, 'POST', `/inquiries/${declined.id}/decline`, body, {
    'X-Askback-Actor': 'ana',
  });
  const withdrawn = await ask(it.server, route('Taken back?'), { source: 'builder' });
  await call(it.server, 'POST', `/inquiries/${withdrawn.id}/withdraw`, {});
  await ask(it.server, route('Still open?'), { source: 'builder' });
  await answered('Really answered?', { person: 'ana', value: 'Left', source: 'builder' });
  const page = await it.open('/answered');
  const items = page.locator('.decisions > li');
  await items.getByText('Taken back?').waitFor();
  assert.match(
    await items.filter({ hasText: 'Left to you?' }).innerText(),
    /left to the agent by .?ana/,
  );
  assert.equal(await items.getByText('Still open?').count(), 0);
  await page.getByLabel('Outcome').selectOption('Withdrawn by the agent');
  await items.getByText('Really answered?').waitFor({ state: 'detached' });
  await waitForEqual(() => items.locator('.asked').allInnerTexts(), ['Taken back?']);
  await page.context().close();
});

test('a search finds what was not read yet, by any of its words', async () => {
  await answered('Where is the needle?', { person: 'ana', value: 'Left', source: 'tailor' });
  for (let count = 0; count < 60; count += 1)
    await answered(`Hay ${count}?`, { person: 'ana', value: 'Right' });
  const page = await it.open('/answered');
  const items = page.locator('.decisions > li');
  await page.getByText('Hay 59?').waitFor();
  await page.getByLabel('Search questions').fill('tailor needle');
  await items.getByText('Where is the needle?').waitFor();
  await waitForEqual(() => items.count(), 1);
  await page.getByLabel('Search questions').fill('needle in the hay');
  await page.getByText('No question matches').waitFor();
  await waitForEqual(() => items.count(), 0);
  await page.context().close();
});
