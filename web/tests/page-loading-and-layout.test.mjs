// The pages as a whole: sizes, other origins, print, zoom, languages from right to left, the policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitForState,
  withdrawAll,
  boxOf,
  pageWidth,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness();

/** The first load stays within its budget, and nothing leaves the origin. */
test('the first load is small and stays at home', async () => {
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  const page = await context.newPage();
  // What is loaded when the browser has nothing else to do, or two seconds later, is not the first load.
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (act, ms = 0) => (ms < 2000 ? setTimeout(act, ms) : 0);
  });
  await page.goto(`${it.server.base}/c/${inquiry.conversation_id}`);
  await questionElement(page, inquiry).locator('form').waitFor();
  // What the bodies weigh on the way; headers are apart.
  const loaded = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type))
      .map((/** @type {any} */ { name, encodedBodySize }) => [name, encodedBodySize]),
  );
  assert.deepEqual(
    loaded.filter(([url]) => !url.startsWith(it.server.base)),
    [],
  );
  const files = [...new Map(loaded)].filter(([url]) => /\/web\/|\/strings\/|\/c\//.test(url));
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(files.length > 20 && files.every(([, size]) => size > 0), 'the sizes were seen');
  const list = files.map(([url, size]) => `${size} ${new URL(url).pathname}`);
  assert.ok(total <= 60 * 1024, `${total} bytes:\n${list.join('\n')}`);
  const locale = files.find(([url]) => url.includes('/strings/'));
  assert.ok(locale[1] <= 4.25 * 1024, `the locale has ${locale[1]} bytes`);
  await context.close();
});

/** Fields that few questions need come with the first question that needs them. */
test('rare modules are loaded on demand', async () => {
  await withdrawAll(it.server);
  await ask(it.server, questions.single);
  const loaded = [];
  const context = await it.context();
  context.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const page = await it.open('/inbox', { context });
  await page.locator('main askback-question form').waitFor();
  const rare = [
    '/web/question/field-combobox.js',
    '/web/question/field-date.js',
    '/web/question/share-link.js',
    '/web/question/late-answer.js',
  ];
  assert.deepEqual(
    loaded.filter((path) => rare.includes(path)),
    [],
  );
  const date = await ask(it.server, questions.date);
  await page.locator(`.inbox a[data-id="${date.id}"]`).click();
  await page
    .locator(`main askback-question[inquiry="${date.id}"]`)
    .getByRole('button', { name: 'Tomorrow' })
    .waitFor();
  assert.deepEqual(
    loaded.filter((path) => rare.includes(path)),
    ['/web/question/field-date.js'],
  );
  await withdrawAll(it.server);
  await context.close();
});

/** What a PDF says. */
async function paper(page) {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await page.pdf())), {
    mergePages: true,
  });
  return text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ');
}

/** The text of the PDF has the question, its options and the answer, and no buttons. */
test('paper has the question, the options and the answer, and no buttons', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry, { context: await it.sharedContext() });
  const buttons = (await questionElement(page, inquiry).locator('button').allInnerTexts())
    .map((text) => text.trim())
    .filter(Boolean);
  assert.ok(buttons.includes('Send answer') && buttons.includes('Stop the agent'), String(buttons));
  const asked = await paper(page);
  for (const word of [
    'Which database should we use',
    'PostgreSQL',
    'Robust relational DB',
    'MongoDB',
    'SQLite',
    'Other',
  ])
    assert.ok(asked.includes(word), `${word}: ${asked}`);
  for (const word of buttons) assert.ok(!asked.includes(word), `${word}: ${asked}`);
  // The boxes of the options are drawn, not written.
  await page.emulateMedia({ media: 'print' });
  await waitForEqual(
    () => questionElement(page, inquiry).locator('input[type=radio]:visible').count(),
    4,
  );
  await page.emulateMedia({ media: null });
  await questionElement(page, inquiry).getByLabel('MongoDB').check();
  await questionElement(page, inquiry).getByText('Add a note').click();
  await questionElement(page, inquiry).getByLabel('Note', { exact: true }).fill('because');
  await questionElement(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'replied');
  await questionElement(page, inquiry).locator('.outcome').waitFor({ state: 'attached' });
  const replied = await paper(page);
  for (const word of [
    'Which database should we use',
    'MongoDB',
    'because',
    'Answered in the browser',
  ])
    assert.ok(replied.includes(word), `${word}: ${replied}`);
  for (const word of [...buttons, 'PostgreSQL'])
    assert.ok(!replied.includes(word), `${word}: ${replied}`);
  await page.close();
});

/** 400 % zoom is a screen of 320 px; nothing scrolls sideways and nothing is cut off. */
test('four hundred per cent zoom reflows', async () => {
  const inquiry = await ask(it.server, questions.three);
  const page = await it.openInChat(inquiry, {
    viewport: { width: 320, height: 256 },
    deviceScaleFactor: 4,
  });
  await waitForEqual(() => pageWidth(page), 320);
  const clipped = () =>
    questionElement(page, inquiry).evaluate((node) =>
      [...node.shadowRoot.querySelectorAll('*')]
        .filter(
          (each) =>
            each.checkVisibility() &&
            !each.closest('.visually-hidden') &&
            each.clientWidth > 0 &&
            each.scrollWidth > each.clientWidth + 1,
        )
        .map((each) => each.className || each.tagName),
    );
  await waitForEqual(clipped, []);
  await page.context().close();
});

