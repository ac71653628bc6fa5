// Browser and terminal are one: the questions that crates/askback/tests/suite/surface_parity.rs answers by keys, answered by
// clicks, have the same answers to the byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answersOf, ask, questionElement, harness } from './harness.mjs';

const it = harness();
const cases = JSON.parse(readFileSync(new URL('surface-parity.json', import.meta.url), 'utf8'));

/** What a person does in the browser for each case. */
const acts = {
  choice: (element) => element.getByLabel('MongoDB').check(),
  'choice with a note': async (element) => {
    await element.getByLabel('MongoDB').check();
    await element.getByText('Add a note').click();
    await element.getByLabel('Note', { exact: true }).fill('keep JWT, "quoted" for CI');
  },
  'own words': async (element) => {
    await element.getByLabel('PostgreSQL', { exact: true }).check();
    await element.getByLabel('Other').check();
    await element.getByLabel('Your own answer').fill('15:00, or later');
  },
  several: async (element) => {
    await element.getByLabel('Testing (Vitest)').check();
    await element.getByLabel('TypeScript').check();
  },
  'several with own words': async (element) => {
    await element.getByLabel('Testing (Vitest)').check();
    await element.getByLabel('Other').check();
    await element.getByLabel('Your own answer').fill('Storybook, "quoted"');
    await element.getByLabel('TypeScript').check();
  },
  'long list': async (element) => {
    await element.getByRole('combobox').fill('ita');
    await element.getByRole('option', { name: 'Italian' }).click();
  },
  'own words beside a long list': async (element) => {
    await element.getByRole('combobox').fill('Klingon');
    await element.getByRole('option').last().click();
  },
  text: (element) => element.getByRole('textbox').first().fill('Direct message'),
  skip: (element) => element.getByRole('button', { name: 'Skip' }).click(),
  number: (element) => element.getByRole('textbox').first().fill('3'),
  day: (element) => element.getByRole('textbox').first().fill('27 mar 2027'),
  days: async (element) => {
    await element.getByLabel('From').fill('8 mar 2027');
    await element.getByLabel('To', { exact: true }).fill('2027-03-12');
  },
  partial: async (element) => {
    await element.getByLabel('Passwords').check();
    await element.getByRole('button', { name: 'Next' }).click();
    await element.getByRole('button', { name: 'Skip' }).click();
    await element.getByRole('button', { name: 'Next' }).click();
    await element.locator('.review').waitFor();
  },
};

/** Every kind with own words, notes, skips and parts left open, answered by clicks. */
test('the browser gives the answers of the terminal', async () => {
  assert.deepEqual(
    cases.map(({ name }) => name),
    Object.keys(acts),
    'each case is done on both surfaces',
  );
  for (const { name, input, answers } of cases) {
    const inquiry = await ask(it.server, input);
    const page = await it.openInInbox(inquiry);
    const element = questionElement(page, inquiry);
    await element.locator('form').waitFor();
    await acts[name](element);
    if (name !== 'skip') await element.getByRole('button', { name: /^Send answer/ }).click();
    await answersOf(it.server, inquiry.id);
    // As the server sends it, byte by byte.
    const response = await fetch(`${it.server.base}/inquiries/${inquiry.id}`, {
      headers: { Authorization: `Bearer ${it.server.token}` },
    });
    const said = await response.text();
    assert.ok(said.includes(`"answers":${answers}`), `${name}: ${said}`);
    await page.locator(`a[data-id="${inquiry.id}"]`).waitFor({ state: 'detached' });
  }
});
