// On a phone the list of conversations, a conversation, the inbox and a question are pages, and the
// gesture for Back leads through them in the order in which they were opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import { ask, call, harness, questionElement, waitForEqual, waitUntil } from './harness.mjs';

const it = harness({
  script: { steps: [{ say: 'Hello' }] },
});
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const yesNo = (header) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'] }],
});

test('back leads from a conversation to the list of conversations', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'First words' });
  const page = await it.open('/new', phone);
  const link = page.locator(`main a[href="/c/${body.id}"]`);
  await link.tap();
  await page.waitForURL(`**/c/${body.id}`);
  await page.locator('main').getByText('Hello').waitFor();
  await page.goBack();
  await link.waitFor();
  assert.equal(new URL(page.url()).pathname, '/new');
  await page.goForward();
  await page.locator('main').getByText('Hello').waitFor();
  await page.context().close();
});

test('back leads from a question through the list to where one came from', async () => {
  const [first, second] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const page = await it.open('/new', phone);
  await page.locator('a[href="/inbox"]:visible').first().tap();
  const row = (inquiry) => page.locator(`.inbox a[data-id="${inquiry.id}"]`);
  for (const inquiry of [first, second]) {
    await row(inquiry).tap();
    await questionElement(page, inquiry).locator('form').waitFor();
    // The question is a page of its own.
    await row(inquiry).waitFor({ state: 'hidden' });
    await page.goBack();
    await row(inquiry).waitFor();
    await waitForEqual(() => page.locator('askback-question form:visible').count(), 0);
  }
  await page.goBack();
  await page.waitForFunction(() => location.pathname === '/new');
  await waitForEqual(() => page.locator('.inbox:visible').count(), 0);
  await page.context().close();
});

test('back leads from a question that was opened by its address to the inbox', async () => {
  const inquiry = await ask(it.server, yesNo('Three'));
  const page = await it.open(`/inbox#${inquiry.id}`, phone);
  await questionElement(page, inquiry).locator('form').waitFor();
  await page.getByLabel('All questions').tap();
  await page.locator(`.inbox a[data-id="${inquiry.id}"]`).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await page.context().close();
});

/** The main action of a long question is in reach of the thumb, without scrolling. */
test('the button to send stays in view on a phone', async () => {
  const options = ['One', 'Two', 'Three', 'Four'].map((label) => ({
    label,
    description: 'A description that takes more than one line on a phone, and then some more.',
  }));
  const inquiry = await ask(it.server, { questions: [{ question: 'Which one?', options }] });
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport: { width: 390, height: 640 } });
  const send = page.locator('askback-question').getByRole('button', { name: 'Send answer' });
  await send.waitFor();
  await page.waitForFunction(() => {
    const root = document.querySelector('askback-question')?.shadowRoot;
    const box = root?.querySelector('.actions .primary')?.getBoundingClientRect();
    return box && box.bottom <= innerHeight && document.documentElement.scrollHeight > innerHeight;
  });
  await page.context().close();
});

/** Where a tap sends, nothing has to stay in view, and what stays would cover choices. */
test('without a button to send nothing covers the choices on a phone', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.open(`/inbox#${inquiry.id}`, {
    viewport: { width: 390, height: 500 },
    twoSteps: false,
  });
  const element = page.locator('askback-question');
  await element.getByRole('button', { name: 'PostgreSQL' }).waitFor();
  const places = () =>
    element.evaluate(({ shadowRoot }) => {
      const bottomOf = (/** @type {string} */ part) =>
        shadowRoot?.querySelector(part)?.getBoundingClientRect().bottom ?? 0;
      return [bottomOf('.cards'), bottomOf('.actions')];
    });
  await waitUntil(places, ([cards, actions]) => cards < actions, 'the choices are covered');
  await page.context().close();
});
