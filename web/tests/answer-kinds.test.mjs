// Every kind of question is answered in the browser, and the server stores what the core makes of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  questionElement,
  call,
  waitForState,
  harness,
  waitForInquiry,
  waitForEqual,
} from './harness.mjs';

const it = harness();
const send = (page, inquiry) =>
  questionElement(page, inquiry)
    .getByRole('button', { name: /^Send answer/ })
    .click();
const given = ({ display: _, value: __, ...answer }) => answer;

/** Asks, lets `act` answer, and returns what was stored. */
async function answered(input, act, options) {
  const inquiry = await ask(it.server, input, options);
  const page = await it.openInSharedChat(inquiry);
  const element = questionElement(page, inquiry);
  await act(element, page, inquiry);
  const answers = await answersOf(it.server, inquiry.id);
  await waitForState(page, inquiry, 'replied');
  assert.deepEqual(page.complaints, []);
  return answers.map(given);
}

/** The answer of each kind is the one that the core stores for the same JSON. */
test('every kind of answer is stored as its kind', async () => {
  assert.deepEqual(
    await answered(questions.single, async (element, page, inquiry) => {
      await element.getByLabel('MongoDB').check();
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'chosen', values: ['MongoDB'] }],
  );
  assert.deepEqual(
    await answered(questions.several, async (element, page, inquiry) => {
      await element.getByLabel('Testing (Vitest)').check();
      await element.getByLabel('TypeScript').check();
      await element.getByLabel('Other').check();
      await element.getByLabel('Your own answer').fill('Storybook, "quoted"\nand more');
      await send(page, inquiry);
    }),
    [
      {
        question: 'q1',
        given: 'chosen',
        values: ['TypeScript', 'Testing (Vitest)'],
        own: 'Storybook, "quoted"\nand more',
      },
    ],
  );
  assert.deepEqual(
    await answered(questions.long, async (element, page, inquiry) => {
      await element.getByRole('combobox').fill('ita');
      await element.getByRole('option', { name: 'Italian' }).click();
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'chosen', values: ['it'] }],
  );
  assert.deepEqual(
    await answered(questions.long, async (element) => {
      const field = element.getByRole('combobox');
      await field.fill('Klingon');
      await field.press('Enter');
      await field.press('Enter');
    }),
    [{ question: 'q1', given: 'chosen', values: [], own: 'Klingon' }],
  );
  assert.deepEqual(
    await answered(questions.text, async (element) => {
      await element.getByRole('textbox', { name: /DM/ }).fill('Direct message');
      await element.getByRole('textbox', { name: /DM/ }).press('Enter');
    }),
    [{ question: 'q1', given: 'text', text: 'Direct message' }],
  );
  assert.deepEqual(
    await answered(questions.number, async (element) => {
      await element.getByRole('textbox', { name: /replicas/ }).fill('3');
      await element.getByRole('textbox', { name: /replicas/ }).press('Enter');
    }),
    [{ question: 'q1', given: 'number', number: 3 }],
  );
  assert.deepEqual(
    await answered(questions.date, async (element, page, inquiry) => {
      await element.getByRole('textbox', { name: /schedule/ }).fill('27 mar 2027');
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'date', date: '2027-03-27' }],
  );
  assert.deepEqual(
    await answered(questions.range, async (element, page, inquiry) => {
      await element.getByLabel('From').fill('2027-03-08');
      await element.getByLabel('To', { exact: true }).fill('12 3 2027');
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'date_range', start: '2027-03-08', end: '2027-03-12' }],
  );
});

