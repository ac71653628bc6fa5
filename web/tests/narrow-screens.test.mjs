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
  boxOf,
  measure,
  pageWidth,
  waitUntil,
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

const height = async (locator) => (await boxOf(locator)).height;
const top = async (locator) => (await boxOf(locator)).y;
/** What is loaded later may change it after the first look. */
const isLower = (locator, limit, name) =>
  waitUntil(
    () => height(locator),
    (px) => px < limit,
    name,
  );
const fits = (page, width) =>
  waitUntil(
    () => pageWidth(page),
    (px) => px <= width,
    'the page is too wide',
  );
/** What is loaded later may move both between the two looks. */
const areOneRow = (one, other) =>
  waitForEqual(async () => (await top(one)) - (await top(other)), 0, 'in one row');

/** A list that runs from left to right has its markers on the left, also on a page that does not. */
test('lists in Arabic pages stay inside the message', async () => {
  const page = await it.open(await conversation(), { locale: 'ar', viewport: PHONE });
  const items = page.locator('.log .markdown li');
  await items.last().waitFor();
  const places = () =>
    items.evaluateAll((all) =>
      all.map((item) => {
        const list = item.closest('.markdown').getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(item);
        const text = range.getBoundingClientRect();
        return { before: text.left - list.left, behind: list.right - text.right };
      }),
    );
  await waitUntil(
    places,
    (all) => all.length > 0 && all.every(({ before, behind }) => before >= 20 && behind >= 0),
    'there is no room for a marker, or the text is not inside',
  );
  await fits(page, PHONE.width);
  await page.context().close();
});

test('at 320 px the header is one row, and so is what does not answer', async () => {
  const page = await it.open(await conversation(), { viewport: SMALL, hasTouch: true });
  const element = page.locator('.dock askback-question');
  const decide = element.getByRole('button', { name: 'Let the agent decide' });
  await decide.waitFor();
  await isLower(page.locator('.top'), 60, 'the header');
  const stop = element.getByRole('button', { name: 'Stop the agent' });
  await areOneRow(decide, stop);
  // Its name is not broken when it is folded.
  await element.locator('.fold').click();
  await isLower(element.locator('.chip'), 30, 'its name');
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
  await waitUntil(
    async () => ({
      end: (await boxOf(actions.first())).bottom,
      bar: await top(page.locator('.undo-bar')),
    }),
    ({ end, bar }) => end <= bar,
    'the buttons end behind the start of the bar',
  );
  await context.close();
});

test('what stops the agent does not stand alone on a line beside the list', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.several);
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport: { width: 1200, height: 800 } });
  const named = (name) => questionElement(page, inquiry).getByRole('button', { name });
  await named('Stop the agent').waitFor();
  const tops = async () => [
    (await boxOf(named('Let the agent decide'))).top,
    (await boxOf(named('Stop the agent'))).top,
  ];
  await waitUntil(tops, ([decide, stop]) => decide === stop, 'both are on one line');
  await page.context().close();
});

test('each time to snooze until is one line on a phone', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport: PHONE, hasTouch: true });
  await page.getByRole('button', { name: 'Snooze' }).click();
  const presets = page.locator('.preset');
  await presets.first().waitFor();
  for (const preset of await presets.all()) await isLower(preset, 60, await preset.innerText());
  await page.context().close();
});

test('a name that is cut in a row of an Arabic inbox is cut at its end', async () => {
  const page = await it.open(await conversation(), { locale: 'ar' });
  await page.goto(`${it.server.base}/inbox`);
  const where = page.locator('.inbox .where').filter({ hasText: 'Set up storage' }).first();
  await where.waitFor();
  const cut = await measure(where, (node) =>
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
  await isLower(line, 30, 'who answered');
  await page.context().close();
});

test('an answer of a few words is shown whole on a phone', async () => {
  const words = 'SQLite, with a file for each of the customers';
  const asked = await ask(it.server, questions.single);
  const answers = { q1: { own: words } };
  await call(it.server, 'POST', `/inquiries/${asked.id}/answer`, { answers });
  const page = await it.open(`/c/${asked.conversation_id}`, { viewport: PHONE });
  const line = page.locator('.log .mark + .line').filter({ hasText: words });
  // It is drawn from the conversation, and again when all of it was read.
  const cutAndRows = () =>
    measure(line, (each) => [
      each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight,
      Math.round(each.clientHeight / Number.parseFloat(getComputedStyle(each).lineHeight)),
    ]);
  await waitForEqual(cutAndRows, [false, 2]);
  await page.context().close();
});
