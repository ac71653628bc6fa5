// The whole demo in the browser by keyboard alone, from opening the page to its last words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harness, setUndoSeconds, waitForEqual } from './harness.mjs';

const it = harness({ more: ['--provider', 'scripted'] });

/** Notes each frame in which a question waits and nothing has the focus. */
const watchFocus = () => {
  globalThis.lost = [];
  const look = () => {
    const waiting = document.querySelector('.docked:not([hidden]) [data-state="asked"]');
    const active = document.activeElement;
    if (waiting && (!active || active === document.body))
      globalThis.lost.push(waiting.data?.questions[0].text);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

/** What has the focus, through shadow roots. */
const focused = (page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.trim() || active?.localName;
  });

/** Waits until a question has the focus and takes keys. */
const waitForQuestion = (page, text) =>
  page.waitForFunction((wanted) => {
    const active = document.activeElement;
    return (
      active?.matches('askback-question[data-state="asked"]:not([data-guarded])') &&
      active.shadowRoot.querySelector('.question .text')?.textContent?.startsWith(wanted)
    );
  }, text);

/** Presses Tab until a button has the focus. */
async function tabTo(page, name) {
  for (let presses = 0; presses < 15; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${name}`);
}

/** Nobody has to look for the question, and no key goes nowhere. */
test('the whole demo by keyboard alone', async () => {
  const context = await it.context();
  // The agent goes on when the answer cannot be undone any more.
  await setUndoSeconds(context, 1);
  await context.addInitScript(watchFocus);
  const page = await it.open('/new', { context });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.waitForFunction(() => document.activeElement?.localName === 'textarea');
  await page.keyboard.type('Hello');
  await press('Enter');
  await waitForQuestion(page, 'Which database');
  await press('2', 'Enter');
  await waitForQuestion(page, 'What should the first version have?');
  await press('1', '3', 'Control+Enter');
  await waitForQuestion(page, 'What should the service be called?');
  await press('3');
  await page.keyboard.type('Lighthouse 15:00');
  await press('Control+Enter');
  await waitForQuestion(page, 'When should the first version');
  await page.keyboard.type('tomorrow');
  await press('Enter');
  await waitForQuestion(page, 'Where should it run?');
  await press('1', 'Enter');
  await waitForQuestion(page, 'Who may use it?');
  await press('2', 'Enter');
  await waitForQuestion(page, 'Which languages');
  await press('1', '3');
  await tabTo(page, 'Next');
  await press('Enter');
  await page.locator('askback-question[docked]:not([data-guarded]) .review').waitFor();
  await press('Control+Enter');
  await waitForQuestion(page, 'What is the password');
  await tabTo(page, 'Stop the agent');
  await press('Enter');
  await page.locator('askback-question .confirm:not([data-guarded])').waitFor();
  await press('Tab', 'Enter');
  await page.waitForFunction(() => document.activeElement?.localName === 'textarea');
  // The field takes a message when the page knows that the question has ended.
  await page.locator('.composer:has(label.visually-hidden) button.primary:enabled').waitFor();
  await page.keyboard.type('Go on');
  await press('Enter');
  await waitForQuestion(page, 'What would you let an agent do');
  await page.keyboard.type('Anything');
  await press('Control+Enter');
  await page.locator('.log').getByText('That was the demo.').waitFor();
  const plan = await page.locator('.log article').last().innerText();
  for (const word of ['Lighthouse 15:00', 'SQLite', 'Sign-in', 'Export', 'Members', '日本語'])
    assert.ok(plan.includes(word), `${word}: ${plan}`);
  await waitForEqual(() => focused(page), 'textarea');
  assert.deepEqual(await page.evaluate(() => globalThis.lost), []);
  assert.deepEqual(page.complaints, []);
  // The sub-agents that worked meanwhile are no conversations of the list.
  await waitForEqual(() => page.locator('nav .conversations li').count(), 1);
  await context.close();
});
