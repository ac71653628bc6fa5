// What axe and a keyboard find for every kind, in several languages and widths. states-accessibility.test.mjs has the states.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { audit } from './axe.mjs';
import * as questions from './example-questions.mjs';
import {
  ask,
  questionElement,
  call,
  waitForState,
  harness,
  waitForEqual,
  waitUntil,
  goTo,
  waitUntilReady,
} from './harness.mjs';

const it = harness();
const full = Boolean(process.env.ASKBACK_TEST_FULL);
const here = dirname(fileURLToPath(import.meta.url));
/** What axe leaves undecided and somebody looked at. */
const REVIEWED = [
  ...readFileSync(join(here, 'incomplete.golden.txt'), 'utf8').split('\n'),
  // Rows of the inbox that its column cuts off: axe cannot see what is behind them; the audit measures them.
  'color-contrast: span.meta > bdi',
  'color-contrast: span.meta > time',
  'color-contrast: a > span.preview',
];

const everything = ['en', 'de', 'ja', 'ar'].flatMap((language) =>
  ['light', 'dark'].map((colorScheme) => ({ language, colorScheme, widths: [320, 768, 1280] })),
);
const combinations = full
  ? everything
  : [
      { language: 'en', colorScheme: 'light', widths: [1280] },
      { language: 'ar', colorScheme: 'dark', widths: [320] },
    ];

/** No violation in any combination, and nothing wider than the screen. */
test('every kind is accessible and fits its screen', async () => {
  const inquiries = {};
  for (const [kind, input] of Object.entries(questions.kinds))
    inquiries[kind] = await ask(it.server, input, {
      expires_in: kind === 'number' ? '2h' : undefined,
    });
  for (const { language, colorScheme, widths } of combinations) {
    const context = await it.context({
      twoSteps: false,
      locale: language,
      colorScheme,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    const page = await it.open('/inbox', { context });
    for (const [kind, inquiry] of Object.entries(inquiries)) {
      await page.evaluate((id) => {
        location.hash = id;
      }, inquiry.id);
      await questionElement(page, inquiry).locator('form').waitFor();
      for (const width of widths) {
        const where = `${kind} ${language} ${colorScheme} ${width}`;
        // High enough that nothing is scrolled under the buttons, which stay in view on a phone.
        await page.setViewportSize({ width, height: 1200 });
        const wider = () =>
          page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
        await waitForEqual(wider, 0, `${where}: wider than the screen`);
        const { violations, incomplete } = await audit(page);
        assert.deepEqual(violations, [], where);
        assert.deepEqual(
          incomplete.filter((each) => !REVIEWED.includes(each)),
          [],
          where,
        );
      }
    }
    assert.equal(
      await page.evaluate(() => document.documentElement.dir),
      language === 'ar' ? 'rtl' : 'ltr',
    );
    assert.deepEqual(page.complaints, []);
    await context.close();
  }
  for (const { id } of Object.values(inquiries))
    await call(it.server, 'POST', `/inquiries/${id}/withdraw`, {});
});

/** Where the focus is, and whether it is in a block. */
const focusPlace = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const box = (element?.closest('.card') ?? element)?.getBoundingClientRect() ?? {
      top: 0,
      bottom: 0,
      left: 0,
    };
    const own = element?.getBoundingClientRect();
    const area =
      element?.getRootNode() instanceof ShadowRoot
        ? 'block'
        : element?.closest('#side')
          ? 'side'
          : 'page';
    return {
      area,
      top: box.top + scrollY,
      bottom: box.bottom + scrollY,
      left: own?.left ?? 0,
      name: `${element?.tagName} ${element?.innerText ?? element?.id}`,
    };
  });

