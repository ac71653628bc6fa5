// The inbox and the dock in every state of theirs: axe, 400 % zoom, right to left, forced colours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { auditBoth } from './axe.mjs';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitForState,
  waitUntilReady,
  withdrawAll,
  boxOf,
  measure,
  pageWidth,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness();
const yesNo = (header, more = {}) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'], ...more }],
});
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
const isSound = async (page, name) =>
  assert.deepEqual((await auditBoth(page)).violations, [], name);

/** Answers as somebody else in a terminal. */
const answerElsewhere = ({ id }) =>
  call(
    it.server,
    'POST',
    `/inquiries/${id}/answer`,
    { answers: { q1: 'No' } },
    { 'X-Askback-Actor': 'ana', 'X-Askback-Surface': 'terminal' },
  );

/** The inbox with everything that can be open in it, light and dark. */
test('axe finds nothing in any state of the inbox', async () => {
  await ask(it.server, questions.single);
  await withdrawAll(it.server);
  const page = await it.open('/inbox');
  await page.getByText('All caught up').waitFor();
  await isSound(page, 'nothing waits');
  await page.locator('nav').getByText('Other agents').click();
  await page.locator('nav .other-agents li').first().waitFor();
  await isSound(page, 'the questions of other agents');
  const dated = await ask(it.server, questions.date, { assumption: 'I plan for Monday.' });
  const field = questionElement(page, dated).getByRole('textbox').first();
  await field.fill('tomorrow');
  await questionElement(page, dated).locator('.echo:not(:empty)').waitFor();
  await isSound(page, 'the day of a typed date, and an assumption');
  await field.fill('tomor');
  await field.press('Tab');
  await questionElement(page, dated).locator('.echo').getByText('Not a date').waitFor();
  await isSound(page, 'a text that is no date');
  await withdrawAll(it.server);
  await page.reload();
  await page.getByText('All caught up').waitFor();
  const asked = [];
  for (const [name, source] of [
    ['One', 'builder'],
    ['Two', 'planner'],
    ['Three', 'builder'],
  ])
    asked.push(await ask(it.server, yesNo(name), { source }));
  const [one, two] = asked;
  await row(page, asked[2]).waitFor();
  await row(page, one).focus();
  await isSound(page, 'a list');
  await page.keyboard.press('?');
  await page.locator('dialog .keys').waitFor();
  await isSound(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await page.locator('dialog .preset').first().waitFor();
  await isSound(page, 'the times to snooze until');
  await page.keyboard.press('Escape');
  await page.getByLabel('Search questions').fill('nothing like that');
  await page.getByText('No question matches.').waitFor();
  await isSound(page, 'a search without a match');
  await page.getByRole('button', { name: 'Clear search and filter' }).click();
  await row(page, one).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await isSound(page, 'two are marked');
  await page.locator('.bulk [data-action=stop]').click();
  await page.locator('.bulk .confirm').waitFor();
  await isSound(page, 'stopping two is confirmed');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await row(page, one).click();
  await page.keyboard.press('z');
  await page.locator('dialog .preset').nth(1).click();
  await page.locator('main .undo-bar').waitFor();
  await isSound(page, 'the undo bar');
  await page.locator('main .undo-bar').getByRole('button').click();
  await row(page, one).waitFor();
  await row(page, two).click();
  await questionElement(page, two).locator('form').waitFor();
  await answerElsewhere(two);
  await waitForState(page, two, 'replied');
  await page.locator('.inbox li.ended').waitFor();
  await isSound(page, 'the open question was answered elsewhere');
  await page.setViewportSize({ width: 360, height: 700 });
  await isSound(page, 'a question on a phone');
  await page.getByRole('link', { name: 'All questions' }).click();
  await row(page, one).waitFor();
  await isSound(page, 'the list on a phone');
  await page.context().close();
});

/** The dock, with one question, several, folded, and with one that was answered elsewhere. */
test('axe finds nothing in any state of the dock', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, questions.single);
  const page = await it.openInChat(one);
  await isSound(page, 'a question in the dock');
  const fold = page.locator('askback-question[docked]').getByRole('button', { name: 'Details' });
  // What folds says whether it is open.
  assert.equal(await fold.getAttribute('aria-expanded'), 'true');
  await fold.click();
  assert.equal(await fold.getAttribute('aria-expanded'), 'false');
  await isSound(page, 'folded');
  await fold.click();
  const two = await ask(it.server, yesNo('Two'), { conversation_id: one.conversation_id });
  await page.locator('.dock-bar').waitFor();
  await isSound(page, 'two in the dock');
  await page.locator('.dock-bar').getByRole('button', { name: 'Next question' }).click();
  await waitUntilReady(page, two);
  await answerElsewhere(two);
  await page.locator('.dock-ended').waitFor();
  await isSound(page, 'answered elsewhere');
  await page.locator('.dock-ended').getByRole('button', { name: 'Close' }).click();
  await page.locator('.question-slot askback-question').waitFor();
  await isSound(page, 'an answer as a line');
  await page.context().close();
});

