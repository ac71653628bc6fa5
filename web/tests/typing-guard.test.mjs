// Letters that were meant for a field never act on anything else: not when the question ends under the
// user's hands, not after a refused answer, and not when the user moves through the inbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  stopClock,
  waitForEqual,
  waitForInquiry,
  waitForState,
  waitUntilReady,
  withdrawAll,
  boxOf,
  waitForFocus,
} from './harness.mjs';

const textQuestion = (question, more) => ({ question, input_type: 'text', ...more });
const it = harness({
  script: {
    chunk_ms: 1,
    scenes: [
      {
        when: 'clean up',
        steps: [
          {
            calls: [
              {
                tool: 'ask_user',
                input: { question: 'Delete the database?', input_type: 'confirm' },
              },
            ],
          },
          { say: 'Done.' },
        ],
      },
    ],
    steps: [
      { say: 'First.', calls: [{ tool: 'ask_user', input: textQuestion('First name?') }] },
      { say: 'Second.', calls: [{ tool: 'ask_user', input: textQuestion('Second name?') }] },
      { say: 'Done.' },
    ],
  },
});
const byAna = ({ id }, answer) =>
  call(
    it.server,
    'POST',
    `/inquiries/${id}/answer`,
    { answers: { q1: answer } },
    { 'X-Askback-Actor': 'ana', 'X-Askback-Surface': 'terminal' },
  );
const untouched = async ({ id }) => {
  const { body } = await call(it.server, 'GET', `/inquiries/${id}`);
  return body.status === 'pending' && !body.held;
};
const text = async (locator) => (await locator.innerText()).replaceAll(/[\u2066-\u2069]/g, '');
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
/** What has the focus: the question or row it is in, and what it is. */
const focus = (page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const inner = activeElement?.shadowRoot?.activeElement ?? activeElement;
    return [
      activeElement?.getAttribute('inquiry') ?? activeElement?.dataset.id,
      inner?.className || inner?.localName,
    ];
  });

/** Asks questions and opens the inbox at the first of them. */
async function inbox(inputs, { hasClock = false } = {}) {
  await withdrawAll(it.server);
  const asked = [];
  for (const input of inputs) asked.push(await ask(it.server, input));
  const context = await it.context();
  await setUndoSeconds(context, 30);
  const page = await context.newPage();
  if (hasClock) await page.clock.install();
  await page.goto(`${it.server.base}/inbox`);
  await row(page, asked.at(-1)).waitFor();
  await questionElement(page, asked[0]).locator('form').waitFor();
  await waitUntilReady(page, asked[0]);
  return { page, asked };
}

/** The rest of a sentence that has every letter that is a key of the inbox. */
const REST = ' has all zeros, just ask: xaas rus 12';

test('a sentence goes on after its question was answered elsewhere, and nothing happens', async () => {
  const { page, asked } = await inbox(['One?', 'Two?', 'Three?'].map((each) => textQuestion(each)));
  const [one, ...others] = asked;
  const element = questionElement(page, one);
  await element.getByRole('textbox').first().pressSequentially('The answer');
  await byAna(one, 'mine');
  await waitForState(page, one, 'replied');
  assert.match(await text(element.locator('.unsent')), /not sent[\s\S]*The answer$/);
  assert.deepEqual(await focus(page), [one.id, 'unsent']);
  await page.keyboard.type(REST);
  await page.keyboard.press('Enter');
  assert.deepEqual(await focus(page), [one.id, 'unsent']);
  assert.equal(await page.locator('.marked, .confirm, dialog, .undo-bar:visible').count(), 0);
  for (const each of others) assert.ok(await untouched(each));
  await page.context().close();
});

test('keys act only after a pause, and on several questions only after a confirmation', async () => {
  const { page, asked } = await inbox(['One?', 'Two?', 'Three?'].map((each) => textQuestion(each)));
  const [one, ...others] = asked;
  // Nothing was typed yet: there is nothing to show, and no field to hold the keys.
  await questionElement(page, one).getByRole('textbox').first().focus();
  await page.clock.install();
  await stopClock(page);
  await byAna(one, 'mine');
  await waitForState(page, one, 'replied');
  for (let times = 0; times < 4; times += 1) {
    await page.keyboard.type('as');
    await page.clock.runFor(600);
  }
  assert.equal(await page.locator('.marked, .confirm').count(), 0);
  await page.clock.runFor(800);
  await page.keyboard.press('a');
  assert.equal(await page.locator('.inbox .marked').count(), 0, 'it may be the first of a word');
  await page.clock.runFor(800);
  assert.equal(await page.locator('.inbox .marked').count(), 2);
  await page.keyboard.press('s');
  await page.clock.runFor(800);
  const confirm = page.locator('.bulk .confirm');
  assert.match(await text(confirm), /Let the agents decide .*2/);
  // The same key again does not confirm, nor does Enter.
  await page.clock.runFor(800);
  await page.keyboard.press('s');
  await page.keyboard.press('Enter');
  assert.ok(await confirm.isVisible(), 'Enter after a letter is typing');
  await page.clock.runFor(800);
  await page.keyboard.press('Enter');
  await confirm.waitFor({ state: 'detached' });
  for (const each of others) assert.ok(await untouched(each));
  await page.keyboard.press('s');
  await page.clock.runFor(800);
  await page.clock.runFor(800);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  for (const each of others)
    await waitForInquiry(it.server, each.id, ({ held, status }) => held || status === 'declined');
  await page.context().close();
});