/** Tab goes through each kind in the order in which it is read: line by line, each from its start. */
test('the order of Tab is the order on the screen', async () => {
  for (const [kind, input] of Object.entries(questions.kinds)) {
    for (const locale of kind === 'range' ? ['en', 'ar'] : ['en']) {
      const inquiry = await ask(it.server, input);
      const page =
        locale === 'en' ? await it.openInInbox(inquiry) : await it.openInChat(inquiry, { locale });
      await questionElement(page, inquiry).locator('form').waitFor();
      await questionElement(page, inquiry).evaluate((node) => node.heading.focus());
      const seen = [];
      for (let i = 0; i < 60; i += 1) {
        await page.keyboard.press('Tab');
        const place = await focusPlace(page);
        if (place.area !== 'block') break;
        seen.push(place);
      }
      assert.ok(seen.length >= 4 && seen.length < 60, `${kind}: ${seen.length} stops in the block`);
      const sign = locale === 'ar' ? -1 : 1;
      for (let at = 1; at < seen.length; at += 1) {
        const [one, two] = [seen[at - 1], seen[at]];
        const isSameLine = two.top < one.bottom - 4 && one.top < two.bottom - 4;
        // The fields of a card stand below its label and in the same box.
        const isInside = two.top >= one.top && two.bottom <= one.bottom;
        assert.ok(
          isInside || (isSameLine ? sign * (two.left - one.left) > 0 : two.top >= one.top),
          `${kind} ${locale}: ${two.name} comes after ${one.name} on the screen`,
        );
      }
      await call(it.server, 'POST', `/inquiries/${inquiry.id}/withdraw`, {});
      if (locale !== 'en') await page.context().close();
    }
  }
});

/** Two hundred times Tab, and as often back, is never caught in the block. */
test('the focus goes through and out again', async () => {
  const inquiry = await ask(it.server, questions.several);
  const page = await it.openInChat(inquiry);
  for (const key of ['Tab', 'Shift+Tab']) {
    const seen = [];
    for (let i = 0; i < 200; i += 1) {
      await page.keyboard.press(key);
      seen.push((await focusPlace(page)).area);
    }
    const entries = seen.filter((area, at) => area === 'block' && seen[at - 1] !== 'block');
    assert.ok(entries.length >= 2, `${key}: the focus leaves the block and comes back to it`);
    for (const area of ['side', 'block']) assert.ok(seen.includes(area), `${key}: ${area}`);
    if (key !== 'Tab') continue;
    // The parts of the page come in their order as well.
    const parts = seen
      .slice(seen.indexOf('side'))
      .filter((area, at, all) => area !== all[at - 1] && area !== 'page');
    assert.deepEqual(parts.slice(0, 2), ['side', 'block']);
  }
  await page.context().close();
});

/** Options and buttons are large enough to hit, and survive wide text spacing. */
test('targets are large, and wide spacing clips nothing', async () => {
  const page = await it.open('/new', { viewport: { width: 320, height: 800 } });
  for (const input of [questions.single, questions.several, questions.date]) {
    const inquiry = await ask(it.server, input);
    await goTo(page, `/c/${inquiry.conversation_id}`);
    await waitUntilReady(page, inquiry);
    const element = questionElement(page, inquiry);
    const small = () =>
      element.evaluate((node) =>
        [
          ...node.shadowRoot.querySelectorAll(
            '.card, form button, [role=option], textarea, input[type=text]',
          ),
        ]
          .filter((each) => each.checkVisibility() && !each.closest('details:not([open])'))
          .map((each) => [each.className || each.textContent, each.getBoundingClientRect()])
          .filter(([, box]) => box.height < 44 || box.width < 44)
          .map(([name]) => name),
      );
    await waitForEqual(small, []);
    await element.evaluate((node) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; } p { margin-block-end: 2em !important; }',
      );
      node.shadowRoot.adoptedStyleSheets = [...node.shadowRoot.adoptedStyleSheets, sheet];
    });
    const clipped = () =>
      element.evaluate((node) =>
        [...node.shadowRoot.querySelectorAll('label, p, button, legend')]
          .filter(
            (each) =>
              each.checkVisibility() &&
              !each.classList.contains('visually-hidden') &&
              each.scrollWidth > each.clientWidth + 1 &&
              getComputedStyle(each).display !== 'inline',
          )
          .map((each) => each.textContent),
      );
    await waitForEqual(clipped, []);
  }
  await page.context().close();
});

/** Forced colours show what is checked; reduced motion moves nothing. */
test('forced colours and reduced motion are respected', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry, { forcedColors: 'active', reducedMotion: 'reduce' });
  await questionElement(page, inquiry).getByLabel('MongoDB').check();
  const outlines = () =>
    questionElement(page, inquiry).evaluate((node) =>
      [...node.shadowRoot.querySelectorAll('.card')]
        .slice(0, 2)
        .map((card) => getComputedStyle(card).outlineStyle),
    );
  await waitUntil(outlines, ([other, checked]) => other !== checked);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(
    await questionElement(page, inquiry).evaluate((node) => node.shadowRoot.getAnimations().length),
    0,
  );
  await questionElement(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'replied');
  await page.context().close();
});
