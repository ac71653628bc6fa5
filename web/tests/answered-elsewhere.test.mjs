// Nobody answers what they did not see: a question stays in view until its reader goes on, and no click or
// key that was meant for one question acts on another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  questionElement,
  call,
  withdrawAll,
  waitForState,
  waitUntilReady,
  harness,
  setUndoSeconds,
  stopClock,
  waitForInquiry,
  boxOf,
  waitForFocus,
  waitForEqual,
} from './harness.mjs';

const it = harness();
const options = (name) => ({
  questions: [{ question: `What about ${name}?`, header: name, options: ['Yes', 'No', 'Later'] }],
});
const status = async ({ id }) => (await call(it.server, 'GET', `/inquiries/${id}`)).body.status;
const untouched = async ({ id }) => {
  const { body } = await call(it.server, 'GET', `/inquiries/${id}`);
  return body.status === 'pending' && !body.held;
};
const byAna = (inquiry, answers = { q1: 'No' }) =>
  call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/answer`,
    { answers },
    { 'X-Askback-Actor': 'ana', 'X-Askback-Surface': 'terminal' },
  );
const text = async (locator) => (await locator.innerText()).replaceAll(/[\u2066-\u2069]/g, '');
const shown = (page) => page.locator('main askback-question').getAttribute('inquiry');
const sendButton = (page, inquiry) =>
  questionElement(page, inquiry).getByRole('button', { name: 'Send answer' });
const row = (page, { id }) => page.locator(`a[data-id="${id}"]`);
/** What has the focus: the question it is in, and what it is. */
const focus = (page) =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement;
    return [document.activeElement?.getAttribute('inquiry'), inner?.type ?? inner?.localName];
  });
/** A draft that would be sent if anything pressed the button. */
const begin = ({ id }) =>
  call(it.server, 'PUT', `/inquiries/${id}/draft`, {
    draft: { page: { question: 0 }, review_focus: 0, entries: [{ focus: 0, picked: ['Yes'] }] },
  });

/** Asks some questions and opens the inbox. */
async function inbox(names, { path = '/inbox', clock = false } = {}) {
  await withdrawAll(it.server);
  const asked = [];
  for (const name of names) asked.push(await ask(it.server, options(name)));
  const context = await it.context();
  // Long enough to undo on a busy machine.
  await setUndoSeconds(context, 30);
  const page = await context.newPage();
  if (clock) await page.clock.install();
  await page.goto(it.server.base + (typeof path === 'function' ? path(asked) : path));
  await row(page, asked.at(-1)).waitFor();
  return { page, asked };
}

/** The question that is open is answered in the terminal: it says by whom and how, and stays. */
test('a question that is answered elsewhere stays in view', async () => {
  for (const path of ['/inbox', ([one]) => `/inbox#${one.id}`]) {
    const {
      page,
      asked: [one, two],
    } = await inbox(['One', 'Two'], { path });
    const element = questionElement(page, one);
    await element.getByLabel('Other').check();
    await element.getByLabel('Your own answer').fill('half an answer');
    await byAna(one);
    await waitForState(page, one, 'replied');
    assert.match(await text(element.locator('.verdict')), /Answered by ana in the terminal/);
    assert.match(await text(element.locator('.outcome')), /No/);
    // What was typed can still be read and copied.
    assert.match(await text(element.locator('.unsent')), /half an answer/);
    // In the list it stays in its place too, and says how it ended.
    await page.locator(`.inbox .ended a[data-id="${one.id}"]`).waitFor();
    assert.match(await text(row(page, one)), /Answered by ana in the terminal/);
    await page
      .locator('.inbox-count')
      .filter({ hasText: /1.? question waiting/ })
      .waitFor();
    assert.equal(await shown(page), one.id);
    await waitForEqual(() => focus(page), [one.id, 'div'], 'the focus is at what was typed');
    await page.locator('main button.primary', { hasText: 'Next question' }).click();
    await questionElement(page, two).locator('form').waitFor();
    await row(page, one).waitFor({ state: 'detached' });
    await waitForEqual(() => focus(page), [two.id, 'radio']);
    assert.ok(await untouched(two));
    await page.context().close();
  }
});

