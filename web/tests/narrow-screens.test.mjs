// Narrow screens and right-to-left pages: nothing is cut, covered or pushed aside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  waitUntilReady,
  withdrawAll,
  waitForEqual,
} from './harness.mjs';

const it = harness({
  script: {
    chunk_ms: 1,
    steps: [
      {
        say: 'Two ways:\n\n- **PostgreSQL** grows with you\n- **SQLite** is a file\n\n1. first\n2. second',
        calls: [{ tool: 'ask_user_question', input: questions.single }],
      },
    ],
  },
});
const SMALL = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };

/** A conversation with a question that waits. */
async function conversation() {
  const { body } = await call(it.server, 'POST', '/conversations', {
    message: 'Set up storage for the service',
  });
  return `/c/${body.id}`;
}

const height = async (locator) => (await locator.boundingBox()).height;
const top = async (locator) => (await locator.boundingBox()).y;
/** What is loaded later may move both between the two looks. */
const areOneRow = (one, other) =>
  waitForEqual(async () => (await top(one)) - (await top(other)), 0, 'in one row');

/** A list that runs from left to right has its markers on the left, also on a page that does not. */
test('lists in Arabic pages stay inside the message', async () => {
  const page = await it.open(await conversation(), { locale: 'ar', viewport: PHONE });
  const items = page.locator('.log .markdown li');
  await items.last().waitFor();
  const places = await items.evaluateAll((all) =>
    all.map((item) => {
      const list = item.closest('.markdown').getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(item);
      const text = range.getBoundingClientRect();
      return { before: text.left - list.left, behind: list.right - text.right };
    }),
  );
  for (const { before, behind } of places) {
    assert.ok(before >= 20, `there is room for a marker: ${before} px`);
    assert.ok(behind >= 0, `the text is inside: ${behind} px`);
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= PHONE.width, `${width} px`);
  await page.context().close();
});

test('at 320 px the header is one row, and so is what does not answer', async () => {
  const page = await it.open(await conversation(), { viewport: SMALL, hasTouch: true });
  const element = page.locator('.dock askback-question');
  const decide = element.getByRole('button', { name: 'Let the agent decide' });
  await decide.waitFor();
  const header = await height(page.locator('.top'));
  assert.ok(header < 60, `${header} px`);
  const stop = element.getByRole('button', { name: 'Stop the agent' });
  await areOneRow(decide, stop);
  // Its name is not broken when it is folded.
  await element.locator('.fold').click();
  const chip = await height(element.locator('.chip'));
  assert.ok(chip < 30, `${chip} px`);
  await page.context().close();
});

test('the undo bar does not cover what sends the next answer', async () => {
  await withdrawAll(it.server);
  const [first, next] = [
    await ask(it.server, questions.single),
    await ask(it.server, questions.text),
  ];
  const context = await it.context({ viewport: SMALL, hasTouch: true });
  await setUndoSeconds(context, 30);
  const page = await it.open(`/inbox#${first.id}`, { context });
  await waitUntilReady(page, first);
  await questionElement(page, first).getByLabel('SQLite').check();
  await questionElement(page, first).getByRole('button', { name: 'Send answer' }).click();
  await page.locator('.undo-bar button').waitFor();
  const actions = questionElement(page, next).locator('.actions');
  await actions.first().waitFor();
  const [bar, bound] = [
    await page.locator('.undo-bar').boundingBox(),
    await actions.first().boundingBox(),
  ];
  const end = bound.y + bound.height;
  assert.ok(end <= bar.y, `the buttons end at ${end}, the bar starts at ${bar.y}`);
  await context.close();
});

test('each time to snooze until is one line on a phone', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport: PHONE, hasTouch: true });
  await page.getByRole('button', { name: 'Snooze' }).click();
  const presets = page.locator('.preset');
  await presets.first().waitFor();
  for (const preset of await presets.all()) {
    const tall = await height(preset);
    assert.ok(tall < 60, `${await preset.innerText()}: ${tall} px`);
  }
  await page.context().close();
});

test('a name that is cut in a row of an Arabic inbox is cut at its end', async () => {
  const page = await it.open(await conversation(), { locale: 'ar' });
  await page.goto(`${it.server.base}/inbox`);
  const where = page.locator('.inbox .where').filter({ hasText: 'Set up storage' }).first();
  await where.waitFor();
  const cut = await where.evaluate((node) =>
    [node, ...node.children]
      .filter((each) => getComputedStyle(each).textOverflow === 'ellipsis')
      .map((each) => getComputedStyle(each).direction),
  );
  assert.deepEqual(cut, ['ltr']);
  await page.context().close();
});

test('beside the list, too, what does not answer is one row', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.several);
  const viewport = { width: 800, height: 800 };
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport });
  const element = questionElement(page, inquiry);
  const decide = element.getByRole('button', { name: 'Let the agent decide' });
  await decide.waitFor();
  await areOneRow(decide, element.getByRole('button', { name: 'Stop the agent' }));
  await page.context().close();
});

test('who answered and when is one line below the answer on a phone', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'Set up storage' });
  const page = await it.open(`/c/${body.id}`, { viewport: PHONE });
  const asked = page.locator('.dock askback-question');
  await asked.getByRole('button', { name: 'Let the agent decide' }).waitFor();
  const id = await asked.getAttribute('inquiry');
  await call(it.server, 'POST', `/inquiries/${id}/answer`, {
    answers: { q1: { values: ['MongoDB'] } },
  });
  await page.reload();
  const line = page.locator('.log .provenance').first();
  await line.waitFor();
  assert.match(await line.innerText(), /^\P{Po}*Answered over HTTP.* · \d+:\d\d/u);
  assert.ok((await height(line)) < 30);
  await page.context().close();
});

test('an answer of a few words is shown whole on a phone', async () => {
  const words = 'SQLite, with a file for each of the customers';
  const asked = await ask(it.server, questions.single);
  const answers = { q1: { own: words } };
  await call(it.server, 'POST', `/inquiries/${asked.id}/answer`, { answers });
  const page = await it.open(`/c/${asked.conversation_id}`, { viewport: PHONE });
  const line = page.locator('.log .mark + .line').filter({ hasText: words });
  const { cut, rows } = await line.evaluate((each) => ({
    cut: each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight,
    rows: each.clientHeight / Number.parseFloat(getComputedStyle(each).lineHeight),
  }));
  assert.deepEqual([cut, Math.round(rows)], [false, 2]);
  await page.context().close();
});
