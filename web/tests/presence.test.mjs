// Presence: a page tells that somebody acts in it, so that their phone stays silent. An open page tells nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harness } from './harness.mjs';

const it = harness();

test('a page tells of keys and presses, not often, and only while it is wanted', async () => {
  const context = await it.context();
  await context.clock.install();
  const requests = [];
  await context.route('**/presence', (route) => {
    requests.push(route.request().method());
    // Nothing is sent anywhere any more from the third time on.
    return route.fulfill({ json: { wanted: requests.length < 3 } });
  });
  const page = await it.open('/inbox', { context });
  await context.clock.runFor(600_000);
  assert.deepEqual(requests, [], 'a page that is left open');
  const press = async (key) => {
    await page.keyboard.press(key);
    // What the key began has been sent when the page has loaded something after it.
    await page.evaluate(() => fetch('/web/icons/icon.svg'));
  };
  const response = page.waitForResponse('**/presence');
  await press('Tab');
  await response;
  await press('Tab');
  assert.equal(requests.length, 1, 'one request for many keys');
  for (const count of [2, 3, 3]) {
    await context.clock.runFor(21_000);
    await press('Tab');
    assert.equal(requests.length, count);
  }
  await context.close();
});