/** The same in a conversation and on the page of one question. */
test('a question that is answered elsewhere says so wherever it is open', async () => {
  await withdrawAll(it.server);
  for (const path of [({ conversation_id: id }) => `/c/${id}`, ({ id }) => `/q/${id}`]) {
    const inquiry = await ask(it.server, options('One'));
    const page = await it.open(path(inquiry));
    const element = questionElement(page, inquiry);
    await element.getByLabel('Other').check();
    await element.getByLabel('Your own answer').fill('half an answer');
    await byAna(inquiry);
    await waitForState(page, inquiry, 'replied');
    assert.match(await text(element.locator('.verdict')), /Answered by ana in the terminal/);
    assert.match(await text(element.locator('.unsent')), /half an answer/);
    await waitForEqual(() => focus(page), [inquiry.id, 'div']);
    await page.context().close();
  }
});

/** Nobody touches it: the next question of the conversation has its place a few seconds later. */
test('a question that was answered elsewhere makes room for the next one', async () => {
  const one = await ask(it.server, options('One'));
  const two = await ask(it.server, options('Two'), { conversation_id: one.conversation_id });
  const page = await it.openInChat(one);
  await page.getByText(/1.? more waiting/).waitFor();
  // Noted in the page: a few seconds later it has made room.
  await page.evaluate((id) => {
    const element = document.querySelector(`askback-question[inquiry="${id}"]`);
    globalThis.saidFirst = new Promise((resolve) => {
      new MutationObserver(() => {
        if (element.dataset.state === 'replied')
          resolve(element.shadowRoot.querySelector('.verdict')?.checkVisibility() ?? false);
      }).observe(element, { attributes: true, attributeFilter: ['data-state'] });
    });
  }, one.id);
  await byAna(one);
  await waitForState(page, one, 'replied');
  assert.ok(await page.evaluate(() => globalThis.saidFirst), 'it is said first');
  await questionElement(page, two).locator('form').waitFor();
  await page
    .locator('.log')
    .getByRole('heading', { name: /One.*ana/ })
    .waitFor();
  await page.context().close();
});

/** A question that is more urgent goes to the top of the list, and not into the form. */
test('a question that arrives does not take the place of the open one', async () => {
  const {
    page,
    asked: [one],
  } = await inbox(['One', 'Two']);
  await questionElement(page, one).getByLabel('Yes').check();
  const urgent = await ask(it.server, options('Urgent'), { expires_in: '10m' });
  await row(page, urgent).waitFor();
  await waitForEqual(() => page.locator('.inbox a').first().getAttribute('data-id'), urgent.id);
  assert.equal(await shown(page), one.id);
  assert.ok(await questionElement(page, one).getByLabel('Yes').isChecked());
  await page.context().close();
});

/** The click that was on its way to one question does not hit what stands there afterwards. */
test('a click that was meant for one question does not hit another', async () => {
  const {
    page,
    asked: [one, two],
  } = await inbox(['One', 'Two'], { clock: true });
  await begin(two);
  await questionElement(page, one).getByLabel('Yes').check();
  const button = await boxOf(sendButton(page, one));
  const [x, y] = [button.x + button.width / 2, button.y + button.height / 2];
  await waitUntilReady(page, one);
  await page.mouse.move(x, y);
  await byAna(one);
  await waitForState(page, one, 'replied');
  await page.mouse.click(x, y);
  await page.locator('main button.primary', { hasText: 'Next question' }).click();
  await questionElement(page, two).locator('form').waitFor();
  await questionElement(page, two).locator('input:checked').waitFor();
  // Time stands still in the moment in which the next question is there.
  await stopClock(page);
  await page.evaluate(() => document.querySelector('main askback-question').redraw());
  const send = await boxOf(sendButton(page, two));
  await page.mouse.click(send.x + 5, send.y + 5);
  await page.keyboard.press('Control+Enter');
  await page.evaluate(() => document.querySelector('main askback-question').focusFirst());
  await page.keyboard.press('Enter');
  await page.keyboard.press('3');
  assert.equal(await questionElement(page, two).getAttribute('data-state'), 'asked');
  assert.deepEqual(
    await questionElement(page, two)
      .locator('input')
      .evaluateAll((all) => all.map(({ checked }) => checked)),
    [true, false, false, false],
  );
  assert.ok(await untouched(two));
  // A moment later everything acts.
  await page.clock.runFor(800);
  await waitUntilReady(page, two);
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  const { held, outcome } = await waitForInquiry(
    it.server,
    two.id,
    (now) => now.held || now.status === 'answered',
  );
  assert.deepEqual((outcome ?? held.outcome).answers[0].values, ['Later']);
  await page.context().close();
});

