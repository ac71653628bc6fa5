// Details of the question block: errors that are seen, names, own answers in long lists, tables, whose answer it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
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
  measure,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness({
  script: {
    chunk_ms: 1,
    steps: [
      {
        say: '| what | cost |\n|---|:-:|\n| PostgreSQL | **20** € |\n| a \\| b | 0 |\n\nnot | a table',
      },
    ],
  },
});

/** A number or a date that is refused has a red border, as a text has. */
test('a refused field is marked', async () => {
  for (const [input, text] of [
    [questions.number, '12'],
    [questions.date, 'no date'],
    [questions.range, 'no date'],
  ]) {
    const inquiry = await ask(it.server, input);
    const page = await it.openInInbox(inquiry);
    const element = questionElement(page, inquiry);
    await waitUntilReady(page, inquiry);
    await element.getByRole('textbox').first().fill(text);
    await element.getByRole('button', { name: 'Send answer' }).click();
    const field = element.locator('input[aria-invalid=true]').first();
    const colours = () =>
      measure(field, (node) =>
        [node, node.getRootNode().querySelector?.('.error')].map(
          (each, at) => each && getComputedStyle(each)[at === 0 ? 'borderColor' : 'color'],
        ),
      );
    await waitUntil(colours, ([border, error]) => border === error, 'the border');
  }
});

/** Questions without a header are told apart by their landmarks. */
test('questions without a header have names of their own', async () => {
  const names = [];
  for (const question of ['Ship it?', 'Stop it?']) {
    const inquiry = await ask(it.server, { questions: [{ question, options: ['Yes', 'No'] }] });
    const page = await it.openInInbox(inquiry);
    const region = questionElement(page, inquiry).getByRole('region', { name: question });
    await region.first().waitFor();
    names.push(question);
  }
  assert.equal(new Set(names).size, 2);
});

/** In a long list the own answer is visible before anything is typed, and is what is typed. */
test('a long list shows that another answer is possible', async () => {
  const inquiry = await ask(it.server, questions.long);
  const page = await it.openInInbox(inquiry);
  const element = questionElement(page, inquiry);
  await waitUntilReady(page, inquiry);
  const own = element.getByRole('option', { name: 'Other: type it above' });
  await own.waitFor();
  await element.getByText(/.?7.? choices shown/).waitFor();
  await own.click();
  assert.equal(await element.locator('[aria-selected=true]').count(), 0);
  await page.keyboard.type('Mauve');
  await element.getByRole('option', { name: /Use .*Mauve/ }).waitFor();
  await element.getByRole('button', { name: 'Send answer' }).click();
  assert.equal((await answersOf(it.server, inquiry.id))[0].own, 'Mauve');
});

/** "optional" is said where it differs: not at every question of a group. */
test('optional is said where it tells something', async () => {
  const single = await ask(it.server, questions.date);
  let page = await it.openInInbox(single);
  const word = (inquiry) => questionElement(page, inquiry).locator('.optional');
  const isSkippable = single.questions[0].optional;
  assert.equal(await word(single).count(), isSkippable ? 1 : 0);
  const three = await ask(it.server, questions.three);
  assert.ok(three.questions.every(({ optional }) => optional));
  page = await it.openInInbox(three);
  assert.equal(await word(three).count(), 0);
});

/** The choices show the number that picks them, up to nine. */
test('choices show their numbers', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInInbox(inquiry);
  const shown = () => questionElement(page, inquiry).locator('.card kbd').allInnerTexts();
  await waitForEqual(shown, ['1', '2', '3', '4']);
});

/** A table of Markdown is a table, and what only looks like one is text. */
test('a table in a message is a table', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'go' });
  const page = await it.open(`/c/${body.id}`);
  const table = page.locator('.log').getByRole('table');
  await table.waitFor();
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['what', 'cost']);
  assert.deepEqual(await table.getByRole('cell').allInnerTexts(), [
    'PostgreSQL',
    '20 €',
    'a | b',
    '0',
  ]);
  assert.equal(await table.locator('strong').innerText(), '20');
  await waitForEqual(() => page.locator('.log p').filter({ hasText: 'not | a table' }).count(), 1);
  await page.context().close();
});

/** Two people without names: each reads "you" only of the answer that was sent from this browser. */
test('"you" is said only where the answer was given', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const mine = await it.openInChat(inquiry, { context });
  const theirs = await it.openInChat(inquiry);
  await questionElement(mine, inquiry).getByLabel('SQLite').check();
  await questionElement(mine, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(mine, inquiry, 'replied');
  await waitForState(theirs, inquiry, 'replied');
  await mine.getByRole('heading', { name: /Database.*SQLite.*you/ }).waitFor();
  await theirs.locator('.dock-ended').getByRole('button', { name: 'Close' }).click();
  await theirs
    .getByRole('heading', { name: /Database.*SQLite.*Answered in the browser/ })
    .waitFor();
  assert.equal(await theirs.getByRole('heading', { name: /· you/ }).count(), 0);
  // It is still so after a reload.
  await mine.reload();
  await mine.getByRole('heading', { name: /Database.*SQLite.*you/ }).waitFor();
  await theirs.reload();
  await theirs
    .getByRole('heading', { name: /Database.*SQLite.*Answered in the browser/ })
    .waitFor();
  await theirs.context().close();
  await context.close();
});

/** Whether the agent waits is said above the question while that is known, and what is in the form stays. */
test('a question says that its agent is not waiting', async () => {
  const asker = { client: 'opencode', session: 's1' };
  const inquiry = await ask(it.server, questions.single, { asker });
  const report = (state) => call(it.server, 'POST', `/inquiries/${inquiry.id}/delivery`, { state });
  const page = await it.openInInbox(inquiry);
  const element = questionElement(page, inquiry);
  await waitUntilReady(page, inquiry);
  const notice = element.getByText('The agent is not waiting right now.');
  assert.equal(await notice.count(), 0);
  await element.getByLabel('MongoDB').check();
  await report('detached');
  await notice.waitFor();
  assert.ok(await element.getByLabel('MongoDB').isChecked(), 'the draft is kept');
  await page.reload();
  await notice.waitFor();
  await report('attached');
  await notice.waitFor({ state: 'detached' });
});
