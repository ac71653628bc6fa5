// Previews of choices: Markdown and diffs are drawn, in every place where a question is answered; drawings keep their shape.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditBoth } from './axe.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  pageWidth,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const text =
  '# Plan\n\nUse **SQLite**, see `schema.sql`:\n\n- one file\n- no server\n\n| what | cost |\n|------|------|\n| disk | 1 GB |';
const literal = '+----+\n| ab |\n+----+\n- a list\n\ndef f(*args, **kwargs):\n    return args';
const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new';
const mixed =
  'Before\n```diff\n-one\n+two\n```\n\n┌───┐   ┌───┐\n│ a │──▶│ b │\n\n└───┘   └───┘\n\n## After';

const previews = { text, literal, patch, mixed };
const input = {
  questions: [
    {
      question: 'Which?',
      options: Object.entries(previews).map(([label, preview]) => ({ label, preview })),
    },
  ],
};
const it = harness({
  script: {
    chunk_ms: 1,
    steps: [
      {
        say: 'This changes:\n\n```diff\n-one\n+two\n```',
        calls: [{ tool: 'ask_user_question', input }],
      },
    ],
  },
});

/** What a preview shows, by what it is. */
const shownIn = (root) =>
  root.locator('.preview').evaluateAll((all) =>
    all.map((each) => {
      const texts = (selector) =>
        [...each.querySelectorAll(selector)].map(({ textContent }) => textContent.trimEnd());
      return {
        headings: texts('[role=heading]'),
        strong: texts('strong'),
        items: texts('li'),
        cells: texts('td'),
        inserted: texts('.diff ins'),
        deleted: texts('.diff del'),
        literal: texts('pre:not(.diff)'),
      };
    }),
  );

const nothing = {
  headings: [],
  strong: [],
  items: [],
  cells: [],
  inserted: [],
  deleted: [],
  literal: [],
};
const expected = [
  {
    ...nothing,
    headings: ['Plan'],
    strong: ['SQLite'],
    items: ['one file', 'no server'],
    cells: ['disk', '1 GB'],
  },
  { ...nothing, literal: [literal] },
  { ...nothing, inserted: ['+new'], deleted: ['-old'] },
  {
    ...nothing,
    headings: ['After'],
    inserted: ['+two'],
    deleted: ['-one'],
    literal: ['┌───┐   ┌───┐\n│ a │──▶│ b │\n\n└───┘   └───┘'],
  },
];

/** Opens all previews and waits until they are drawn. */
async function openAll(root) {
  const all = root.locator('.preview');
  for (let at = 0; at < expected.length; at += 1) {
    await all.nth(at).locator('summary').click();
    await all.nth(at).locator('.markdown code, .markdown table').first().waitFor();
  }
}

/** Only a diff is drawn as one; Markdown is not shown as its source. */
test('previews are drawn in the inbox', async () => {
  const inquiry = await ask(it.server, input);
  const page = await it.openInInbox(inquiry);
  const element = questionElement(page, inquiry);
  await openAll(element);
  await waitForEqual(() => shownIn(element), expected);
  // Read without colours: each changed line has its sign, and the text is what was sent.
  assert.equal(await element.locator('.preview').nth(2).locator('pre').innerText(), patch);
  assert.deepEqual((await auditBoth(page)).violations, []);
});

test('previews are drawn in the docked question, diffs in messages, too', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'go' });
  const page = await it.open(`/c/${body.id}`);
  const element = page.locator('.dock askback-question');
  await openAll(element);
  await waitForEqual(() => shownIn(element), expected);
  const message = page.locator('.log .diff');
  assert.equal(await message.locator('ins').innerText(), '+two');
  assert.equal(await message.locator('del').innerText(), '-one');
  await page.context().close();
});

test('previews are drawn behind a link, and are readable without scripts', async () => {
  const inquiry = await ask(it.server, input);
  const { body } = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  for (const javaScriptEnabled of [true, false]) {
    const viewport = { width: 320, height: 700 };
    const context = await it.context({ signedIn: false, viewport, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(body.url);
    if (javaScriptEnabled) {
      await openAll(page);
      await waitForEqual(() => shownIn(page), expected);
      assert.deepEqual((await auditBoth(page)).violations, []);
    } else {
      const plain = page.locator('.preview').first();
      await plain.locator('summary').click();
      assert.equal(await plain.locator('pre').innerText(), text);
    }
    await waitUntil(
      () => pageWidth(page),
      (px) => px <= viewport.width,
      'the page is too wide',
    );
    await context.close();
  }
});