/** The second click of a double click, and a key that is held down, stop at the question they began in. */
test('double clicks and held keys do not carry over', async () => {
  const {
    page,
    asked: [one, two, three],
  } = await inbox(['One', 'Two', 'Three']);
  await begin(two);
  await begin(three);
  await questionElement(page, one).getByLabel('Yes').check();
  await waitUntilReady(page, one);
  const button = await boxOf(sendButton(page, one));
  await page.mouse.click(button.x + 5, button.y + 5);
  await questionElement(page, two).locator('input:checked').waitFor();
  // The undo bar moves the question down when it appears.
  await page.locator('main .undo-bar .undo').waitFor();
  await waitUntilReady(page, two);
  const next = await boxOf(sendButton(page, two));
  await page.mouse.move(next.x + 5, next.y + 5);
  for (const clickCount of [2, 3]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  }
  assert.equal(await questionElement(page, two).getAttribute('data-state'), 'asked');
  assert.ok(await untouched(two));
  // Enter goes down in one question, and is still down in the next.
  await questionElement(page, two).getByLabel('Yes').focus();
  await page.keyboard.down('Enter');
  await questionElement(page, three).locator('input:checked').waitFor();
  await waitUntilReady(page, three);
  await waitForEqual(() => focus(page), [three.id, 'radio']);
  for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  assert.equal(await questionElement(page, three).getAttribute('data-state'), 'asked');
  assert.ok(await untouched(three));
  await page.context().close();
});

/** Several questions in one form: the second click on “Next” does not go past a question. */
test('a double click on Next goes one question on', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.three);
  const page = await it.openInInbox(inquiry);
  await questionElement(page, inquiry).getByLabel('Passwords').check();
  await questionElement(page, inquiry).getByRole('button', { name: 'Next' }).dblclick();
  await questionElement(page, inquiry).getByText('Which providers').waitFor();
  await waitUntilReady(page, inquiry);
  assert.equal(
    await questionElement(page, inquiry)
      .locator('form')
      .getAttribute('aria-label')
      .then((label) => label.replaceAll(/[\u2066-\u2069]/g, '')),
    'Question 2 of 3',
  );
});

/** In a list, a key that was meant for a row that is gone does not act on the one that took its place. */
test('a key for a row that is gone does nothing', async () => {
  const {
    page,
    asked: [one, two, three],
  } = await inbox(['One', 'Two', 'Three'], { clock: true });
  // The row of the open question stays, and no key acts on it.
  await questionElement(page, one).locator('form').waitFor();
  await row(page, one).focus();
  await byAna(one);
  await page.locator(`.inbox .ended a[data-id="${one.id}"]`).waitFor();
  await waitForFocus(row(page, one));
  for (const key of ['s', 'z', 'r', 'x', '1']) await page.keyboard.press(key);
  assert.equal(await page.locator('dialog, .confirm, .undo-bar:visible, .marked').count(), 0);
  // Another row goes, with the focus on it.
  await row(page, two).evaluate((node) => node.focus());
  await stopClock(page);
  await byAna(two);
  await row(page, two).waitFor({ state: 'detached' });
  await waitForFocus(row(page, three));
  for (const key of ['s', 'r', '1', 'Enter']) await page.keyboard.press(key);
  assert.ok(await untouched(three));
  assert.equal(await shown(page), one.id);
  // A pause later the key opens the question of the row, and then acts on it.
  for (let times = 0; times < 2; times += 1) {
    await page.clock.runFor(800);
    await page.keyboard.press('s');
    await page.clock.runFor(800);
    await questionElement(page, three).locator('section').waitFor();
  }
  await waitForInquiry(it.server, three.id, ({ held, status: now }) => held || now !== 'pending');
  await page.context().close();
});

/** One answer after the other by keys: the focus is at the next question, and u takes the last one back. */
test('answering by keyboard goes on from question to question', async () => {
  const { page, asked } = await inbox(['One', 'Two', 'Three']);
  await row(page, asked[0]).focus();
  await page.keyboard.press('Enter');
  for (const [at, inquiry] of asked.entries()) {
    await questionElement(page, inquiry).locator('form').waitFor();
    await waitUntilReady(page, inquiry);
    await waitForEqual(
      () => focus(page),
      [inquiry.id, 'radio'],
      `question ${at + 1} has the focus`,
    );
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await waitForInquiry(
      it.server,
      inquiry.id,
      ({ held, status: now }) => held || now === 'answered',
    );
    if (at !== 0) continue;
    // Back to the first, and on again.
    await questionElement(page, asked[1]).locator('form').waitFor();
    await page.locator('main .undo-bar .undo').waitFor();
    await page.keyboard.press('u');
    await questionElement(page, inquiry).locator('form').waitFor();
    await waitUntilReady(page, inquiry);
    assert.ok(await untouched(inquiry));
    await waitForEqual(() => focus(page), [inquiry.id, 'radio']);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
  }
  await page.waitForFunction(
    (id) =>
      document.activeElement?.getAttribute('inquiry') === id &&
      document.activeElement.shadowRoot.activeElement?.localName === 'h2',
    asked[2].id,
  );
  assert.equal(
    await page.locator('main button.primary', { hasText: 'Next question' }).isVisible(),
    false,
    'nothing is left',
  );
  await page.context().close();
});