/** A note is a datum of its own, a skip is no empty text, own text replaces a single choice. */
test('notes, skips and own text are sent as what they are', async () => {
  assert.deepEqual(
    await answered(questions.single, async (element, page, inquiry) => {
      await element.getByRole('radio', { name: 'PostgreSQL' }).check();
      await element.getByText('Add a note').click();
      await element.getByLabel('Note', { exact: true }).fill('keep JWT for CI');
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'chosen', values: ['PostgreSQL'], note: 'keep JWT for CI' }],
  );
  assert.deepEqual(
    await answered(questions.text, (element) =>
      element.getByRole('button', { name: 'Skip' }).click(),
    ),
    [{ question: 'q1', given: 'skipped' }],
  );
  assert.deepEqual(
    await answered(questions.single, async (element) => {
      await element.getByRole('radio', { name: 'PostgreSQL' }).check();
      await element.getByLabel('Other').check();
      await element.getByLabel('Your own answer').fill('15:00');
      await element.getByLabel('Your own answer').press('Enter');
    }),
    [{ question: 'q1', given: 'chosen', values: [], own: '15:00' }],
  );
});

/** Several questions go through a review, and what is left open is named as unanswered. */
test('several questions are reviewed and may be sent in part', async () => {
  assert.deepEqual(
    await answered(questions.three, async (element) => {
      await element.getByLabel('OAuth 2.0').check();
      await element.getByRole('button', { name: 'Next' }).click();
      await element.getByRole('button', { name: 'Skip' }).click();
      await element.getByRole('button', { name: 'Next' }).click();
      await element.getByText('Check your answers before they are sent').waitFor();
      await element.getByRole('button', { name: 'Change Auth Method' }).click();
      await element.getByLabel('Passwords').check();
      await element.getByRole('button', { name: 'Next' }).click();
      await element.getByRole('button', { name: 'Send answers' }).click();
    }),
    [
      { question: 'q1', given: 'chosen', values: ['Passwords'] },
      { question: 'q2', given: 'skipped' },
      { question: 'q3', given: 'unanswered' },
    ],
  );
});

/** Labels with commas, quotes and look-alikes are values, never joined and split again. */
test('labels with commas, quotes and look-alikes round-trip', async () => {
  const labels = ['a, b', 'a', 'b', 'say "hi"', "it's"];
  const options = labels.map((label, at) => ({ label, value: `v${at}` }));
  assert.deepEqual(
    await answered(
      { question: 'Which?', input_type: 'multi_select', options },
      async (element, page, inquiry) => {
        await element.getByLabel('a, b', { exact: true }).check();
        await element.getByLabel('say "hi"').check();
        await send(page, inquiry);
      },
    ),
    [{ question: 'q1', given: 'chosen', values: ['v0', 'v3'] }],
  );
});

/** Nothing is chosen on load; sending nothing moves the focus to the field, and a summary leads there too. */
test('nothing is chosen on load, and sending nothing says so', async () => {
  for (const [kind, input] of Object.entries(questions.kinds).filter(
    ([name]) => name !== 'three',
  )) {
    const inquiry = await ask(it.server, input);
    const page = await it.openInSharedChat(inquiry);
    const element = questionElement(page, inquiry);
    const filled = await element.evaluate(
      (node) =>
        [...node.shadowRoot.querySelectorAll('input, textarea')].filter(
          (each) => each.checked || (each.type.startsWith('text') && each.value),
        ).length,
    );
    assert.equal(filled, 0, kind);
    await send(page, inquiry);
    await element.locator('.error').waitFor();
    const isFieldFocused = () =>
      element.evaluate((node) =>
        ['INPUT', 'TEXTAREA'].includes(node.shadowRoot.activeElement?.tagName),
      );
    await waitForEqual(isFieldFocused, true, `${kind}: the field has the focus`);
    assert.match(await page.title(), /^Error/);
    assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  }
});

