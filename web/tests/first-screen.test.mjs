// What somebody sees first: the inbox if something waits or nothing can chat, how to connect an agent, who replies
// without a model, and an offer of notifications after the first answer.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  harness,
  questionElement,
  startServer,
  waitForState,
  waitUntilReady,
  withdrawAll,
} from './harness.mjs';

const it = harness({ twoSteps: false });
const chatting = harness({ script: { chunk_ms: 1, steps: [{ say: 'Hello there.' }] } });

test('without a model the inbox is first, and the chat says who replies', async () => {
  await withdrawAll(it.server);
  const page = await it.open('/');
  assert.equal(new URL(page.url()).pathname, '/inbox');
  await page.getByText('Connect the agents on this computer:').waitFor();
  await page.getByText('askback install').waitFor();
  await page.getByText('askback ask --durable').waitFor();
  await page.locator('nav .new').click();
  await page.getByText(/No model is set up.*askback serve --provider/).waitFor();
  await page.context().close();
});

test('with a model a new conversation is first, unless something waits', async () => {
  const page = await chatting.open('/');
  assert.equal(new URL(page.url()).pathname, '/new');
  await page.getByLabel('Message').waitFor();
  assert.equal(await page.getByText('No model is set up').count(), 0);
  const inquiry = await ask(chatting.server, questions.single);
  await page.goto(chatting.server.base);
  await questionElement(page, inquiry).locator('form').waitFor();
  assert.equal(new URL(page.url()).pathname, '/inbox');
  await page.context().close();
});

test('an address that names nothing is a page for people and a problem for programs', async () => {
  const page = await it.open('/inbox');
  const response = await page.goto(`${it.server.base}/nothing/here`);
  assert.equal(response.status(), 404);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  const headers = { Authorization: `Bearer ${it.server.token}` };
  const plain = await fetch(`${it.server.base}/nothing/here`, { headers });
  assert.equal(plain.headers.get('content-type'), 'application/problem+json');
  await page.context().close();
});

/** What `askback install` finds, as it is when the page is opened. */
test('an empty inbox names the agents of this computer', async () => {
  const home = mkdtempSync(join(tmpdir(), 'askback-home-'));
  const data = mkdtempSync(join(tmpdir(), 'askback-web-'));
  const server = await startServer({ data, env: { HOME: home, PATH: home } });
  const context = await it.context({ signedIn: false });
  const page = await context.newPage();
  const text = async () => {
    await page.goto(`${server.base}/inbox`);
    await page.getByText('All caught up').waitFor();
    return (await page.locator('main').innerText()).replaceAll(/[\u2066-\u2069]/g, '');
  };
  try {
    await page.goto(`${server.base}/?token=${server.token}`);
    assert.match(await text(), /Connect the agents on this computer:\s+askback install/);
    mkdirSync(join(home, '.codex'));
    assert.match(await text(), /on this computer: codex\s+askback install/);
    const hook = { type: 'command', command: 'askback hook claude-code' };
    const hooks = { PreToolUse: [{ matcher: 'AskUserQuestion', hooks: [hook] }] };
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
    assert.match(
      await text(),
      /Set up on this computer: claude-code\.[\s\S]*: codex\s+askback install/,
    );
    rmSync(join(home, '.codex'), { recursive: true });
    assert.doesNotMatch(await text(), /askback install/);
  } finally {
    await context.close();
    await server.stop();
    for (const each of [home, data]) rmSync(each, { recursive: true, force: true });
  }
});

test('notifications are offered once, after the first answer', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const page = await it.open(`/inbox#${inquiry.id}`);
  // The browser of the tests grants or denies; whoever was never asked has `default`.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  });
  await page.reload();
  await waitForState(page, inquiry, 'asked');
  await waitUntilReady(page, inquiry);
  const offer = page.getByRole('group', { name: 'Notify me about questions' });
  assert.equal(await offer.count(), 0, 'nobody has answered yet');
  await questionElement(page, inquiry).getByRole('button', { name: 'MongoDB' }).click();
  await offer.waitFor();
  await offer.getByRole('button', { name: 'Not now' }).click();
  await offer.waitFor({ state: 'detached' });
  const next = await ask(it.server, questions.single);
  await page.goto(`${it.server.base}/inbox#${next.id}`);
  await page.reload();
  await waitForState(page, next, 'asked');
  await waitUntilReady(page, next);
  await questionElement(page, next).getByRole('button', { name: 'MongoDB' }).click();
  await waitForState(page, next, 'held');
  assert.equal(await offer.count(), 0, 'it was declined');
  await page.context().close();
});