/** Right to left, the marks are on the right and numbers keep their direction. */
test('Arabic and Hebrew run from right to left', async () => {
  for (const locale of ['ar', 'he']) {
    const inquiry = await ask(it.server, questions.single);
    const page = await it.openInChat(inquiry, { locale });
    assert.equal(
      await page.evaluate(() => `${document.documentElement.dir} ${document.documentElement.lang}`),
      `rtl ${locale}`,
    );
    const places = await questionElement(page, inquiry).evaluate((node) => {
      const card = node.shadowRoot.querySelector('.card');
      return {
        radio: card.querySelector('input').getBoundingClientRect().right,
        label: card.querySelector('bdi').getBoundingClientRect().right,
        isolated: card.querySelector('bdi') !== null,
        code: node.shadowRoot.querySelector('pre').dir,
      };
    });
    assert.ok(places.radio > places.label, `${locale}: the radio is to the right of its label`);
    assert.equal(places.code, 'ltr');
    await page.context().close();
  }
});

/** The policy of the specification comes with every page, and nothing breaks it. */
test('the policy is strict and kept', async () => {
  const inquiry = await ask(it.server, questions.date);
  const page = await it.openInChat(inquiry, { context: await it.sharedContext() });
  const policy = (
    await fetch(`${it.server.base}/`, { headers: { Authorization: `Bearer ${it.server.token}` } })
  ).headers.get('content-security-policy');
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types askback-worker',
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(part), part);
  await questionElement(page, inquiry).getByRole('button', { name: 'Tomorrow' }).click();
  await questionElement(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'replied');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

/** A view whose files do not arrive is loaded again; until then the page stays as it is. */
test('a view that does not load is tried again, with the old one in view', async () => {
  const page = await it.open('/new');
  await page.getByText('General assistant').waitFor();
  for (const name of ['inbox/view.js', 'css/inbox.css']) {
    const files = `**/web/${name}`;
    await page.route(files, (route) => route.abort());
    await page.locator('nav .inbox-link').click();
    await page.locator('.banner').waitFor();
    assert.ok(await page.getByLabel('Message').isVisible(), name);
    await page.unroute(files);
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.locator('.banner').waitFor({ state: 'hidden' });
    const rules = await page.evaluate(
      () => document.querySelector('link[href="/web/css/inbox.css"]')?.sheet?.cssRules.length,
    );
    assert.ok(rules > 0, `${name}: the inbox has its styles`);
    await page.reload();
    await page.goto(`${it.server.base}/new`);
    await page.getByText('General assistant').waitFor();
  }
  await page.context().close();
});

/** Only who can write a message needs the field, and gets it in spite of a bad connection. */
test('a message field is loaded for a conversation that takes messages, and again if that fails', async () => {
  const asked = await ask(it.server, questions.single);
  const { body } = await call(it.server, 'POST', '/conversations', {});
  const context = await it.context();
  const failed = [];
  context.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
  await context.route('**/web/chat/composer.js', (route) => route.abort(), { times: 1 });
  const page = await it.openInChat(asked, { context });
  assert.equal(await page.locator('.composer').count(), 0);
  await page.goto(`${it.server.base}/c/${body.id}`);
  await page.getByLabel('Message').waitFor();
  assert.ok(failed.includes('/web/chat/composer.js'), String(failed));
  await context.close();
});

test('addresses that name nothing, or a question of the inbox, lead to a page', async () => {
  const page = await it.open('/c/cnv_01jzzzzzzzzzzzzzzzzzzzzzzz');
  await page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor();
  await page.locator('.composer').waitFor({ state: 'hidden' });
  const inquiry = await ask(it.server, questions.single);
  await page.goto(`${it.server.base}/inbox/${inquiry.id}`);
  await questionElement(page, inquiry).locator('form').waitFor();
  assert.equal(page.url(), `${it.server.base}/inbox#${inquiry.id}`);
  await page.goto(`${it.server.base}/inbox/no-such%20id`);
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.context().close();
});

/** The button that folds a question stands beside the line with its deadline. */
test('the fold button covers no deadline', async () => {
  const inquiry = await ask(
    it.server,
    { question: 'Now?', input_type: 'confirm' },
    { expires_in: '1h' },
  );
  const page = await it.openInInbox(inquiry);
  await waitUntil(
    () =>
      Promise.all(
        ['.deadline', '.fold'].map((each) => boxOf(questionElement(page, inquiry).locator(each))),
      ),
    ([deadline, fold]) => deadline.right <= fold.left || fold.bottom <= deadline.top,
    'one covers the other',
  );
});

/** The line of an ended question is drawn again when all of it was read: not sooner than its styles are there. */
test('nothing of a question is drawn before its styles are there', async () => {
  const inquiry = await ask(it.server, questions.single);
  const path = `/inquiries/${inquiry.id}`;
  await call(it.server, 'POST', `${path}/answer`, { answers: { q1: 'MongoDB' } });
  const context = await it.context();
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await context.route('**/web/css/element.css', async (route) => {
    await gate;
    await route.continue();
  });
  const page = await context.newPage();
  const read = page.waitForResponse((response) => response.url().endsWith(path));
  // The page has not loaded before its styles have.
  await page.goto(`${it.server.base}/c/${inquiry.conversation_id}`, { waitUntil: 'commit' });
  await (await read).finished();
  // What was read has been dealt with when the page has read something after it.
  await page.evaluate(() => fetch('/web/icons/icon.svg').then((response) => response.text()));
  const parts = () =>
    questionElement(page, inquiry).evaluate((node) => node.shadowRoot.childElementCount);
  assert.equal(await parts(), 0);
  release();
  // The line comes first, and then the answer itself, which has the same word.
  await questionElement(page, inquiry).locator('.line', { hasText: 'MongoDB' }).waitFor();
  await context.close();
});