/** Elements that are wider than their place, or cut off. */
const clipped = (page) =>
  page.evaluate(() => {
    const all = (root) =>
      [...root.querySelectorAll('*')].flatMap((each) => [
        each,
        ...(each.shadowRoot ? all(each.shadowRoot) : []),
      ]);
    return all(document.querySelector('main'))
      .filter(
        (each) =>
          each.checkVisibility() &&
          !each.closest('.visually-hidden, select, pre') &&
          each.clientWidth > 0 &&
          each.scrollWidth > each.clientWidth + 1 &&
          // One line that ends in an ellipsis: the whole text is in the question.
          getComputedStyle(each).textOverflow !== 'ellipsis',
      )
      .map((each) => `${each.localName}.${each.className}`);
  });

/** At 400 % zoom nothing scrolls sideways, and most of a short screen is the question's. */
test('the inbox and the dock fit a screen of 320 by 256', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single, { expires_in: '2h' });
  const options = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };
  for (const path of ['/inbox', `/inbox#${inquiry.id}`, `/c/${inquiry.conversation_id}`]) {
    const page = await it.open(path, options);
    await page.locator(path === '/inbox' ? '.inbox a' : 'askback-question form').waitFor();
    await waitForEqual(() => pageWidth(page), 320, path);
    await waitForEqual(() => clipped(page), [], path);
    if (path.startsWith('/c/')) {
      await waitUntil(
        () => boxOf(page.locator('.stage')),
        ({ height, top, bottom }) => height >= 256 / 2 && top >= 0 && bottom <= 257,
        'half of the screen is the question’s, and all of it is in view',
      );
    }
    if (path.includes('#')) await waitUntilReady(page, inquiry);
    for (const dialog of path.includes('#') ? ['?', 'z'] : []) {
      await page.locator('askback-question').evaluate((element) => element.heading.focus());
      await page.keyboard.press(dialog);
      const sheet = page.locator('dialog');
      await waitUntil(
        () => boxOf(sheet),
        ({ left, right, height }) => left >= 0 && right <= 320 && height <= 256,
        'the dialog is larger than the screen',
      );
      await page.keyboard.press('Escape');
    }
    await page.context().close();
  }
});

/** Right to left the list is on the right, ticks lead their rows, and the chat does not scroll sideways. */
test('the inbox and the chat run from right to left', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  for (const width of [1280, 360]) {
    const page = await it.open('/inbox', { locale: 'ar', viewport: { width, height: 800 } });
    await row(page, inquiry).waitFor();
    const read = () =>
      page.evaluate(() => {
        const left = (selector) => document.querySelector(selector)?.getBoundingClientRect().x;
        return {
          direction: document.documentElement.dir,
          pageWidth: document.documentElement.scrollWidth,
          tick: left('.inbox .tick'),
          name: left('.inbox .name'),
          time: left('.inbox time'),
          list: left('.inbox-list'),
          pane: left('.question-pane'),
        };
      });
    await waitUntil(
      read,
      ({ direction, pageWidth: all, tick, name, time, list, pane }) =>
        direction === 'rtl' &&
        all === width &&
        tick > name &&
        name >= time &&
        (width <= 800 || list > pane),
      'it does not run from right to left',
    );
    await page.goto(`${it.server.base}/c/${inquiry.conversation_id}`);
    await questionElement(page, inquiry).locator('form').waitFor();
    await waitForEqual(() => pageWidth(page), width);
    await waitForEqual(() => clipped(page), []);
    await page.context().close();
  }
});

/** With forced colours the current row, step and tab, a mark and the main button are told apart by more than colour. */
test('forced colours show what is current and what is the main action', async () => {
  await withdrawAll(it.server);
  const three = await ask(it.server, questions.three);
  const other = await ask(it.server, yesNo('Other'));
  const page = await it.open(`/inbox#${three.id}`, { forcedColors: 'active' });
  await questionElement(page, three).locator('form').waitFor();
  await row(page, other).waitFor();
  /** What is drawn around and behind an element. */
  const look = (locator) =>
    measure(locator, (node) => {
      const style = getComputedStyle(node);
      return ['outline-style', 'outline-width', 'border-style', 'border-width']
        .concat('background-color', 'text-decoration')
        .map((name) => style.getPropertyValue(name));
    });
  const element = questionElement(page, three);
  const pairs = {
    row: [row(page, three), row(page, other)],
    step: [
      element.locator('.steps [aria-current]'),
      element.locator('.steps button:not([aria-current])').first(),
    ],
    'main button': [
      element.locator('.actions .primary'),
      element.locator('.actions button:not(.primary)').first(),
    ],
  };
  await page.locator('nav .brand').focus();
  for (const [name, [current, plain]] of Object.entries(pairs))
    await waitUntil(
      async () => [await look(current), await look(plain)],
      ([one, two]) => !isDeepStrictEqual(one, two),
      `${name} looks like the others`,
    );
  const link = page.locator('nav .inbox-link');
  const current = await look(link);
  await link.evaluate((node) => node.removeAttribute('aria-current'));
  assert.notDeepEqual(current, await look(link), 'page');
  await row(page, other).focus();
  await page.keyboard.press('x');
  await page.getByRole('checkbox', { name: /Mark .?Other/, checked: true }).waitFor();
  await page.context().close();
});
