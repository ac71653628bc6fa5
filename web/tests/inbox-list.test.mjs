// The list of the inbox: search, filter, order, snoozes that end, steps, marks, and several docked questions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  waitForInquiry,
  waitForState,
  waitUntilReady,
  withdrawAll,
  waitForFocus,
  waitForEqual,
} from './harness.mjs';

const it = harness();
const yesNo = (header, more = {}) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'], ...more }],
});
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
const plain = (text) => text.replaceAll(/[\u2066-\u2069]/g, '');
/** Waits until exactly these questions are listed, in this order. */
const waitForRows = (page, inquiries) =>
  page.waitForFunction(
    (ids) =>
      [...document.querySelectorAll('.inbox a')].map(({ dataset }) => dataset.id).join() === ids,
    inquiries.map(({ id }) => id).join(),
  );
const waitForText = (page, selector, text) =>
  page.waitForFunction(
    ([where, wanted]) =>
      document.querySelector(where)?.textContent?.replaceAll(/[\u2066-\u2069]/g, '') === wanted,
    [selector, text],
  );

/** Search looks at texts, choices, agents and projects, and says how many of how many are shown. */
test('search finds questions by every word of theirs', async () => {
  await withdrawAll(it.server);
  const deploy = await ask(
    it.server,
    { questions: [{ question: 'Deploy to production?', options: ['Now', 'Tonight'] }] },
    { source: 'shipper' },
  );
  const colour = await ask(it.server, yesNo('Colour'), {
    source: 'painter',
    asker: { client: 'painter', project: '/home/ana/webshop', session: 'one' },
  });
  const page = await it.open('/inbox');
  await waitForRows(page, [deploy, colour]);
  await waitForText(page, '.inbox-count', '2 questions waiting');
  const search = page.getByLabel('Search questions');
  for (const [text, found] of [
    ['production', [deploy]],
    ['TONIGHT', [deploy]],
    ['painter', [colour]],
    ['webshop', [colour]],
    ['deploy tonight', [deploy]],
    ['deploy painter', []],
  ]) {
    await search.fill(text);
    await waitForRows(page, found);
    await waitForText(page, '.inbox-count', `${found.length} of 2 shown`);
  }
  await page.getByText('No question matches.').waitFor();
  // What arrives is listed only if it matches, and counted in any case.
  await search.fill('deploy');
  await waitForRows(page, [deploy]);
  await ask(it.server, yesNo('Other'));
  await waitForText(page, '.inbox-count', '1 of 3 shown');
  await waitForRows(page, [deploy]);
  await search.press('Escape');
  await waitForFocus(row(page, deploy));
  await page.context().close();
});

/** One agent alone, by deadline, oldest first, newest first; the order is kept after a reload. */
test('the list can be filtered by agent and put in order', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'), { source: 'builder' });
  const two = await ask(it.server, yesNo('Two'), { source: 'planner' });
  const soon = await ask(it.server, yesNo('Soon'), { source: 'builder', expires_in: '1h' });
  const page = await it.open('/inbox');
  await waitForRows(page, [soon, one, two]);
  await page.getByLabel('Order').selectOption('oldest');
  await waitForRows(page, [one, two, soon]);
  await page.getByLabel('Order').selectOption('newest');
  await waitForRows(page, [soon, two, one]);
  await page.getByLabel('Agent').selectOption('builder');
  await waitForRows(page, [soon, one]);
  await page.reload();
  await waitForRows(page, [soon, two, one]);
  assert.equal(await page.getByLabel('Order').inputValue(), 'newest');
  // A deadline that moves puts its question elsewhere.
  await page.getByLabel('Order').selectOption('deadline');
  await waitForRows(page, [soon, one, two]);
  await page.context().close();
});

