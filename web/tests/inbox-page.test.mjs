// The inbox as a page: triage by keyboard, many questions, a phone, and snoozing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  waitForInquiry,
  waitUntilReady,
  withdrawAll,
  boxOf,
  waitForEqual,
  waitForFocus,
  waitUntil,
} from './harness.mjs';

const it = harness();
const full = Boolean(process.env.ASKBACK_TEST_FULL);
const yesNo = (header, more = {}) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'], ...more }],
});
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
const plain = async (locator) => (await locator.innerText()).replaceAll(/[\u2066-\u2069]/g, '');

/** Asks many questions, a few at a time. */
async function askMany(count) {
  const asked = [];
  for (let at = 0; at < count; at += 20)
    asked.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, count - at) }, (_, index) =>
          ask(it.server, yesNo(`Q${at + index}`), { source: `agent ${(at + index) % 3}` }),
        ),
      )),
    );
  return asked;
}

/** Thirty questions by keys alone, one after the other, with the focus where the next key is needed. */
test('thirty questions need at most seventy keys', async () => {
  await withdrawAll(it.server);
  const asked = [];
  for (let at = 0; at < 30; at += 1) asked.push(await ask(it.server, yesNo(`Q${at}`)));
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await it.open('/inbox', { context });
  let keys = 0;
  const press = async (key) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await row(page, asked[0]).waitFor();
  await questionElement(page, asked[0]).locator('form').waitFor();
  await page
    .locator('.position')
    .filter({ hasText: /^.?1.? of .?30.?$/ })
    .waitFor();
  await row(page, asked[0]).focus();
  await press('Enter');
  for (const [at, inquiry] of asked.entries()) {
    await page.waitForFunction(
      (id) => document.activeElement?.getAttribute('inquiry') === id,
      inquiry.id,
    );
    await questionElement(page, inquiry).locator('form').waitFor();
    await waitUntilReady(page, inquiry);
    await press(at % 2 ? '2' : '1');
    await press('Enter');
    const now = await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'answered');
    assert.deepEqual(now.outcome.answers[0].values, [at % 2 ? 'No' : 'Yes']);
  }
  assert.ok(keys <= 70, `${keys} keys`);
  await context.close();
});

/** Notes when the first page of the list came and when its first row was painted, and the longest task. */
const watchPaint = () => {
  globalThis.times = { longest: 0, changes: 0 };
  new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries())
      globalThis.times.longest = Math.max(globalThis.times.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.inbox li')) return;
    observer.disconnect();
    // The next frame has been drawn when the task after its callback runs.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        globalThis.times.painted = performance.now();
      };
      port2.postMessage(null);
    });
  }).observe(document, { subtree: true, childList: true });
};

/** Waits until the count above the list says so. */
const waitForCount = (page, text) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('.inbox-count')?.textContent?.replaceAll(/[\u2066-\u2069]/g, '') ===
      wanted,
    text,
  );

