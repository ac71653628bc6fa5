// What the chat does while the agent works and something happens meanwhile. The model replies when the test says so.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as questions from './example-questions.mjs';
import { call, harness, questionElement, stopClock } from './harness.mjs';
import { heldModel } from './held-model.mjs';

const model = await heldModel();
const it = harness({ more: model.arguments, env: model.env });
after(() => model.close());

const deploy = {
  tool: 'question',
  input: { question: 'Deploy now?', header: 'Deploy', options: ['Now', 'Later'] },
};

/** Opens a conversation whose agent works on a first message. */
async function talk(message, options) {
  const { body } = await call(it.server, 'POST', '/conversations', { message });
  const page = await it.open(`/c/${body.id}`, options);
  await stopButton(page).waitFor();
  return page;
}
const stopButton = (page) => page.getByRole('button', { name: 'Stop', exact: true });
const conversation = (page) => new URL(page.url()).pathname.slice(3);
const pendingOf = async (page) => {
  const element = page.locator('askback-question[data-state="asked"]');
  await element.waitFor();
  return { id: await element.getAttribute('inquiry') };
};

/** A text that was begun as a message is not sent as the answer to a question that came meanwhile, nor the other way round, before that was seen. */
test('what is typed keeps its purpose until its writer has seen another', async () => {
  const page = await talk('Ask me something');
  const field = page.locator('.composer textarea');
  await field.fill('By the way');
  await model.reply({ say: 'Thinking', calls: [deploy] });
  const inquiry = await pendingOf(page);
  await page.getByText('Reply to').waitFor();
  await field.press('Enter');
  await page
    .locator('.reason')
    .getByText(/This message now answers .?.Deploy/)
    .waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  assert.equal(await field.inputValue(), 'By the way');
  // Its question is answered elsewhere: the text is a message again, and is asked for once more.
  await field.fill('Now');
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/answer`, { answers: { q1: 'Later' } });
  await model.reply({ say: 'You said: Later' });
  await page.locator('.log').getByText('You said: Later').waitFor();
  await page.getByText('Message', { exact: true }).waitFor();
  await page.locator('.composer button.primary:enabled').waitFor();
  await field.press('Enter');
  await page.locator('.reason').getByText('The question is closed').waitFor();
  assert.equal(await page.locator('.user-text').filter({ hasText: 'Now' }).count(), 0);
  await field.press('Enter');
  await page.locator('.user-text').filter({ hasText: 'Now' }).waitFor();
  await model.reply({ say: 'And on.' });
  await page.context().close();
});

/** Whoever answers fast presses the key of a choice before its question can be seen, in the message field. */
test('a key for the next question does not become its answer', async () => {
  const context = await it.context();
  await context.clock.install();
  const page = await talk('Ask me one thing', { context });
  const field = page.locator('.composer textarea');
  await field.focus();
  await stopClock(page, 1000);
  // Somebody types, so that the question does not take the focus.
  await page.keyboard.press('x');
  await page.keyboard.press('Backspace');
  await model.reply({ say: 'Thinking', calls: [deploy] });
  const reply = page.getByText('Reply to');
  while (!(await reply.isVisible())) await context.clock.runFor(1);
  const inquiry = await pendingOf(page);
  const status = async () => (await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status;
  const notice = page.locator('.reason').getByText(/This message now answers .?.Deploy/);
  for (const key of ['1', 'Enter', '1', 'Enter', 'Enter']) {
    await page.keyboard.press(key);
    await context.clock.runFor(300);
  }
  await notice.waitFor();
  assert.equal(await field.inputValue(), '11');
  assert.equal(await status(), 'pending');
  // After a pause it is what the writer wants.
  await context.clock.runFor(700);
  await page.keyboard.press('Enter');
  while ((await status()) === 'pending') await context.clock.runFor(20);
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.equal(body.outcome.message ?? body.outcome.answers[0].own, '11');
  await model.reply({ say: 'So be it.' });
  await context.close();
});

/** A stop that does not reach the server is not kept for later, so the page says that nothing has stopped. */
test('a stop without a connection says that it did not work', async () => {
  const page = await talk('Work on something long');
  await page.context().setOffline(true);
  await stopButton(page).click();
  await page.locator('.reason').getByText('Not stopped: the server cannot be reached.').waitFor();
  await page.context().setOffline(false);
  await model.reply({ say: 'Done.' });
  await page.locator('.log').getByText('Done.').waitFor();
  await page.context().close();
});

/** A question that arrives disturbs nobody who is typing or reading further up. */
test('arrival leaves focus, caret, text and scroll alone', async () => {
  const page = await talk('A story', { viewport: { width: 1000, height: 600 } });
  await model.reply({
    say: Array.from({ length: 60 }, (_, at) => `Line ${at}`).join('\n\n'),
  });
  await page.locator('.log').getByText('Line 59', { exact: true }).waitFor();
  const field = page.locator('.composer textarea');
  await page.locator('.composer textarea:enabled').waitFor();
  await field.fill('and on');
  await field.press('Enter');
  await stopButton(page).waitFor();
  await field.fill('I am in the middle of');
  await field.evaluate((node) => node.setSelectionRange(5, 9));
  // One that comes with a change of the size is not taken for the reader's, so it is repeated.
  let pixel = 0;
  while (await page.locator('.latest').isHidden()) {
    pixel = 1 - pixel;
    await page.evaluate(
      (each) => scrollTo(0, document.documentElement.scrollHeight / 2 + each),
      pixel,
    );
  }
  const place = () =>
    page.evaluate(() => ({
      scroll: scrollY,
      line: document.querySelector('.log p:nth-of-type(30)')?.getBoundingClientRect().top,
    }));
  const before = await place();
  assert.ok(before.scroll > 200, `the page is scrolled: ${before.scroll}`);
  await page.evaluate(() => {
    globalThis.announcements = [];
    for (const region of document.querySelectorAll('[role=status], [role=alert]')) {
      new MutationObserver(() => {
        globalThis.announcements.push(region.textContent);
      }).observe(region, { childList: true, characterData: true, subtree: true });
      // What was said just before counts as well.
      globalThis.announcements.push(region.textContent);
    }
  });
  await model.reply({
    say: 'Thinking',
    calls: [{ tool: 'ask_user_question', input: questions.single }],
  });
  const inquiry = await pendingOf(page);
  await page.waitForFunction(() =>
    globalThis.announcements.some((text) => /1.{0,2} new question/.test(text)),
  );
  await questionElement(page, inquiry).locator('form').waitFor();
  // Whatever would be said a second time would come with the state of the conversation, which is there once this is enabled or closed.
  await page.locator('.reason, .composer textarea:enabled').first().waitFor({ state: 'attached' });
  assert.equal(
    await page.evaluate(
      () => globalThis.announcements.filter((text) => /new question/.test(text)).length,
    ),
    1,
    'announced once',
  );
  assert.deepEqual(
    await field.evaluate((node) => [
      document.activeElement === node,
      node.selectionStart,
      node.selectionEnd,
      node.value,
    ]),
    [true, 5, 9, 'I am in the middle of'],
  );
  assert.deepEqual(await place(), before);
  await page.context().close();
});

/** A stop, and an agent that is stopped, leave the chat ready for the next message. */
test('stopping the agent frees the composer', async () => {
  const page = await talk('Never mind');
  await stopButton(page).click();
  await stopButton(page).waitFor({ state: 'hidden' });
  const { body } = await call(it.server, 'GET', `/conversations/${conversation(page)}`);
  assert.equal(body.state.type, 'idle');
  await page.context().close();
});

/** The feed has every message that is new or changed, so nothing is read again. */
test('the page follows the conversation without reading it again', async () => {
  const page = await talk('Ask me something else');
  await model.reply({ say: 'One question', calls: [deploy] });
  const inquiry = await pendingOf(page);
  // From here on: while the page loads, it may read the conversation.
  const reads = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/conversations/${conversation(page)}`)
      reads.push(`${request.method()} ${request.url()}`);
  });
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/answer`, { answers: { q1: 'Later' } });
  await page.locator('askback-question:not([data-state="asked"])').waitFor();
  await model.reply({ say: 'Later it is.' });
  await page.locator('.log').getByText('Later it is.').waitFor();
  assert.deepEqual(reads, []);
  await page.context().close();
});

/** Stopping an agent that waits for others is confirmed: also without the confirmation, and not after they have ended. */
test('a stop that cancels questions is confirmed, as long as there is something to stop', async () => {
  const context = await it.context();
  // Before the page loads it for what may come.
  await context.route('**/web/lib/confirm.js', (route) => route.abort());
  const page = await it.open('/new', { context });
  /** Presses Stop while the agent waits for others. Returns how often it was stopped, and whether it is asked. */
  const stop = (endsAtOnce) =>
    page.evaluate(async (isEnded) => {
      const { Composer } = await import('/web/chat/composer.js');
      const { loadConfirm } = await import('/web/lib/dom.js');
      let stops = 0;
      const field = new Composer({
        store: Object.assign(new EventTarget(), { isConnected: true }),
        key: 'test',
        send: async () => {},
        stop: async () => {
          stops += 1;
        },
      });
      document.querySelector('main').append(field.node);
      const options = { driver: 'built_in', agent: 'agent', isHeld: false, isTaken: false };
      field.update({ type: 'awaiting_sub_agents' }, options);
      field.node.querySelector('button:not(.primary)').click();
      if (isEnded) field.update({ type: 'idle' }, options);
      // This one is loaded, or not, after the one of the button.
      await loadConfirm();
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      const isAsked = field.node.querySelector('.confirm') !== null;
      field.node.remove();
      return [stops, isAsked];
    }, endsAtOnce);
  page.once('dialog', (dialog) => dialog.dismiss());
  assert.deepEqual(await stop(false), [0, false], 'the browser asks, and nothing is stopped');
  page.once('dialog', (dialog) => dialog.accept());
  assert.deepEqual(await stop(false), [1, false]);
  await context.unroute('**/web/lib/confirm.js');
  assert.deepEqual(await stop(false), [0, true]);
  assert.deepEqual(await stop(true), [0, false], 'there is nothing to stop any more');
  await context.close();
});