test('in a conversation the next question does not take what is typed for the one before', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'hi' });
  const page = await it.open(`/c/${body.id}`);
  const first = page.locator('.docked askback-question');
  await first.locator('form').waitFor();
  const one = { id: await first.getAttribute('inquiry') };
  await questionElement(page, one).getByRole('textbox').first().pressSequentially('Ada Love');
  await byAna(one, 'Bob');
  await waitForState(page, one, 'replied');
  // The agent goes on, and asks the next one.
  const second = page.locator(`.docked askback-question:not([inquiry="${one.id}"])`);
  await second.waitFor({ state: 'attached' });
  await page.locator('.dock-bar').getByText('more waiting').waitFor();
  const two = { id: await second.getAttribute('inquiry') };
  await page.keyboard.type('lace');
  await page.keyboard.press('Enter');
  assert.deepEqual(await focus(page), [one.id, 'unsent']);
  assert.match(await text(questionElement(page, one).locator('.verdict')), /ana.*in the terminal/);
  assert.match(
    await text(questionElement(page, one).locator('.unsent')),
    /not sent[\s\S]*Ada Love$/,
  );
  assert.equal(await second.isVisible(), false);
  assert.match(await text(page.locator('.dock-bar')), /1 more waiting/);
  const lines = page.locator('.waiting-line');
  assert.match(await text(lines.first()), /First name\?\s*Answered by ana in the terminal/);
  assert.match(await text(lines.last()), /Second name\?\s*Waiting for your answer below/);
  assert.ok(await untouched(two));
  // The user moves on.
  await page.locator('.dock-ended:not([data-guarded])').getByRole('button').click();
  await second.locator('textarea').first().waitFor();
  await waitForEqual(() => focus(page), [two.id, 'textarea']);
  assert.equal(await second.locator('textarea').first().inputValue(), '');
  await page.context().close();
});

test('after a refused answer the focus is in the field that is wrong', async () => {
  const { page, asked } = await inbox([
    { question: 'When?', input_type: 'date' },
    textQuestion('Why?'),
  ]);
  const [when, why] = asked;
  await row(page, when).focus();
  await page.keyboard.press('Enter');
  const field = questionElement(page, when).locator('form input').first();
  await field.waitFor();
  await waitUntilReady(page, when);
  await page.keyboard.press('Enter');
  await questionElement(page, when).locator('.error').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  const described = await field.getAttribute('aria-describedby');
  const error = questionElement(page, when).locator('p.error');
  assert.ok(described.split(' ').includes(await error.getAttribute('id')));
  for (const each of asked) assert.ok(await untouched(each));
  assert.equal(
    (await call(it.server, 'GET', `/inquiries/${why.id}/draft`)).body?.draft ?? null,
    null,
  );
  await page.context().close();
});

test('j and k stay in the list, Enter goes into the question, Esc comes back', async () => {
  const { page, asked } = await inbox(['One?', 'Two?', 'Three?'].map((each) => textQuestion(each)));
  const [, two, three] = asked;
  for (let times = 0; times < 5; times += 1) await page.keyboard.press('j');
  await waitForEqual(async () => (await focus(page))[0], three.id);
  await page.keyboard.press('k');
  await waitForEqual(async () => (await focus(page))[0], two.id);
  for (const each of asked) {
    const { body } = await call(it.server, 'GET', `/inquiries/${each.id}/draft`);
    assert.equal(body?.draft ?? null, null, 'nothing was typed');
  }
  for (const key of ['Enter', 'ArrowRight']) {
    await questionElement(page, two).locator('form').waitFor();
    await waitUntilReady(page, two);
    await page.keyboard.press(key);
    await page.waitForFunction(
      (id) => document.activeElement?.getAttribute('inquiry') === id,
      two.id,
    );
    await waitForEqual(() => focus(page), [two.id, 'textarea']);
    await page.keyboard.type('j');
    await page.keyboard.press('Escape');
    await waitForFocus(row(page, two));
  }
  assert.equal(await questionElement(page, two).locator('textarea').first().inputValue(), 'jj');
  await page.context().close();
});