/** The link past the list leads to the question in view, whichever that is. */
test('the skip link stays at the question', async () => {
  const {
    page,
    asked: [, two],
  } = await inbox(['One', 'Two'], { path: ([, second]) => `/inbox#${second.id}` });
  await questionElement(page, two).locator('form').waitFor();
  const before = page.url();
  await page.locator('a.skip').focus();
  await page.keyboard.press('Enter');
  assert.equal(page.url(), before);
  assert.equal(await shown(page), two.id);
  await waitForEqual(() => focus(page), [two.id, 'radio']);
  await page.context().close();
});

/** Rejecting several says so, on the button too, and is asked for once. */
test('rejecting several names how many', async () => {
  const {
    page,
    asked: [one, two],
  } = await inbox(['One', 'Two']);
  await row(page, one).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('r');
  const prompt = page.locator('.confirm');
  await prompt.waitFor();
  assert.match(await text(prompt), /Stop the agents of 2 questions\?/);
  const reject = prompt.getByRole('button', { name: /Stop all \(.?2.?\)/ });
  assert.ok(await untouched(one));
  await reject.click();
  for (const each of [one, two])
    await waitForInquiry(it.server, each.id, ({ held, status: now }) => held || now === 'rejected');
  await page.context().close();
});

/** What one press does to an agent can be undone, also where answers are sent at once. */
test('declining and skipping can always be undone', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.number);
  const page = await it.openInChat(inquiry);
  await page.evaluate(() => localStorage.setItem('askback-undo', '0'));
  await questionElement(page, inquiry)
    .getByRole('button', { name: 'Let the agent decide' })
    .click();
  await questionElement(page, inquiry).getByRole('button', { name: /^Undo/ }).click();
  await waitForState(page, inquiry, 'asked');
  assert.ok(await untouched(inquiry));
  await page.goto(`${it.server.base}/inbox`);
  await row(page, inquiry).focus();
  await page.keyboard.press('s');
  await page.locator('main .undo-bar .undo').waitFor();
  assert.equal(await status(inquiry), 'pending');
  await page.keyboard.press('u');
  await page.locator('main .undo-bar').waitFor({ state: 'hidden' });
  await row(page, inquiry).waitFor();
  assert.ok(await untouched(inquiry));
  await page.context().close();
});

/** The slower of two keeps what they sent in view, and stays where they are. */
test('what was sent too late stays readable', async () => {
  const {
    page,
    asked: [one],
  } = await inbox(['One', 'Two']);
  await questionElement(page, one).getByLabel('Other').check();
  await questionElement(page, one).getByLabel('Your own answer').fill('my own words');
  await page.route('**/answer', async (route) => {
    await byAna(one);
    await route.continue();
  });
  await questionElement(page, one).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, one, 'replied');
  assert.match(
    await text(questionElement(page, one).locator('.notice')),
    /Already answered by ana/,
  );
  assert.match(await text(questionElement(page, one).locator('.unsent')), /my own words/);
  assert.equal(await shown(page), one.id);
  await page.context().close();
});

/** The reply to an answer does not lead away from the question that was opened meanwhile. */
test('a late reply leaves the question that was opened meanwhile', async () => {
  const {
    page,
    asked: [one, two, three],
  } = await inbox(['One', 'Two', 'Three']);
  let release;
  const isReleased = new Promise((resolve) => {
    release = resolve;
  });
  await page.route('**/answer', async (route) => {
    await isReleased;
    await route.continue();
  });
  await questionElement(page, one).getByLabel('Yes').check();
  await waitUntilReady(page, one);
  await questionElement(page, one).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, one, 'sending');
  await row(page, three).click();
  await questionElement(page, three).getByLabel('Later').check();
  release();
  // The answer can be undone above the question in view.
  await page.locator('main .undo-bar .undo').waitFor();
  assert.equal(await shown(page), three.id);
  assert.deepEqual(await focus(page), [three.id, 'radio']);
  for (const each of [two, three]) assert.ok(await untouched(each));
  await page.context().close();
});
