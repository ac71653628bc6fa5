// Web Push: the button, the subscription, and the service worker. The push service is a fake; what the server sends
// is decrypted as a browser does it.
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  TIMEOUT_MS,
  waitForInquiry,
  withdrawAll,
  waitForEqual,
} from './harness.mjs';

const browserKey = createECDH('prime256v1');
browserKey.generateKeys();
const auth = Buffer.alloc(16, 7);

/** RFC 8291. */
function decrypt(body) {
  const [salt, server, record] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey.getPublicKey(), server]);
  const secret = hkdfSync('sha256', browserKey.computeSecret(server), auth, info, 32);
  const derived = (name, length) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const cipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  cipher.setAuthTag(record.subarray(-16));
  const text = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  return JSON.parse(text.subarray(0, -1).toString());
}

/** What the push service got, in order. */
const pushed = [];
const service = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  pushed.push(decrypt(Buffer.concat(parts)));
  service.emit('pushed');
  response.writeHead(201).end();
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');
after(() => service.close());
const serviceUrl = `http://127.0.0.1:${service.address().port}`;
const config = join(mkdtempSync(join(tmpdir(), 'askback-push-')), 'askback.toml');
writeFileSync(
  config,
  `[channels.webpush]\nbase_url = '${serviceUrl}'\nundo_seconds = 0\n[recipients.zoe]\n[recipients.ben]\nname = 'Ben'\n`,
);
const it = harness({ more: ['--config', config], notifies: true });

/** The first message that fits. */
async function message(fits) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (;;) {
    const found = pushed.find(fits);
    if (found) return found;
    await once(service, 'pushed', { signal });
  }
}

/** A browser whose push service is the fake one. */
async function context() {
  const opened = await it.context();
  await opened.grantPermissions(['notifications'], { origin: it.server.base });
  await opened.addInitScript(
    ({ endpoint, keys }) => {
      const NAME = 'fake-subscription';
      const subscription = () => ({
        endpoint,
        options: {
          applicationServerKey: Uint8Array.from(
            atob(localStorage[NAME].replaceAll('-', '+').replaceAll('_', '/')),
            (letter) => letter.charCodeAt(0),
          ).buffer,
        },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          localStorage.removeItem(NAME);
          return true;
        },
      });
      PushManager.prototype.getSubscription = async () =>
        localStorage[NAME] ? subscription() : null;
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        localStorage[NAME] = applicationServerKey;
        return subscription();
      };
    },
    {
      endpoint: `${serviceUrl}/one`,
      keys: {
        p256dh: browserKey.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
      },
    },
  );
  return opened;
}

const subscribed = async () => (await call(it.server, 'GET', '/channels')).body.items;
const toggle = (page) => page.locator('.placeholder .notify button');

/** Turns notifications on for Ben, as a person does. */
async function turnOn(page) {
  await toggle(page).click();
  await page.locator('.placeholder').getByLabel('Whose questions?').selectOption('Ben');
  await toggle(page).getByText('Notifications are on').waitFor();
}

/** What the browser shows now. */
const shown = (page) =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(({ title, body, tag }) => ({ title, body, tag }));
  });

/** Hands a message to the service worker, as a push service does, and waits until `fits` holds. */
async function deliver(page, text, fits) {
  const cdp = await page.context().newCDPSession(page);
  const registration = new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registration;
  const end = Date.now() + TIMEOUT_MS;
  // A worker that is not active yet loses it; the same message twice shows one notification.
  for (let count = 0; ; count += 1) {
    if (count % 100 === 0)
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: it.server.base,
        registrationId,
        data: JSON.stringify(text),
      });
    const all = await shown(page);
    if (fits(all)) break;
    assert.ok(Date.now() < end, JSON.stringify(all));
  }
  await cdp.detach();
}

/** Presses a notification or one of its buttons. */
const click = (page, tag, action) =>
  page
    .context()
    .serviceWorkers()[0]
    .evaluate(
      async ([name, pressed]) => {
        const [notification] = await self.registration.getNotifications({ tag: name });
        self.dispatchEvent(
          new NotificationEvent('notificationclick', { notification, action: pressed }),
        );
      },
      [tag, action],
    );

test('the button subscribes the browser, and unsubscribes it', async () => {
  await withdrawAll(it.server);
  const opened = await context();
  const page = await it.open('/inbox', { context: opened });
  await toggle(page).getByText('Notify me about questions').waitFor();
  assert.deepEqual(await subscribed(), []);
  await turnOn(page);
  const [channel] = await subscribed();
  assert.deepEqual([channel.kind, channel.recipients], ['webpush', ['ben']]);
  await page.reload();
  await toggle(page).getByText('Notifications are on').waitFor();
  assert.equal(await toggle(page).getAttribute('aria-pressed'), 'true');
  await toggle(page).click();
  await toggle(page).getByText('Notify me about questions').waitFor();
  await waitForEqual(subscribed, []);
  assert.deepEqual(page.complaints, []);
  await opened.close();
});

test('a notification answers, opens its question, and goes when the question ends', async () => {
  await withdrawAll(it.server);
  const opened = await context();
  const page = await it.open('/inbox', { context: opened });
  await turnOn(page);
  const first = await ask(it.server, questions.single);
  const text = await message(({ tag }) => tag === first.id);
  await deliver(page, text, (all) => all.length === 1);
  const [notification] = await shown(page);
  assert.equal(notification.tag, first.id);
  assert.match(notification.title, /builder has a question/);
  // Pressed without a button, it opens the question in the inbox that is there.
  await click(page, first.id, '');
  await page.locator(`main askback-question[inquiry="${first.id}"]`).waitFor();
  await waitForEqual(() => shown(page), []);

  const { body: second } = await call(it.server, 'POST', '/inquiries', {
    input: {
      questions: [{ question: 'Deploy now?', options: [{ label: 'Yes' }, { label: 'No' }] }],
    },
    source: 'builder',
  });
  const asked = await message(({ tag }) => tag === second.id);
  await deliver(page, asked, (all) => all.some(({ tag }) => tag === second.id));
  await click(page, second.id, '1');
  const { outcome, surface } = await waitForInquiry(
    it.server,
    second.id,
    ({ status }) => status === 'answered',
  );
  assert.equal(surface, 'push');
  assert.match(JSON.stringify(outcome.answers), /No/);

  // A second press comes too late, and says so.
  const isTold = (all) => all.some(({ body }) => /Answered by Ben/.test(body));
  const end = Date.now() + TIMEOUT_MS;
  for (let count = 0; !isTold(await shown(page)); count += 1) {
    // The browser may stop a worker in the middle of a press that a test has made up.
    if (count % 500 === 0) {
      await deliver(page, asked, (all) => all.some(({ tag }) => tag === second.id));
      await click(page, second.id, '0');
    }
    assert.ok(Date.now() < end, JSON.stringify(await shown(page)));
  }
  const over = await message(({ tag, close }) => tag === second.id && close);
  await deliver(page, over, (all) => all.length === 0);
  await opened.close();
});