/** Only what is on the screen is drawn, an arrival changes no more than that, counts are honest, and everything can be reached. */
test('many questions cost what is on the screen', async (t) => {
  await withdrawAll(it.server);
  // More than are read at once.
  const count = full ? 5000 : 210;
  await askMany(count);
  const last = await ask(it.server, yesNo('Needle'));
  const context = await it.context();
  await context.addInitScript(watchPaint);
  // Until all of the list was read, the count says so.
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await context.route(/\/inquiries\?status=pending.*cursor=/, async (route) => {
    await gate;
    return route.continue();
  });
  const page = await it.open('/inbox', { context });
  await waitForCount(page, '200 of 200+ shown');
  const paint = await page.evaluate(() => {
    const [list] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/inquiries?status=pending'));
    return globalThis.times.painted - list.responseEnd;
  });
  release();
  await waitForCount(page, `${count + 1} questions waiting`);
  await page.waitForFunction((all) => document.title.startsWith(`(${all})`), count + 1);
  const loading = await page.evaluate(() => globalThis.times.longest);
  const rows = await waitUntil(
    () => page.locator('.inbox li').count(),
    (drawn) => drawn > 4 && drawn < 30,
    'rows',
  );
  await waitForEqual(
    () => page.locator('.inbox li').first().getAttribute('aria-setsize'),
    String(count + 1),
  );
  await page.evaluate(() => {
    globalThis.times.longest = 0;
    new MutationObserver((records) => {
      globalThis.times.changes += records.length;
    }).observe(document.querySelector('.inbox-page'), {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  const arrivals = 20;
  await askMany(arrivals);
  const all = count + 1 + arrivals;
  await page.waitForFunction((waiting) => document.title.startsWith(`(${waiting})`), all);
  const { changes, longest } = await page.evaluate(() => globalThis.times);
  assert.ok(changes <= arrivals * rows * 4, `${changes} changes for ${rows} rows`);
  t.diagnostic(
    `${count} pending: first row ${Math.round(paint)} ms after the reply; longest task ${loading} ms while loading, ${longest} ms while ${arrivals} arrive`,
  );
  if (full) {
    assert.ok(paint <= 200, `the first row was painted ${paint} ms after the reply`);
    assert.ok(longest <= 100, `a task of ${longest} ms`);
  }
  // The last one is one key away.
  await page.locator('.inbox a').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(
    (at) => document.activeElement?.closest('li')?.getAttribute('aria-posinset') === String(at),
    all,
  );
  await waitForEqual(() => plain(page.locator('.position')), `${all} of ${all}`);
  await waitUntil(
    () => page.locator('.inbox li').count(),
    (drawn) => drawn < 30,
    'rows',
  );
  // Scrolling reaches both ends.
  for (const [top, at] of [
    [0, 1],
    [1e9, all],
  ]) {
    await page.locator('.rows').evaluate((node, to) => node.scrollTo(0, to), top);
    await page.locator(`.inbox li[aria-posinset="${at}"]`).waitFor();
  }
  // So does the search, by any word of the question.
  await page.evaluate(() => {
    globalThis.times.longest = 0;
  });
  await page.getByLabel('Search questions').pressSequentially('needle');
  await waitForCount(page, `1 of ${all} shown`);
  await row(page, last).waitFor();
  const searching = await page.evaluate(() => globalThis.times.longest);
  t.diagnostic(`longest task while searching ${searching} ms`);
  if (full) assert.ok(searching <= 100, `a task of ${searching} ms`);
  assert.deepEqual(page.complaints, []);
  await context.close();
});

/** On a phone the list and the question are pages, and Back leads from one to the other. */
test('back leads from the question to the list on a phone', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const two = await ask(it.server, yesNo('Two'));
  const page = await it.open('/inbox', { viewport: { width: 390, height: 800 } });
  await row(page, two).waitFor();
  assert.equal(await page.locator('main askback-question').count(), 0);
  await row(page, one).click();
  await questionElement(page, one).locator('form').waitFor();
  await row(page, one).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Next question' }).click();
  await questionElement(page, two).locator('form').waitFor();
  await page.goBack();
  await row(page, one).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await waitForFocus(row(page, two));
  await page.context().close();
});

/** A snoozed question is hidden after a reload too, is counted apart, and can be brought back. */
test('a snoozed question is hidden until it is wanted', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const two = await ask(it.server, yesNo('Two'));
  const page = await it.open('/inbox');
  await questionElement(page, one).locator('form').waitFor();
  await row(page, one).focus();
  await page.keyboard.press('z');
  await page.locator('dialog .preset').first().waitFor();
  await page.keyboard.press('1');
  await row(page, one).waitFor({ state: 'detached' });
  await page.locator('main .undo-bar .undo').waitFor();
  await questionElement(page, two).locator('form').waitFor();
  const { body } = await call(it.server, 'GET', '/inquiries?status=pending');
  const snoozed = body.items.filter((each) => each.snoozed_until).map((each) => each.id);
  assert.deepEqual(snoozed, [one.id]);
  await page.reload();
  await row(page, two).waitFor();
  await page.getByRole('button', { name: /Snoozed \(.?1.?\)/ }).waitFor();
  assert.equal(await row(page, one).count(), 0);
  // Once every page of the list was read.
  await page
    .locator('.inbox-count')
    .filter({ hasText: /1.? question waiting/ })
    .waitFor();
  await page.getByRole('button', { name: /Snoozed \(.?1.?\)/ }).click();
  await row(page, one).waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.status, 'pending');
  await page.context().close();
});

/** The bar is below the list and the question, not on them. */
test('the undo bar covers no row', async () => {
  await withdrawAll(it.server);
  const asked = [];
  for (let at = 0; at < 25; at += 1) asked.push(await ask(it.server, yesNo(`Nr${at}`)));
  for (const viewport of [
    { width: 1280, height: 700 },
    { width: 390, height: 700 },
  ]) {
    const context = await it.context({ viewport });
    await setUndoSeconds(context, 60);
    const page = await it.open('/inbox', { context });
    await row(page, asked.shift()).focus();
    await page.keyboard.press('s');
    const bar = page.locator('main .undo-bar');
    await bar.waitFor();
    const last = row(page, asked.at(-1));
    await page.keyboard.press('End');
    await last.waitFor();
    // As far as it scrolls, with all that is drawn later.
    const ends = async (locator) => {
      await page.evaluate(() => {
        for (const node of [
          document.documentElement,
          ...document.querySelectorAll('.inbox-page *'),
        ])
          node.scrollTo(0, node.scrollHeight);
      });
      return { above: (await boxOf(locator)).bottom, below: (await boxOf(bar)).top };
    };
    // Beside each other, the list and the question end above it, however far they are scrolled.
    const parts = viewport.width > 800 ? ['.inbox-list', '.question-pane'] : [];
    for (const part of [last, ...parts.map((selector) => page.locator(selector))])
      await waitUntil(
        () => ends(part),
        ({ above, below }) => above <= below,
        `${JSON.stringify(viewport)}: the bar covers ${part}`,
      );
    await context.close();
  }
});
