// Which of two drafts is the newer one is told by what each was made from: no clock of a browser decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  questionElement,
  call,
  waitUntilReady,
  harness,
  waitForDraft,
  measure,
  waitUntil,
} from './harness.mjs';

const it = harness();
const HOUR_MS = 3_600_000;
const field = (page, inquiry) => questionElement(page, inquiry).getByRole('textbox').first();
const draft = (typed) => ({
  draft: { page: { question: 0 }, review_focus: 0, entries: [{ focus: 0, typed }] },
});
const save = ({ id }, typed) => call(it.server, 'PUT', `/inquiries/${id}/draft`, draft(typed));

const saved = (inquiry, typed) =>
  waitForDraft(it.server, inquiry, ({ entries }) => entries[0].typed === typed);
const shows = (page, inquiry, text) =>
  page.waitForFunction(
    ([id, wanted]) =>
      document
        .querySelector(`askback-question[inquiry="${id}"]`)
        ?.shadowRoot.querySelector('textarea')?.value === wanted,
    [inquiry.id, text],
  );

/** A page whose clock is wrong by so much, on a server that it can or cannot reach. */
async function browser(skew) {
  const context = await it.context();
  await context.addInitScript((ms) => {
    const { now } = Date;
    Date.now = () => now.call(Date) + ms;
  }, skew);
  return context;
}

/** Typed without a network, by a browser whose clock is slow or fast: it is there after the reload. */
test('a draft typed offline is not discarded, whatever the clock says', async () => {
  for (const skew of [-24 * HOUR_MS, 24 * HOUR_MS]) {
    const inquiry = await ask(it.server, questions.text);
    const context = await browser(skew);
    const page = await it.openInChat(inquiry, { context });
    await field(page, inquiry).fill('Direct');
    await saved(inquiry, 'Direct');
    await page.route('**/draft', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await field(page, inquiry).fill('Direct message');
    await page.reload();
    await shows(page, inquiry, 'Direct message');
    assert.equal(
      await questionElement(page, inquiry).getByText('Another window or device saved').count(),
      0,
    );
    await page.unroute('**/draft');
    await page.reload();
    await shows(page, inquiry, 'Direct message');
    // It goes to the server without another key.
    await saved(inquiry, 'Direct message');
    await context.close();
  }
});

/** A copy in this browser whose server copy was continued elsewhere: both can be had. */
test('a different draft from elsewhere is offered, not taken', async () => {
  const inquiry = await ask(it.server, questions.text);
  const context = await browser(24 * HOUR_MS);
  let page = await it.openInChat(inquiry, { context });
  await field(page, inquiry).fill('Direct');
  await saved(inquiry, 'Direct');
  await context.setOffline(true);
  await field(page, inquiry).fill('Direct mail');
  await page.close();
  await save(inquiry, 'Direct message');
  await context.setOffline(false);
  page = await it.openInChat(inquiry, { context });
  await questionElement(page, inquiry).getByText('Another window or device saved').waitFor();
  await shows(page, inquiry, 'Direct mail');
  // Whoever writes on has not chosen: after reloads it is still offered, and still stored.
  for (const written of ['Direct mail!', 'Direct mail!!']) {
    await waitUntilReady(page, inquiry);
    await field(page, inquiry).press('End');
    await field(page, inquiry).pressSequentially('!');
    await page.reload();
    await shows(page, inquiry, written);
    await questionElement(page, inquiry).getByText('Another window or device saved').waitFor();
  }
  await saved(inquiry, 'Direct message');
  await waitUntilReady(page, inquiry);
  await questionElement(page, inquiry).getByRole('button', { name: 'Use that draft' }).click();
  await shows(page, inquiry, 'Direct message');
  await questionElement(page, inquiry)
    .getByText('Another window or device saved')
    .waitFor({ state: 'detached' });
  await context.close();
});

/** Two windows that both had the question open: the one that saves later overwrites nothing, also after a reload. */
test('a draft from another window is not overwritten', async () => {
  for (const isSameBrowser of [true, false]) {
    const inquiry = await ask(it.server, questions.text);
    const context = await it.context();
    const otherContext = isSameBrowser ? context : await it.context();
    const first = await it.openInChat(inquiry, { context });
    const second = await it.openInChat(inquiry, { context: otherContext });
    const offer = questionElement(second, inquiry).getByText('Another window or device saved');
    await field(first, inquiry).fill('a long text of the first window');
    await saved(inquiry, 'a long text of the first window');
    await field(second, inquiry).pressSequentially('two');
    await offer.waitFor();
    await saved(inquiry, 'a long text of the first window');
    // The offer stays while one writes on, and what is written is not touched.
    await field(second, inquiry).pressSequentially(' more');
    assert.equal(await field(second, inquiry).inputValue(), 'two more');
    await offer.waitFor();
    await second.reload();
    await offer.waitFor();
    await shows(second, inquiry, 'two more');
    await saved(inquiry, 'a long text of the first window');
    // Both can be had.
    const element = questionElement(second, inquiry);
    await waitUntilReady(second, inquiry);
    await element.getByRole('button', { name: 'Keep the draft here' }).click();
    await saved(inquiry, 'two more');
    await offer.waitFor({ state: 'detached' });
    // The first window goes on with its text: it is offered what was saved meanwhile.
    await field(first, inquiry).press('End');
    await field(first, inquiry).pressSequentially('!');
    const back = questionElement(first, inquiry);
    await back.getByText('Another window or device saved').waitFor();
    await waitUntilReady(first, inquiry);
    await back.getByRole('button', { name: 'Use that draft' }).click();
    await shows(first, inquiry, 'two more');
    await context.close();
    await otherContext.close();
  }
});

/** Holds back the responses to requests for the stored draft. */
async function holdDraft(context) {
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await context.route('**/draft', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    await gate;
    return route.fulfill({ response });
  });
  return release;
}

