// What other agents ask does not fill the list of conversations, and stays reachable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, call, harness, waitForEqual } from './harness.mjs';

const it = harness({ script: { steps: [{ say: 'Hello.' }] } });
const yesNo = (question) => ({ questions: [{ question, options: ['Yes', 'No'] }] });

test('each question of another agent is not a conversation of the list', async () => {
  const { body: own } = await call(it.server, 'POST', '/conversations', {
    message: 'Plan a service',
  });
  // More than a page of the list, and all newer.
  for (let number = 1; number <= 120; number += 1)
    await ask(it.server, yesNo(`Deploy ${number}?`), {
      source: number % 2 ? 'deployer' : 'reviewer',
    });
  const page = await it.open('/new');
  const list = page.locator('nav .conversations');
  await list.getByRole('link', { name: 'Plan a service' }).waitFor();
  await waitForEqual(() => list.getByRole('link').count(), 1);

  await list.getByText('Other agents').click();
  const groups = list.locator('details[data-agent]');
  await waitForEqual(
    async () => (await groups.evaluateAll((all) => all.map((each) => each.dataset.agent))).sort(),
    ['deployer', 'reviewer'],
  );
  await groups.filter({ hasText: 'reviewer' }).locator('summary').click();
  await list.getByRole('link', { name: 'Deploy 120?' }).waitFor();
  // Older ones come on demand, and what was open stays open.
  assert.equal(await list.getByRole('link', { name: 'Deploy 2?' }).count(), 0);
  await list.getByRole('button', { name: 'Show more' }).click();
  await list.getByRole('link', { name: 'Deploy 2?' }).waitFor();
  await list.getByRole('link', { name: 'Deploy 2?' }).click();
  await page.waitForURL(/\/c\/cnv_/);
  // Who wrote there is the agent, and not this program.
  await page.locator('.message .author').getByText('reviewer').waitFor();
  assert.ok(own.id);
  assert.deepEqual(page.complaints, []);
});

// Eight rows that say "Database" tell nobody what was decided.
test('what was asked and answered is shown together, in the list and in its conversation', async () => {
  const { id } = await ask(it.server, yesNo('Drop the old table?'), {
    source: 'cleaner',
    asker: { client: 'cleaner', project: '/home/anna/webshop', session: 's1' },
  });
  await call(it.server, 'POST', `/inquiries/${id}/answer`, {
    answers: { q1: 'No' },
  });
  const page = await it.open('/new');
  const list = page.locator('nav .conversations');
  await list.getByText('Other agents').click();
  await list.locator('details[data-agent="cleaner"] summary').click();
  const row = list.locator('details[data-agent="cleaner"]').getByRole('link');
  assert.match(await row.innerText(), /^Drop the old table\?\s+No · .+ · webshop$/);

  await row.click();
  const ended = page.locator('askback-question').getByRole('heading');
  await ended.getByText('Drop the old table?').waitFor();
  await ended.getByText('No', { exact: true }).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('without other agents the list says how to connect one', async () => {
  const fresh = await it.context();
  await fresh.route(/\/conversations\?driver=external/, (route) =>
    route.fulfill({ json: { items: [], next: null } }),
  );
  const page = await it.open('/new', { context: fresh });
  await page.locator('nav').getByText('Other agents').click();
  await page.locator('nav').getByText('askback install').waitFor();
  await fresh.close();
});