/** A snooze ends by itself: the question is back, is announced, and the tab counts it again. */
test('a snoozed question comes back by itself', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const two = await ask(it.server, yesNo('Two'));
  const context = await it.context();
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${it.server.base}/inbox`);
  await waitForRows(page, [one, two]);
  await row(page, one).focus();
  await page.keyboard.press('z');
  await page.locator('dialog .preset').first().waitFor();
  await page.keyboard.press('1');
  await waitForRows(page, [two]);
  await page.waitForFunction(() => document.title.startsWith('(1)'));
  await page.clock.fastForward('59:00');
  await waitForRows(page, [two]);
  await page.clock.fastForward('01:05');
  await waitForRows(page, [one, two]);
  await page.waitForFunction(() => document.title.startsWith('(2)'));
  await page.clock.runFor(1000);
  await page
    .locator('#app > p[role=status]')
    .filter({ hasText: /new question/i })
    .waitFor({ state: 'attached' });
  await context.close();
});

/** A snooze on one device hides the question on another at once, and so does its end. */
test('a snooze is seen on every device', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const two = await ask(it.server, yesNo('Two'));
  const page = await it.open('/inbox');
  const other = await it.open('/inbox');
  for (const each of [page, other]) await waitForRows(each, [one, two]);
  await row(page, two).click();
  await page.keyboard.press('z');
  await page.locator('dialog .preset').first().click();
  for (const each of [page, other]) await waitForRows(each, [one]);
  await page.locator('main .undo-bar').getByRole('button', { name: 'Undo' }).click();
  for (const each of [page, other]) await waitForRows(each, [one, two]);
  await other.context().close();
  await page.context().close();
});

/** "2 of 3", previous and next; at the ends there is no further. An answer leads to the next one, not to the first. */
test('the open question has its place and its neighbours', async () => {
  await withdrawAll(it.server);
  const [one, two, three] = [
    await ask(it.server, yesNo('One')),
    await ask(it.server, yesNo('Two')),
    await ask(it.server, yesNo('Three')),
  ];
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await it.open(`/inbox#${two.id}`, { context });
  await waitForRows(page, [one, two, three]);
  await waitForText(page, '.position', '2 of 3');
  const [previous, next] = ['Previous question', 'Next question'].map((name) =>
    page.locator('.question-bar').getByRole('button', { name }),
  );
  await previous.click();
  await waitForText(page, '.position', '1 of 3');
  await waitForEqual(() => previous.isDisabled(), true);
  await next.click();
  await next.click();
  await waitForText(page, '.position', '3 of 3');
  await waitForEqual(() => next.isDisabled(), true);
  await waitForEqual(() => row(page, three).getAttribute('aria-current'), 'true');
  await previous.click();
  await questionElement(page, two).locator('form').waitFor();
  await waitUntilReady(page, two);
  await questionElement(page, two).getByLabel('Yes').check();
  await questionElement(page, two).getByRole('button', { name: 'Send answer' }).click();
  await questionElement(page, three).locator('form').waitFor();
  await waitForText(page, '.position', '2 of 2');
  // What arrives does not move the reader, and is counted.
  const urgent = await ask(it.server, yesNo('Urgent'), { expires_in: '5m' });
  await waitForRows(page, [urgent, one, three]);
  await waitForText(page, '.position', '3 of 3');
  await context.close();
});

/** The row of the question that is opened by its address is in view, wherever it is in the list. */
test('the row of the open question is in view', async () => {
  await withdrawAll(it.server);
  const asked = [];
  for (let at = 0; at < 30; at += 1) asked.push(await ask(it.server, yesNo(`Q${at}`)));
  const page = await it.open(`/inbox#${asked[25].id}`);
  await questionElement(page, asked[25]).locator('form').waitFor();
  await page.waitForFunction((id) => {
    const box = document.querySelector(`.inbox a[data-id="${id}"]`)?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight;
  }, asked[25].id);
  // The page itself does not scroll, and says who asks in which conversation.
  await waitForEqual(
    () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight),
    0,
  );
  await page.locator('.context').getByRole('link', { name: 'Open conversation' }).waitFor();
  await page.context().close();
});

