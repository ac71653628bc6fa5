// Each change of an inquiry that the server can send reaches the store: the inbox of the terminal replays the same file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { harness } from './harness.mjs';

const CHANGES = new URL(
  '../../crates/domain/askback-wire/src/inquiry_changes.json',
  import.meta.url,
);

const it = harness();

test('the store applies every change of an inquiry', async () => {
  const changes = JSON.parse(readFileSync(CHANGES, 'utf8'));
  const page = await it.open('/inbox');
  await page.clock.setFixedTime(new Date(changes[0].inquiry.asked_at));
  const applied = await page.evaluate(async (changes) => {
    const { Store } = await import('/web/shell/store.js');
    const store = new Store();
    store.fetchConversation = async () => {};
    /** @type {unknown[]} */
    let told = [];
    store.addEventListener('inquiry', ({ detail }) => told.push(detail));
    return changes.map((data) => {
      told = [];
      store.handleEvent({ type: 'inquiry', data });
      const isSnoozed = store.snoozes.has(data.inquiry.id);
      return { told, pending: [...store.pending], isSnoozed };
    });
  }, changes);
  for (const [at, { change, inquiry }] of changes.entries()) {
    const isOpen = inquiry.status === 'pending' && !inquiry.held;
    const expected = {
      told: [inquiry],
      pending: isOpen ? [inquiry] : [],
      isSnoozed: Boolean(inquiry.snoozed_until),
    };
    assert.deepEqual(applied[at], expected, change);
  }
});