/** Whoever writes before the stored draft was read overwrites neither that one nor what they write. */
test('what is typed before the stored draft arrives replaces nothing', async () => {
  const inquiry = await ask(it.server, questions.text);
  await save(inquiry, 'old words');
  const context = await it.context();
  const release = await holdDraft(context);
  const page = await it.openInChat(inquiry, { context });
  await waitUntilReady(page, inquiry);
  const refused = page.waitForResponse(
    (response) => response.url().endsWith('/draft') && response.request().method() === 'PUT',
  );
  await field(page, inquiry).fill('new words');
  assert.equal((await refused).status(), 409);
  release();
  const element = questionElement(page, inquiry);
  await element.getByText('Another window or device saved').waitFor();
  assert.equal(await field(page, inquiry).inputValue(), 'new words');
  await saved(inquiry, 'old words');
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Keep the draft here' }).click();
  await saved(inquiry, 'new words');
  await context.close();
});

/** What this browser keeps is shown before the server responds, and writing goes on from it. */
test('a draft typed offline is there before the server responds', async () => {
  const inquiry = await ask(it.server, questions.text);
  const context = await it.context();
  let page = await it.openInChat(inquiry, { context });
  await field(page, inquiry).fill('Direct');
  await saved(inquiry, 'Direct');
  await context.setOffline(true);
  await field(page, inquiry).fill('Direct mail');
  await page.close();
  await context.setOffline(false);
  const release = await holdDraft(context);
  page = await it.openInChat(inquiry, { context });
  await shows(page, inquiry, 'Direct mail');
  await field(page, inquiry).press('End');
  await field(page, inquiry).pressSequentially('!');
  release();
  // It was made from what is stored, so there is nothing to choose.
  await saved(inquiry, 'Direct mail!');
  assert.equal(
    await questionElement(page, inquiry).getByText('Another window or device saved').count(),
    0,
  );
  await context.close();
});

/** Slow responses and lost ones are no conflict with oneself. */
test('saving twice before the first response is no conflict', async () => {
  const inquiry = await ask(it.server, questions.text);
  const context = await it.context();
  const page = await it.openInChat(inquiry, { context });
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  await context.route('**/draft', async (route) => {
    if (route.request().method() !== 'PUT' || !isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    await gate;
    return route.fulfill({ response });
  });
  await field(page, inquiry).pressSequentially('one');
  await saved(inquiry, 'one');
  await field(page, inquiry).pressSequentially(' two');
  await saved(inquiry, 'one two');
  release();
  await field(page, inquiry).pressSequentially(' three');
  await saved(inquiry, 'one two three');
  const offer = questionElement(page, inquiry).getByText('Another window or device saved');
  assert.equal(await offer.count(), 0);
  await context.close();
});

/** What arrives from the server redraws a form without taking the focus or the caret. */
test('a new deadline does not take the focus away', async () => {
  const inquiry = await ask(it.server, questions.text, { expires_in: '10m' });
  const context = await it.context();
  const page = await it.openInChat(inquiry, { context });
  await field(page, inquiry).fill('Direct message');
  await field(page, inquiry).evaluate((node) => node.setSelectionRange(3, 6));
  const before = await questionElement(page, inquiry).locator('.deadline p').innerText();
  assert.ok(
    (await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '5h' }))
      .status < 300,
  );
  await page.evaluate((id) => {
    const element = document.querySelector(`askback-question[inquiry="${id}"]`);
    return element.client.inquiry(id).then((now) => element.applyInquiry(now));
  }, inquiry.id);
  await waitUntil(
    () => questionElement(page, inquiry).locator('.deadline p').innerText(),
    (now) => now !== before,
    'the deadline is the same',
  );
  assert.deepEqual(
    await measure(field(page, inquiry), (node) => [
      node.getRootNode().activeElement === node,
      node.selectionStart,
      node.selectionEnd,
      node.value,
    ]),
    [true, 3, 6, 'Direct message'],
  );
  await context.close();
});