/** Several are marked with the pointer or by keys, and skipped, snoozed or stopped at once; one undo brings all back. */
test('marked questions are acted on together', async () => {
  await withdrawAll(it.server);
  const asked = [];
  for (const name of ['One', 'Two', 'Three', 'Four'])
    asked.push(
      await ask(it.server, yesNo(name), { source: name === 'Three' ? 'planner' : 'builder' }),
    );
  const [one, two, three, four] = asked;
  const page = await it.open('/inbox');
  await waitForRows(page, asked);
  const mark = (name) =>
    page.getByRole('checkbox', { name: new RegExp(`^Mark .?${name}.?$`) }).check();
  for (const name of ['Two', 'Three']) await mark(name);
  await waitForText(page, '.bulk .count', '2 marked');
  await page.locator('.bulk [data-action=snooze]').click();
  await page.locator('dialog .preset').nth(1).click();
  await waitForRows(page, [one, four]);
  const { body } = await call(it.server, 'GET', '/inquiries?status=pending');
  const snoozed = body.items.filter((each) => each.snoozed_until).map((each) => each.id);
  assert.deepEqual(snoozed.sort(), [two.id, three.id].sort());
  await page.locator('main .undo-bar').getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, asked);
  // Everything that is listed, and nothing that the filter leaves out.
  await page.getByLabel('Agent').selectOption('builder');
  await waitForRows(page, [one, two, four]);
  await row(page, one).focus();
  await page.keyboard.press('a');
  await waitForText(page, '.bulk .count', '3 marked');
  await page.keyboard.press('Escape');
  await page.locator('.bulk').waitFor({ state: 'hidden' });
  await page.keyboard.press('a');
  await page.locator('.bulk [data-action=skip]').click();
  await page.locator('.bulk .confirm .danger').click();
  await page.locator('.inbox li:not(.ended)').first().waitFor({ state: 'detached' });
  for (const { id } of [one, two, four])
    await waitForInquiry(it.server, id, ({ status, held }) => held || status !== 'pending');
  assert.equal((await call(it.server, 'GET', `/inquiries/${three.id}`)).body.held, undefined);
  await page.context().close();
});

/** What somebody else does to the open question is said in place, in the list too, and the reader moves on. */
test('what another person does is shown in place', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  // Also if it happens while the rest of the page is still loading.
  const context = await it.context();
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await context.route(/\/conversations\?limit/, async (route) => {
    await gate;
    return route.continue();
  });
  const page = await it.open('/inbox', { context });
  await questionElement(page, one).locator('form').waitFor();
  await call(
    it.server,
    'POST',
    `/inquiries/${one.id}/answer`,
    { answers: { q1: 'No' } },
    { 'X-Askback-Actor': 'ana', 'X-Askback-Surface': 'terminal' },
  );
  await waitForState(page, one, 'replied');
  const shown = plain(await questionElement(page, one).locator('.outcome').innerText());
  assert.match(shown, /ana/);
  assert.match(shown, /No/);
  await page.locator('.inbox li.ended').getByText(/ana/).waitFor();
  release();
  await page.locator('nav .other-agents').waitFor();
  await waitForText(page, '.inbox-count', '1 question waiting');
  await waitForState(page, one, 'replied');
  await page.locator('.question-pane > p').getByRole('button', { name: 'Next question' }).click();
  await questionElement(page, two).locator('form').waitFor();
  await page.locator('.inbox li.ended').waitFor({ state: 'detached' });
  await page.context().close();
});

/** Several questions of one conversation wait in the dock, one in view, and the next is there after an answer. */
test('several questions of a conversation wait in its dock', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const more = { conversation_id: one.conversation_id };
  const two = await ask(it.server, yesNo('Two'), more);
  const three = await ask(it.server, yesNo('Three'), more);
  const page = await it.openInChat(one);
  await waitForText(page, '.dock-bar > span', '2 more waiting');
  const next = page.locator('.dock-bar').getByRole('button', { name: 'Next question' });
  const isShownAlone = async (shown, hidden) => {
    await questionElement(page, shown).waitFor();
    await questionElement(page, hidden).waitFor({ state: 'hidden' });
  };
  await isShownAlone(one, two);
  await next.click();
  await isShownAlone(two, one);
  await waitUntilReady(page, two);
  await questionElement(page, two).getByLabel('Yes').check();
  await questionElement(page, two).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, two, 'replied');
  await waitForText(page, '.dock-bar > span', '1 more waiting');
  // The focus is in the question that is shown now.
  await page.waitForFunction(
    (ids) => ids.includes(document.activeElement?.getAttribute('inquiry') ?? ''),
    [one.id, three.id],
  );
  for (const each of [one, three]) {
    await page.locator('askback-question[docked]:visible form').waitFor();
    await page.waitForFunction(
      () =>
        document.activeElement?.matches('askback-question[docked]:not([data-guarded])') ?? false,
    );
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await waitForInquiry(it.server, each.id, ({ status }) => status === 'answered');
  }
  await page.locator('.docked').waitFor({ state: 'hidden' });
  await page.context().close();
});
