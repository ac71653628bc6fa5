// What is sent is what is shown: in the field, in the draft, in the review, and in the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  questionElement,
  call,
  waitUntilReady,
  harness,
  waitForDraft,
  waitForEqual,
} from './harness.mjs';

const it = harness();
/** The same list, without words of one's own. */
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

/** The draft that the server keeps, once it fits. */
const drafted = async (inquiry, fits) =>
  (await waitForDraft(it.server, inquiry, ({ entries }) => fits(entries[0]))).entries[0];

/** Click French, then type German: German is sent, and the draft says so before. */
test('a label that is typed after a click is what is sent', async () => {
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

/** A label typed without any click is an answer. */
test('a label that is typed without a click is taken', async () => {
  const { inquiry, element } = await shown(closed);
  await box(element).pressSequentially('German');
  await send(element);
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['ge']);
});

/** Words that are no label are the own answer where that is allowed, and not what was clicked before. */
test('own words that are typed after a click are what is sent', async () => {
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

/** Elsewhere they are refused with their own words, which stay in the field. */
test('words that are no choice are quoted back', async () => {
  const { inquiry, page, element } = await shown(closed);
  await element.getByRole('option', { name: 'French' }).click();
  await box(element).fill('Klingon');
  assert.deepEqual(await marked(element), []);
  await send(element);
  await element.locator('.error').getByText('Klingon').waitFor();
  assert.equal(await box(element).inputValue(), 'Klingon');
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await waitUntilReady(page, inquiry);
  await box(element).focus();
  await page.keyboard.press('Control+Enter');
  await element.locator('.error').getByText('Klingon').waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  // Choosing one puts it right.
  await element.getByRole('option', { name: 'Dutch' }).click();
  assert.equal(await box(element).inputValue(), 'Dutch');
  await send(element);
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['du']);
});

/** A field that is emptied holds no answer. */
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
    await element.locator('.error').waitFor();
    assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  }
});

