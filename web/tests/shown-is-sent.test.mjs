// What is shown is what is sent (rule A1 of docs/answering.md): in the field, the draft, the review and the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  questionElement,
  call,
  TIMEOUT_MS,
  waitUntilReady,
  harness,
} from './harness.mjs';

const it = harness();
/** The same list, without own text. */
const closed = { ...questions.long, allow_other: false };
const send = (element) => element.getByRole('button', { name: /^Send answer/ }).click();
const box = (element) => element.getByRole('combobox');
const marked = (element) => element.locator('[aria-selected=true] .label').allTextContents();

async function shown(input) {
  const inquiry = await ask(it.server, input);
  const page = await it.openInInbox(inquiry);
  await waitUntilReady(page, inquiry);
  return { inquiry, page, element: questionElement(page, inquiry) };
}

/** The draft on the server, once `fits` is true. */
async function drafted(inquiry, fits) {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}/draft`);
    if (body.draft && fits(body.draft.entries[0])) return body.draft.entries[0];
    assert.ok(Date.now() < end, JSON.stringify(body));
  }
}

/** F-W-1: click French, then type German: the draft and the answer are German. */
test('a label typed after a click is sent', async () => {
  for (const input of [questions.long, closed]) {
    for (const typed of ['German', ' german ']) {
      const { inquiry, element } = await shown(input);
      await element.getByRole('option', { name: 'French' }).click();
      assert.deepEqual(await marked(element), ['French']);
      await box(element).fill(typed);
      assert.deepEqual(await marked(element), ['German'], 'what is typed is what is marked');
      assert.deepEqual((await drafted(inquiry, (entry) => entry.picked?.[0] !== 'fr')).picked, [
        'ge',
      ]);
      await send(element);
      assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['ge']);
    }
  }
});

/** F-W-1: a label typed without any click is an answer. */
test('a label typed without a click is sent', async () => {
  const { inquiry, element } = await shown(closed);
  await box(element).pressSequentially('German');
  await send(element);
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['ge']);
});

/** F-W-1: other text is own text where that is allowed, and replaces the earlier choice. */
test('own text typed after a click is sent', async () => {
  const { inquiry, element } = await shown(questions.long);
  await element.getByRole('option', { name: 'French' }).click();
  await box(element).fill('Klingon');
  assert.deepEqual(await marked(element), ['Use “\u2068Klingon\u2069”']);
  const entry = await drafted(inquiry, ({ own }) => own === 'Klingon');
  assert.deepEqual([entry.picked ?? [], entry.own_ticked], [[], true]);
  await send(element);
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.deepEqual([answer.values ?? [], answer.own], [[], 'Klingon']);
});

/** F-W-1: where own text is not allowed, the error quotes it and it stays in the field. */
test('text that is not a choice is refused and quoted', async () => {
  const { inquiry, page, element } = await shown(closed);
  await element.getByRole('option', { name: 'French' }).click();
  await box(element).fill('Klingon');
  assert.deepEqual(await marked(element), []);
  await send(element);
  await element.locator('.summary').getByText('Klingon').waitFor();
  assert.equal(await box(element).inputValue(), 'Klingon');
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await waitUntilReady(page, inquiry);
  await box(element).focus();
  await page.keyboard.press('Control+Enter');
  await element.locator('.summary').getByText('Klingon').waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  // Choosing one puts it right.
  await element.getByRole('option', { name: 'Dutch' }).click();
  assert.equal(await box(element).inputValue(), 'Dutch');
  await send(element);
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['du']);
});

/** F-W-1: an emptied field is not an answer. */
test('clearing the field clears the choice', async () => {
  for (const input of [questions.long, closed]) {
    const { inquiry, element } = await shown(input);
    await element.getByRole('option', { name: 'French' }).click();
    await drafted(inquiry, ({ picked }) => picked?.[0] === 'fr');
    await box(element).fill('');
    assert.deepEqual(await marked(element), []);
    const entry = await drafted(inquiry, ({ picked }) => !picked);
    assert.ok(!entry.own_ticked);
    await send(element);
    await element.locator('.summary').waitFor();
    assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  }
});

/** F-W-1: labels that differ only in case must match exactly. */
test('an ambiguous label is not an answer', async () => {
  const input = {
    ...closed,
    options: ['go', 'Go', 'Rust', 'C', 'Zig'].map((label, at) => ({ label, value: `v${at}` })),
  };
  const reply = await call(it.server, 'POST', '/inquiries', { input });
  // A server that refuses such labels leaves nothing to choose between.
  if (reply.status !== 201) return;
  const inquiry = reply.body;
  const page = await it.openInInbox(inquiry);
  await waitUntilReady(page, inquiry);
  const element = questionElement(page, inquiry);
  await box(element).fill('GO');
  assert.deepEqual(await marked(element), []);
  await box(element).fill('Go');
  assert.deepEqual(await marked(element), ['Go']);
  await send(element);
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['v1']);
});

/** F-W-1: the review of several questions shows what is sent. */
test('the review shows what is sent', async () => {
  const input = {
    questions: [
      { question: 'Which language?', header: 'Language', options: ['English', 'French', 'German'] },
      {
        question: 'Which features?',
        header: 'Features',
        multiSelect: true,
        options: ['One', 'Two'],
      },
      { question: 'Which store?', header: 'Store', options: ['S3', 'Disk'] },
    ],
  };
  const { inquiry, page, element } = await shown(input);
  await element.getByLabel('French').check();
  await element.getByLabel('German').check();
  await element.getByRole('button', { name: 'Next' }).click();
  await element.getByText('Which features?').waitFor();
  await element.getByLabel('One').check();
  await element.getByLabel('Something else').check();
  await element.getByLabel('Your own answer').fill('Three');
  // Unticked is unticked, in view and in the record.
  await element.getByLabel('Something else').uncheck();
  assert.ok(!(await element.getByLabel('Something else').isChecked()));
  await element.getByRole('button', { name: 'Next' }).click();
  await element.getByText('Which store?').waitFor();
  await element.getByLabel('Disk').check();
  // The row of own words is marked and holds none: that is no answer, and no longer Disk either.
  await element.getByLabel('Something else').check();
  await element.getByText('Add a note').click();
  await element.getByLabel('Note', { exact: true }).fill('later');
  await element.getByRole('button', { name: 'Review' }).click();
  const given = (await element.locator('.review-answer').allTextContents()).map((line) =>
    line.replaceAll(/[\u2068\u2069]/g, ''),
  );
  assert.deepEqual(given, ['German', 'One', 'not answered (note: later)']);
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Send answers' }).click();
  const answers = await answersOf(it.server, inquiry.id);
  assert.deepEqual(
    answers.map(({ given: how, values, own }) => [how, values ?? [], own ?? '']),
    [
      ['chosen', ['German'], ''],
      ['chosen', ['One'], ''],
      ['unanswered', [], ''],
    ],
  );
});

/** F-W-1: going back to a skipped question shows no answer. */
test('a skipped question shows no answer', async () => {
  const { inquiry, element } = await shown(questions.three);
  await element.getByLabel('Passwords').check();
  await element.getByRole('button', { name: 'Skip' }).click();
  await element.getByText('Which providers').waitFor();
  await element.getByRole('button', { name: 'Back' }).click();
  await element.getByText('Which auth method?').waitFor();
  assert.ok(!(await element.getByLabel('Passwords').isChecked()));
  await element.locator('.question').getByText('skipped').waitFor();
  await element.getByLabel('OAuth 2.0').check();
  assert.equal(await element.locator('.question').getByText('skipped').isVisible(), false);
  await element.getByRole('button', { name: 'Review' }).click();
  await element.getByRole('button', { name: 'Send answers' }).click();
  assert.deepEqual(
    (await answersOf(it.server, inquiry.id)).map(({ given }) => given),
    ['chosen', 'unanswered', 'unanswered'],
  );
});

/** F-W-8: only a valid date is echoed. */
test('a date that does not exist is not echoed', async () => {
  const { inquiry, page, element } = await shown(questions.date);
  const field = element.getByRole('textbox').first();
  await field.fill('2028-02-29');
  await element.locator('.echo').getByText('Tuesday, February 29, 2028').waitFor();
  await field.fill('2027-02-29');
  assert.equal(await element.locator('.echo').textContent(), '');
  await send(element);
  await element.locator('.summary').waitFor();
  assert.equal(await element.locator('.echo').textContent(), '');
  await waitUntilReady(page, inquiry);
  await field.fill('2027-02-28');
  await element.locator('.echo').getByText('Sunday, February 28, 2027').waitFor();
  await send(element);
  assert.equal((await answersOf(it.server, inquiry.id))[0].date, '2027-02-28');
});