/** Sends the first message of a conversation, whose reply is a yes-or-no question. */
async function askToCleanUp() {
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${it.server.base}/new`);
  await page.getByText('General assistant').waitFor();
  await page.getByLabel('Message').fill('clean up');
  await page.keyboard.press('Enter');
  return page;
}

test('what is typed after the first message stays in the message field when a question appears', async () => {
  const page = await askToCleanUp();
  const question = page.locator('.docked askback-question[data-state="asked"]');
  let typed = '';
  while ((await question.count()) === 0) {
    await page.keyboard.type('go on ');
    typed += 'go on ';
  }
  // A space selects a focused choice, and Enter sends it.
  await page.keyboard.type('x y');
  await page.keyboard.press('Enter');
  const composer = page.locator('.composer textarea');
  await waitForEqual(() => composer.inputValue(), `${typed}x y`);
  assert.deepEqual(await focus(page), [undefined, 'textarea']);
  assert.equal(await question.locator('input:checked').count(), 0);
  assert.ok(await untouched({ id: await question.getAttribute('inquiry') }));
  await page.context().close();
});

test('a question that has the focus ignores space and Enter in the middle of a sentence', async () => {
  const page = await askToCleanUp();
  const question = page.locator('.docked askback-question[data-state="asked"]');
  const inquiry = { id: await question.getAttribute('inquiry') };
  // After a pause it takes the focus from the empty message field.
  await page.waitForFunction(
    () => document.activeElement?.shadowRoot?.activeElement?.type === 'radio',
  );
  await waitUntilReady(page, inquiry);
  await stopClock(page, 1000);
  await page.keyboard.type('yes but');
  await page.clock.runFor(600);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const chosen = questionElement(page, inquiry).locator('form input:checked');
  assert.equal(await chosen.count(), 0);
  assert.ok(await untouched(inquiry));
  await page.clock.runFor(200);
  await page.keyboard.press('Space');
  assert.equal(await chosen.count(), 1);
  await page.context().close();
});

test('a second Enter does not send the draft of the question that follows', async () => {
  const { page, asked } = await inbox(
    ['One?', 'Two?'].map((question) => ({ question, input_type: 'confirm' })),
    { hasClock: true },
  );
  const [one, two] = asked;
  const next = questionElement(page, two);
  await row(page, two).click();
  await next.getByLabel('Yes', { exact: true }).check();
  await row(page, one).click();
  await waitUntilReady(page, one);
  await questionElement(page, one).getByLabel('No', { exact: true }).check();
  await stopClock(page, 1000);
  await page.keyboard.press('Enter');
  await next.locator('input:checked').waitFor();
  await page.clock.runFor(600);
  await page.keyboard.press('Enter');
  assert.ok(await untouched(two));
  await page.clock.runFor(800);
  await page.keyboard.press('Enter');
  await waitForInquiry(it.server, two.id, ({ held }) => held);
  await page.context().close();
});

test('own words that are typed on a choice begin an answer, and act on nothing', async () => {
  const deploy = (question) => ({
    question,
    input_type: 'single_select',
    allow_other: true,
    options: ['Now', 'Tonight'],
  });
  const { page, asked } = await inbox(
    [deploy('One?'), deploy('Two?'), { question: 'Three?', input_type: 'confirm' }],
    { hasClock: true },
  );
  const [one, two, three] = asked;
  await stopClock(page, 1000);
  for (const [inquiry, words] of [
    [two, 'in two weeks, ask sam 12 '],
    [one, 'keep it as it is'],
  ]) {
    let read;
    const isRead = new Promise((resolve) => {
      read = resolve;
    });
    await page.route('**/draft', async (route) => {
      await isRead;
      await route.fallback();
    });
    await row(page, inquiry).click();
    await questionElement(page, inquiry).locator('form').waitFor();
    await page.clock.runFor(800);
    await questionElement(page, inquiry).getByLabel('Now').focus();
    await page.keyboard.type(words);
    // Its draft is read before it is written to.
    read();
    const own = questionElement(page, inquiry).locator('.own textarea');
    await waitForEqual(() => own.inputValue(), words);
    assert.deepEqual(await focus(page), [inquiry.id, 'textarea']);
  }
  // From the row of a question as well.
  await page.clock.runFor(800);
  await row(page, two).focus();
  await page.keyboard.type('or so');
  // The stored draft is read first.
  await page.waitForFunction(
    (id) =>
      document
        .querySelector(`askback-question[inquiry="${id}"]`)
        ?.shadowRoot.querySelector('.own textarea').value === 'in two weeks, ask sam 12 or so',
    two.id,
  );
  // Where there is no field for them, they are ignored, with the Enter that ends them.
  await row(page, three).click();
  await questionElement(page, three).locator('form').waitFor();
  await page.clock.runFor(800);
  await row(page, three).focus();
  await page.keyboard.type('skip sure');
  await page.keyboard.press('Enter');
  await page.clock.runFor(800);
  assert.equal(await page.locator('.marked, .confirm, dialog, .undo-bar:visible').count(), 0);
  assert.equal(await questionElement(page, three).locator('input:checked').count(), 0);
  for (const each of asked) assert.ok(await untouched(each));
  // A key that stands alone works.
  await page.keyboard.press('s');
  await page.clock.runFor(800);
  await waitForInquiry(it.server, three.id, ({ held }) => held);
  await page.context().close();
});

/** Text is in the field, and has not been sent. */
async function keepsDraft(page, inquiry, draft) {
  assert.equal(await questionElement(page, inquiry).getAttribute('data-state'), 'asked');
  assert.equal(
    await questionElement(page, inquiry).getByRole('textbox').first().inputValue(),
    draft,
  );
  assert.ok(await untouched(inquiry));
}

/** The Enter that leads into a question is not the one that sends what is in it. */
test('Enter twice on a row does not send the draft', async () => {
  const { page, asked } = await inbox(['One?', 'Two?'].map((each) => textQuestion(each)));
  const [one] = asked;
  const field = questionElement(page, one).getByRole('textbox').first();
  await field.fill('half a thought');
  await page.keyboard.press('Escape');
  await waitForFocus(row(page, one));
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Enter');
  assert.deepEqual(
    await focus(page),
    [one.id, 'textarea'],
    'the first one leads into the question',
  );
  await keepsDraft(page, one, 'half a thought');
  // After a pause, Enter sends.
  await waitUntilReady(page, one);
  await page.keyboard.press('Enter');
  await waitForInquiry(it.server, one.id, ({ held, status }) => held || status === 'answered');
  await page.context().close();
});

/** The Enter that closes a confirmation goes on to the row, and no further. */
test('Enter three times on Keep open does not send the draft', async () => {
  const { page, asked } = await inbox(['One?', 'Two?'].map((each) => textQuestion(each)));
  const [one, two] = asked;
  await questionElement(page, one).getByRole('textbox').first().fill('half a draft');
  await row(page, two).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.locator('.inbox .marked').nth(1).waitFor();
  await page.locator('.bulk [data-action=skip]').click();
  const confirm = page.locator('.bulk .confirm:not([data-guarded])');
  await confirm.waitFor();
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('Enter');
  await page.locator('.confirm').waitFor({ state: 'detached' });
  await keepsDraft(page, one, 'half a draft');
  assert.ok(await untouched(two));
  await page.context().close();
});

/** A5 is about keys: whoever presses Enter somewhere and then clicks wants what they click on. */
test('a click right after Enter is not ignored', async () => {
  const yesNo = { questions: [{ question: 'One?', header: 'One', options: ['Yes', 'No'] }] };
  const { page, asked } = await inbox([yesNo], { hasClock: true });
  const choice = questionElement(page, asked[0]).getByRole('radio', { name: 'No' });
  const { x, y } = await boxOf(choice);
  await page.getByLabel('Search questions').focus();
  await page.keyboard.press('Enter');
  await page.mouse.click(x + 3, y + 3);
  assert.ok(await choice.isChecked());
  await page.context().close();
});

/** What is wrong is said once, until it is mended; and a key that did nothing is not swallowed without a word. */
test('an error goes when it is mended, and a digit right after another key says that it did nothing', async () => {
  const labels = ['Yes', 'No'].map((label) => ({ label, value: label }));
  const choice = { input_type: 'single_select', allow_other: false, options: labels };
  const inquiry = await ask(it.server, { question: 'Delete the old tables?', ...choice });
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByRole('button', { name: 'Send answer' }).click();
  const error = element.locator('.error');
  await error.waitFor();
  const said = await error.innerText();
  assert.equal(await element.getByText(said.trim()).count(), 1, said);
  await element.getByLabel('Yes').check();
  assert.equal(await error.count(), 0);
  await stopClock(page, 1000);
  await page.keyboard.press('x');
  await page.clock.runFor(500);
  await page.keyboard.press('2');
  assert.ok(await element.getByLabel('Yes').isChecked());
  await element.getByText('That was too early and did nothing').waitFor();
  await page.clock.runFor(800);
  await page.keyboard.press('2');
  assert.ok(await element.getByLabel('No', { exact: true }).isChecked());
  await page.context().close();
});