/** A refused answer keeps every character, and names what is wrong beside the field. */
test('a refused answer keeps what was typed', async () => {
  for (const [input, typed, message] of [
    [questions.number, '12', /9 or fewer/],
    [questions.number, 'twelve', /must be a number/],
    [questions.date, '2027-02-29', /29 February 2027 does not exist/],
    [questions.text, 'ab', /3 characters or more/],
  ]) {
    const inquiry = await ask(it.server, input);
    const page = await it.openInSharedChat(inquiry);
    const element = questionElement(page, inquiry);
    const field = element.getByRole('textbox').first();
    await field.fill(typed);
    await send(page, inquiry);
    await element.locator('.error').getByText(message).waitFor();
    assert.equal(await element.getByText(message).count(), 1, 'it is said once');
    assert.equal(await field.inputValue(), typed);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    const described = await field.evaluate((node) =>
      node
        .getAttribute('aria-describedby')
        .split(' ')
        .map((id) => node.getRootNode().getElementById(id)?.textContent)
        .join(' '),
    );
    assert.match(described, message);
    await field.fill('3');
    await element.locator('.error').waitFor({ state: 'detached' });
    assert.equal(await field.getAttribute('aria-invalid'), null, 'it was changed');
    assert.doesNotMatch(await page.title(), /^Error/);
  }
  const inquiry = await ask(it.server, questions.range);
  const page = await it.openInSharedChat(inquiry);
  await questionElement(page, inquiry).getByLabel('From').fill('2027-03-12');
  await questionElement(page, inquiry).getByLabel('To', { exact: true }).fill('2027-03-08');
  await send(page, inquiry);
  await questionElement(page, inquiry)
    .locator('.error')
    .getByText(/must not end before/)
    .waitFor();
});

/** Two clicks and two Enters send one request. */
test('sending twice sends once', async () => {
  for (const twice of ['dblclick', 'Enter']) {
    const inquiry = await ask(it.server, questions.single);
    const page = await it.openInSharedChat(inquiry);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(`${inquiry.id}/answer`)) sent += 1;
    });
    const radio = questionElement(page, inquiry).getByLabel('MongoDB');
    await radio.check();
    if (twice === 'dblclick')
      await questionElement(page, inquiry).getByRole('button', { name: /^Send/ }).dblclick();
    else
      await radio.evaluate((node) => {
        for (let i = 0; i < 2; i += 1)
          node.dispatchEvent(
            new KeyboardEvent('keydown', {
              key: 'Enter',
              bubbles: true,
              composed: true,
              cancelable: true,
            }),
          );
      });
    await answersOf(it.server, inquiry.id);
    await waitForState(page, inquiry, 'replied');
    assert.equal(sent, 1, twice);
  }
});

/** Declining and rejecting are named choices; rejecting asks once, with the focus on staying. */
test('rejecting asks once and keeps the question open by default', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInSharedChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByRole('button', { name: 'Stop the agent' }).click();
  await element.locator('.confirm button:focus', { hasText: 'Keep open' }).waitFor();
  await element.locator('.confirm:not([data-guarded])').waitFor();
  await page.keyboard.press('Enter');
  await element.getByRole('button', { name: 'Send answer' }).waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await element.getByRole('button', { name: 'Stop the agent' }).click();
  await element.getByRole('button', { name: 'Stop the agent' }).click();
  await waitForState(page, inquiry, 'rejected');
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'rejected');
  const other = await ask(it.server, questions.single);
  await it.openInSharedChat(other);
  await questionElement(page, other).getByRole('button', { name: 'Let the agent decide' }).click();
  await waitForInquiry(it.server, other.id, ({ status }) => status === 'declined');
});

/** Whoever types the label of a choice means that choice. */
test('a typed label is that choice', async () => {
  assert.deepEqual(
    await answered(questions.single, async (element, page, inquiry) => {
      await element.getByLabel('Other').check();
      await element.getByLabel('Your own answer').fill(' mongodb ');
      await send(page, inquiry);
    }),
    [{ question: 'q1', given: 'chosen', values: ['MongoDB'] }],
  );
});

/** On a touch screen, Return makes a new line: its keyboard has no Shift+Enter. The button sends. */
test('Return makes a new line on a touch screen', async () => {
  const inquiry = await ask(it.server, questions.text);
  const context = await it.context({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await it.openInChat(inquiry, { context });
  const field = questionElement(page, inquiry).getByRole('textbox').first();
  await field.fill('one');
  await field.press('Enter');
  await field.pressSequentially('two');
  assert.equal(await field.inputValue(), 'one\ntwo');
  assert.equal(await page.getByText('Shift+Enter').count(), 0);
  await send(page, inquiry);
  assert.equal((await answersOf(it.server, inquiry.id))[0].text, 'one\ntwo');
  await context.close();
});
