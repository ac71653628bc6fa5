// What axe and a keyboard find for every kind, in several languages and widths. states.test.mjs has the states.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { audit } from './axe.mjs';
import * as questions from './questions.mjs';
import { ask, block, call, inState, stage } from './stage.mjs';

const it = stage();
const full = Boolean(process.env.ASKBACK_TEST_FULL);
const here = dirname(fileURLToPath(import.meta.url));
/** What axe leaves undecided and somebody looked at. */
const REVIEWED = readFileSync(join(here, 'incomplete.golden.txt'), 'utf8').split('\n');

const everything = ['en', 'de', 'ja', 'ar'].flatMap((language) => ['light', 'dark'].map((colorScheme) => ({ language, colorScheme, widths: [320, 768, 1280] })));
const combinations = full ? everything : [{ language: 'en', colorScheme: 'light', widths: [1280] }, { language: 'ar', colorScheme: 'dark', widths: [320] }];

/** W01, W19: no violation in any combination, and nothing wider than the screen. */
test('every kind is accessible and fits its screen', async () => {
  const inquiries = {};
  for (const [kind, input] of Object.entries(questions.kinds)) inquiries[kind] = await ask(it.server, input, { expires_in: kind === 'number' ? '2h' : undefined });
  for (const { language, colorScheme, widths } of combinations) {
    const context = await it.context({ locale: language, colorScheme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    const page = await it.open('/inbox', { context });
    for (const [kind, inquiry] of Object.entries(inquiries)) {
      await page.evaluate((id) => { location.hash = id; }, inquiry.id);
      await block(page, inquiry).locator('form').waitFor();
      for (const width of widths) {
        const where = `${kind} ${language} ${colorScheme} ${width}`;
        await page.setViewportSize({ width, height: 800 });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wider, 0, `${where}: wider than the screen`);
        const { violations, incomplete } = await audit(page);
        assert.deepEqual(violations, [], where);
        assert.deepEqual(incomplete.filter((each) => !REVIEWED.includes(each)), [], where);
      }
    }
    assert.equal(await page.evaluate(() => document.documentElement.dir), language === 'ar' ? 'rtl' : 'ltr');
    assert.deepEqual(page.complaints, []);
    await context.close();
  }
  for (const { id } of Object.values(inquiries)) await call(it.server, 'POST', `/inquiries/${id}/withdraw`, {});
});

/** W06: Tab goes through the page in reading order and is never caught. */
test('the focus goes through and out again', async () => {
  const inquiry = await ask(it.server, questions.several);
  const page = await it.show(inquiry);
  const seen = [];
  await page.keyboard.press('Tab');
  for (let i = 0; i < 200; i += 1) {
    seen.push(await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const inside = element?.getRootNode() instanceof ShadowRoot;
      const box = element?.getBoundingClientRect();
      return { inside, top: (box?.top ?? 0) + scrollY, name: `${element?.tagName} ${element?.id}` };
    }));
    await page.keyboard.press('Tab');
  }
  const entries = seen.filter((each, at) => each.inside && !seen[at - 1]?.inside);
  assert.ok(entries.length >= 2, 'the focus leaves the block and comes back to it');
  const from = seen.findIndex(({ inside }) => inside);
  const block_ = seen.slice(from, seen.findIndex((each, at) => at > from && !each.inside));
  for (let at = 1; at < block_.length; at += 1) assert.ok(block_[at].top >= block_[at - 1].top - 24, `${block_[at].name} comes after ${block_[at - 1].name} on the screen`);
  await page.context().close();
});

/** W20: options and buttons are large enough to hit, and survive wide text spacing. */
test('targets are large, and wide spacing clips nothing', async () => {
  for (const input of [questions.single, questions.several, questions.date]) {
    const inquiry = await ask(it.server, input);
    const page = await it.show(inquiry, { viewport: { width: 320, height: 800 } });
    const small = await block(page, inquiry).evaluate((node) => [...node.shadowRoot.querySelectorAll('.card, form button, [role=option], textarea, input[type=text]')]
      .filter((each) => each.checkVisibility() && !each.closest('details:not([open])')).map((each) => [each.className || each.textContent, each.getBoundingClientRect()]).filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name));
    assert.deepEqual(small, []);
    const clipped = await block(page, inquiry).evaluate((node) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; } p { margin-block-end: 2em !important; }');
      node.shadowRoot.adoptedStyleSheets = [...node.shadowRoot.adoptedStyleSheets, sheet];
      return [...node.shadowRoot.querySelectorAll('label, p, button, legend')].filter((each) => each.checkVisibility() && !each.classList.contains('unseen') && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline').map((each) => each.textContent);
    });
    assert.deepEqual(clipped, []);
    await page.context().close();
  }
});

/** W20, W22: forced colours show what is checked; reduced motion moves nothing. */
test('forced colours and reduced motion are respected', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.show(inquiry, { forcedColors: 'active', reducedMotion: 'reduce' });
  await block(page, inquiry).getByLabel('MongoDB').check();
  const [checked, other] = await block(page, inquiry).evaluate((node) => [...node.shadowRoot.querySelectorAll('.card')].slice(0, 2).map((card) => getComputedStyle(card).outlineStyle).reverse());
  assert.notEqual(checked, other);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(await block(page, inquiry).evaluate((node) => node.shadowRoot.getAnimations().length), 0);
  await block(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await inState(page, inquiry, 'replied');
  await page.context().close();
});