/** Labels that differ in case only are told apart by case, and by nothing when neither fits. */
test('a label that could be two is none', async () => {
  const input = {
    ...closed,
    options: ['go', 'Go', 'Rust', 'C', 'Zig'].map((label, at) => ({ label, value: `v${at}` })),
  };
  const response = await call(it.server, 'POST', '/inquiries', { input });
  // A server that refuses such labels leaves nothing to choose between.
  if (response.status !== 201) return;
  const inquiry = response.body;
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

/** With several questions the review shows what is sent, and what is no answer does not get there. */
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
  await element.getByLabel('Other').check();
  await element.getByLabel('Your own answer').fill('Three');
  // Unticked is unticked, in view and in the record.
  await element.getByLabel('Other').uncheck();
  assert.ok(!(await element.getByLabel('Other').isChecked()));
  await element.getByRole('button', { name: 'Next' }).click();
  await element.getByText('Which store?').waitFor();
  await element.getByLabel('Disk').check();
  // The row of own words is marked and holds none: that is no answer, and no longer Disk either.
  await element.getByLabel('Other').check();
  await element.getByText('Add a note').click();
  await element.getByLabel('Note', { exact: true }).fill('later');
  await element.getByRole('button', { name: 'Review' }).click();
  const given = async () =>
    (await element.locator('.review-answer').allTextContents()).map((line) =>
      line.replaceAll(/[\u2068\u2069]/g, ''),
    );
  await waitForEqual(given, ['German', 'One', 'not answered (note: later)']);
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

/** A question that was skipped shows no answer when it is looked at again. */
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

/** Only the day that is sent is echoed: none of the calendar's making, and none beside a refusal. */
test('a day that does not exist is not echoed', async () => {
  const { inquiry, page, element } = await shown(questions.date);
  const field = element.getByRole('textbox').first();
  await field.fill('2028-02-29');
  await element.locator('.echo').getByText('Tuesday, February 29, 2028').waitFor();
  await field.fill('2027-02-29');
  assert.equal(await element.locator('.echo').textContent(), '');
  await send(element);
  await element.locator('.error').waitFor();
  assert.equal(await element.locator('.echo').textContent(), '');
  await waitUntilReady(page, inquiry);
  await field.fill('2027-02-28');
  await element.locator('.echo').getByText('Sunday, February 28, 2027').waitFor();
  await send(element);
  assert.equal((await answersOf(it.server, inquiry.id))[0].date, '2027-02-28');
});

/** The day after today, or another one, as the page writes it. */
const dayFrom = (page, days) =>
  page.evaluate((count) => {
    const day = new Date();
    day.setDate(day.getDate() + count);
    const two = (number) => String(number).padStart(2, '0');
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  }, days);
const inFull = (iso, language = 'en-US') =>
  new Date(`${iso}T12:00:00Z`).toLocaleDateString(language, { dateStyle: 'full', timeZone: 'UTC' });

/** A spoken date is echoed before it is sent, and the echo is the day that is stored. */
test('a spoken date is echoed as the day that is stored', async () => {
  for (const typed of ['tomorrow', '27 mar', 'next friday']) {
    const { inquiry, element } = await shown(questions.date);
    const echo = element.locator('.echo');
    await element.getByRole('textbox').first().fill(typed);
    await echo.getByText(/\d{4}$/).waitFor();
    const echoed = await echo.textContent();
    await send(element);
    const [answer] = await answersOf(it.server, inquiry.id);
    assert.equal(echoed, inFull(answer.date), typed);
  }
});

test('both days of a range typed into its first field are shown and sent', async () => {
  const { inquiry, element } = await shown({ question: 'When?', input_type: 'date_range' });
  const field = element.getByRole('textbox').first();
  await field.fill('27 mar 2027 to 3 apr 2027');
  const days = [inFull('2027-03-27'), inFull('2027-04-03')].join(' – ');
  await element.locator('.echo').getByText(days).waitFor();
  await send(element);
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.deepEqual([answer.start, answer.end], ['2027-03-27', '2027-04-03']);
});

/** What is no date has no echo, and the reason when the field is left; nothing of an earlier text stays. */
test('the echo vanishes when the text is no date', async () => {
  const { page, element } = await shown(questions.date);
  const field = element.getByRole('textbox').first();
  const echo = element.locator('.echo');
  await field.fill('tomorrow');
  await echo.getByText(inFull(await dayFrom(page, 1))).waitFor();
  await field.fill('tomorro');
  assert.equal(await echo.textContent(), '');
  await field.press('Tab');
  await echo.getByText('Not a date. Try 2027-03-27 or tomorrow').waitFor();
  await field.fill('29 feb 2027');
  assert.equal(await echo.textContent(), '');
  await field.press('Tab');
  await echo.getByText('29 February 2027 does not exist').waitFor();
  await field.fill('');
  assert.equal(await echo.textContent(), '');
});

/** Both ends of a range, in the language of the page, and again in the review. */
test('dates are echoed in the language of the page', async () => {
  const inquiry = await ask(it.server, questions.range);
  const context = await it.context({ locale: 'de-DE' });
  // A form of an MCP server has several fields; over HTTP a date stands alone.
  const [range] = inquiry.questions;
  const second = { ...range, id: 'q2', kind: 'text', text: 'Where?' };
  const withSecond = (each) =>
    each.id === inquiry.id ? { ...each, questions: [range, second] } : each;
  await context.route(/\/inquiries(\/inq_\w+)?(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const json = body.items ? { ...body, items: body.items.map(withSecond) } : withSecond(body);
    await route.fulfill({ response, json });
  });
  const page = await it.open(`/inbox#${inquiry.id}`, { context });
  const element = questionElement(page, inquiry);
  await element.getByRole('textbox').nth(0).fill('morgen');
  await element.getByRole('textbox').nth(1).fill('übermorgen');
  const days = [await dayFrom(page, 1), await dayFrom(page, 2)].map((iso) => inFull(iso, 'de'));
  for (const [at, day] of days.entries())
    await element.locator('.echo').nth(at).getByText(day).waitFor();
  await element.locator('.steps button').last().click();
  await element.locator('.review .days').getByText(days.join(' – ')).waitFor();
  await context.close();
});

/** Past midnight the words mean another day; what was shown is what is sent. */
test('the day that was shown is sent after midnight', async () => {
  const { inquiry, page, element } = await shown(questions.date);
  await element.getByRole('textbox').first().fill('tomorrow');
  const day = await dayFrom(page, 1);
  await element.locator('.echo').getByText(inFull(day)).waitFor();
  await page.evaluate(() => {
    const RealDate = Date;
    globalThis.RealDate = RealDate;
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length > 0) super(...given);
        else super(RealDate.now() + 86_400_000);
      }
    };
  });
  await send(element);
  assert.equal((await answersOf(it.server, inquiry.id))[0].date, day);
  await page.evaluate(() => {
    globalThis.Date = globalThis.RealDate;
  });
});

/** A filter limits what "Select all" selects, and what it hides is counted. */
test('select all under a filter selects what is shown', async () => {
  const labels = ['red apple', 'green apple', 'red plum', 'green plum', 'pear'];
  const inquiry = await ask(it.server, {
    question: 'Which fruit?',
    input_type: 'multi_select',
    options: labels,
  });
  const page = await it.openInInbox(inquiry);
  const element = questionElement(page, inquiry);
  await waitUntilReady(page, inquiry);
  const count = element.locator('.tools .count');
  const plain = async () => (await count.innerText()).replaceAll(/[\u2066-\u2069]/g, '');
  await element.getByLabel('pear').check();
  await element.getByLabel('Filter choices').fill('plum');
  await element.getByRole('button', { name: 'Select all' }).click();
  assert.equal(await plain(), '3 selected, 1 not shown');
  await element.getByLabel('Filter choices').fill('');
  assert.equal(await plain(), '3 selected');
  const checked = element.locator('.card:has(input:checked) .label');
  assert.deepEqual(await checked.allInnerTexts(), ['red plum', 'green plum', 'pear']);
  await element.getByRole('button', { name: 'Clear selection' }).click();
  assert.equal(await checked.count(), 0);
  assert.equal(await element.getByRole('button', { name: 'Clear selection' }).isVisible(), false);
  await element.getByLabel('Filter choices').fill('red');
  await element.getByRole('button', { name: 'Select all' }).click();
  await element.getByRole('button', { name: 'Send answer' }).click();
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['red apple', 'red plum']);
});
