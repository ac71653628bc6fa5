// Opening a page: what is read, who is named, and where the focus is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import { ask, call, harness, questionElement, withdrawAll } from './harness.mjs';

const it = harness({ script: { chunk_ms: 1, steps: [{ say: 'Hello there.' }] } });

/** Everything is read once, by the first tab and by the second. */
test('a page reads everything once', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  // However slow the stream is: a page that has waited for a second reads without it, and again with it.
  await context.addInitScript(() => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (act, ms = 0) => (ms === 1000 ? 0 : setTimeout(act, ms));
  });
  for (const tab of ['first', 'second']) {
    const read = [];
    const page = await context.newPage();
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(inquiries|conversations|apps)$/.test(pathname)) read.push(pathname + search);
    });
    await page.goto(`${it.server.base}/inbox`);
    await page.locator(`main askback-question[inquiry="${inquiry.id}"] form`).waitFor();
    await page.locator('nav .other-agents').waitFor();
    // Whatever the stream brings has been dealt with when its next event is shown.
    const next = await ask(it.server, questions.text);
    await page.locator(`.inbox a[data-id="${next.id}"]`).waitFor();
    assert.deepEqual(
      [...read].sort(),
      ['/apps', '/conversations?driver=built_in&limit=100', '/inquiries?status=pending&limit=200'],
      tab,
    );
  }
  await context.close();
});

/** The agent has its name on every load, however late the list of apps comes. */
test('the agent is named when its app is read', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'hi' });
  const context = await it.context();
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await context.route('**/apps', async (route) => {
    await gate;
    return route.continue();
  });
  const page = await it.open(`/c/${body.id}`, { context });
  await page.locator('.log').getByText('Hello there.').waitFor();
  release();
  await page.locator('.log').getByText('General assistant').waitFor();
  await page.getByRole('article', { name: 'General assistant' }).waitFor();
  await context.close();
});

/** One name for who asks, which does not depend on what is read first. */
test('a question that nobody has signed is not by the built-in agent', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.text, { source: undefined });
  const context = await it.context();
  // Nothing but the questions is read.
  await context.route(/\/(apps|conversations(\/\w+|\?.*)?)$/, (route) =>
    route.fulfill({ status: 403 }),
  );
  const page = await it.open(`/inbox#${inquiry.id}`, { context });
  await page.locator('.question-pane .from .who').getByText('askback', { exact: true }).waitFor();
  assert.equal(await page.getByText('General assistant').count(), 0);
  await context.close();
});

/** Whoever opens a conversation or starts one is not left without a focus. */
test('the focus is in the view that was opened', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const page = await it.open('/new');
  const isFocused = (selector) =>
    page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
  await isFocused('.start textarea');
  await page.locator('nav').getByText('Other agents').click();
  await page.locator('nav details[data-agent="builder"] summary').click();
  await page.locator(`nav a[href="/c/${inquiry.conversation_id}"]`).click();
  await isFocused(`askback-question[inquiry="${inquiry.id}"]`);
  await page.locator('nav .new').click();
  await isFocused('.start textarea');
  await page.keyboard.type('hi');
  await page.keyboard.press('Enter');
  await page.locator('.log').getByText('Hello there.').waitFor();
  await page.waitForFunction(() => document.activeElement?.localName !== 'body');
  await page.goBack();
  await page.locator('.start').waitFor();
  await page.context().close();
});

/** A wrong token is not a question that does not exist. */
test('a wrong token says so', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await (await it.context({ signedIn: false })).newPage();
  await page.goto(it.server.base);
  for (const [id, token, text] of [
    [inquiry.id, 'wrong-token-0123456789', /Access denied/],
    ['inq_00000000000000000000000000', it.server.token, /does not exist/],
  ]) {
    await page.evaluate(
      async ([inquiryId, secret]) => {
        await import('/web/element.js');
        const element = document.createElement('askback-question');
        element.setAttribute('src', location.origin);
        element.setAttribute('inquiry', inquiryId);
        element.setAttribute('token', secret);
        document.body.replaceChildren(element);
      },
      [id, token],
    );
    await questionElement(page, { id }).getByText(text).waitFor();
  }
  await page.context().close();
});
