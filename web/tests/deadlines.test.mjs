// Deadlines in the browser: how long is left, what "more time" does, and that every page hears of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitUntilReady,
  withdrawAll,
  boxOf,
  measure,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness();
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
const plain = (text) => text.replaceAll(/[\u2066-\u2069]/g, '');

/** More time means no deadline, and both the question and the lists of all pages say so. */
test('more time says what it does, on every page', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single, { expires_in: '3h' });
  const later = await ask(it.server, questions.text, { expires_in: '5h' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const other = await it.open('/inbox');
  for (const each of [page, other]) {
    await questionElement(each, inquiry)
      .getByText(/Closes at .* · .?in 3 hr/)
      .waitFor();
    await row(each, inquiry).getByText('in 3 hr.').waitFor();
  }
  await waitUntilReady(page, inquiry);
  await questionElement(page, inquiry).getByRole('button', { name: 'Give me more time' }).click();
  await questionElement(page, inquiry).getByText('No deadline any more').waitFor();
  for (const each of [page, other]) {
    await row(each, inquiry)
      .getByText(/just now|min\. ago/)
      .waitFor();
    await questionElement(each, inquiry).locator('.deadline').waitFor({ state: 'detached' });
    // The one with a deadline is first now.
    await each.waitForFunction(
      (id) => document.querySelector('.inbox a')?.dataset.id === id,
      later.id,
    );
  }
  // A deadline that the agent moves is shown as well.
  await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '2h' });
  for (const each of [page, other]) {
    await row(each, inquiry).getByText('in 2 hr.').waitFor();
    await questionElement(each, inquiry)
      .getByText(/in 2 hr/)
      .waitFor();
  }
  await other.context().close();
  await page.context().close();
});

/** A deadline counts down by seconds at its end. */
test('a deadline that is near counts down', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single, { expires_in: '50s' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const remaining = questionElement(page, inquiry).locator('.deadline.near .remaining');
  await remaining.filter({ hasText: /in \d+ sec/ }).waitFor();
  const seconds = async () => Number(/\d+/.exec(plain(await remaining.innerText()))[0]);
  const before = await seconds();
  await page.waitForFunction(
    ([id, text]) =>
      document
        .querySelector(`askback-question[inquiry="${id}"]`)
        .shadowRoot.querySelector('.remaining')?.textContent !== text,
    [inquiry.id, await remaining.textContent()],
  );
  assert.ok((await seconds()) < before);
  await page.context().close();
});

/** More time, by the first letter typed near the deadline or by somebody else, takes nothing from who types. */
test('a new deadline keeps what is being typed', async () => {
  await withdrawAll(it.server);
  for (const byOthers of [false, true]) {
    const inquiry = await ask(it.server, questions.text, { expires_in: byOthers ? '2h' : '50s' });
    for (const open of [() => it.open(`/inbox#${inquiry.id}`), () => it.openInChat(inquiry)].slice(
      byOthers ? 0 : 1,
    )) {
      const page = await open();
      const element = questionElement(page, inquiry);
      await element.locator(byOthers ? '.deadline' : '.deadline.near').waitFor();
      await waitUntilReady(page, inquiry);
      const field = element.getByRole('textbox').first();
      const node = await field.elementHandle();
      await field.fill('');
      await field.focus();
      await page.keyboard.type('a');
      if (byOthers) {
        await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '3h' });
        await call(it.server, 'POST', `/inquiries/${inquiry.id}/keep-open`);
      }
      await element.locator('.deadline').waitFor({ state: 'detached' });
      await page.keyboard.type('bc');
      assert.equal(await field.inputValue(), 'abc');
      assert.ok(
        await node.evaluate(
          (same) => same.isConnected && same.getRootNode().activeElement === same,
        ),
        'the field is the same, and has the focus',
      );
      await page.context().close();
      if (byOthers)
        await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '2h' });
    }
  }
});

/** A lost connection is said in view, wherever the page is scrolled to, and goes away by itself. */
test('a lost connection stays in view', async () => {
  await withdrawAll(it.server);
  const many = { questions: [{ question: 'Long?', options: ['Yes', 'No'] }] };
  const asked = [];
  for (let at = 0; at < 25; at += 1) asked.push(await ask(it.server, many));
  for (const viewport of [
    { width: 1280, height: 700 },
    { width: 360, height: 640 },
  ]) {
    const context = await it.context({ viewport });
    const page = await it.open('/inbox', { context });
    await row(page, asked[0]).waitFor();
    await context.setOffline(true);
    await page.evaluate(async () => {
      const { feedOf } = await import('/web/lib/feed.js');
      const { Client } = await import('/web/lib/api.js');
      // What the browser reports when the network goes.
      feedOf(new Client()).broadcast({ type: 'lost', data: {} });
    });
    const banner = page.getByText('Connection lost, reconnecting');
    await banner.waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await waitUntil(
      () => boxOf(banner),
      ({ top, bottom }) => top >= 0 && bottom <= 200,
      'it is not in view',
    );
    const isOnTop = () =>
      measure(banner, (node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === node;
      });
    await waitForEqual(isOnTop, true, 'nothing covers it');
    // The inbox is as much shorter: on a wide screen nothing scrolls under it.
    if (viewport.width > 800)
      await waitForEqual(() => page.evaluate(() => scrollY), 0, 'the page does not scroll');
    await context.close();
  }
});

/** A second Enter on "more time", whose button is gone, must not take the draft of another device. */
test('after more time the focus is not on the draft of another device', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.text, { expires_in: '3h' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const element = questionElement(page, inquiry);
  const field = element.getByRole('textbox').first();
  await waitUntilReady(page, inquiry);
  const stored = page.waitForResponse((response) => response.url().endsWith('/draft'));
  await field.fill('mine');
  await stored;
  await call(it.server, 'PUT', `/inquiries/${inquiry.id}/draft`, {
    draft: { page: { question: 0 }, review_focus: 0, entries: [{ focus: 0, typed: 'theirs' }] },
  });
  await field.fill('mine too');
  await element.getByRole('button', { name: 'Use that draft' }).waitFor();
  await element.getByRole('button', { name: 'Give me more time' }).focus();
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('Enter');
  await element.getByText('No deadline any more').waitFor();
  assert.equal(
    await element.evaluate((node) => node.shadowRoot.activeElement?.localName),
    'h2',
    'the heading, where Enter does nothing',
  );
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), 'mine too');
  await page.context().close();
});
