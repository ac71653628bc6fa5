// The test harness: one real server and one browser for a test file.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { browser } from './chromium.mjs';

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const BINARY =
  process.env.ASKBACK_BIN ??
  join(process.env.CARGO_TARGET_DIR ?? join(WEB, '..', 'target'), 'debug', 'askback');
/** Long enough for a busy machine. */
export const TIMEOUT_MS = 15_000;
const TOKEN = 'a-token-for-the-tests-0123456789';

/** Starts the binary on a data directory and waits for its address. */
export async function startServer({ data, script, listen = '127.0.0.1:0', more = [] }) {
  const provider = script ? join(data, 'script.json') : null;
  if (provider) writeFileSync(provider, JSON.stringify(script));
  const child = spawn(
    BINARY,
    [
      'serve',
      '--listen',
      listen,
      '--data',
      data,
      '--token',
      TOKEN,
      ...(provider ? ['--provider', `scripted:${provider}`] : []),
      ...more,
    ],
    {
      env: { ...process.env, ASKBACK_WEB_DIR: WEB },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  child.on('error', (error) => {
    log += error.message;
  });
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([
    lines.next(),
    new Promise((resolve) => {
      child.once('exit', () => resolve({ done: true }));
    }),
  ]);
  assert.ok(!first.done, `the server did not start: ${log}`);
  const base = first.value.trim();
  return {
    base,
    token: TOKEN,
    data,
    child,
    /** Ends the process and waits until it is gone. */
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null) return;
      const gone = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill(signal);
      await gone;
    },
  };
}

/** Calls the API with the token. */
export async function call(server, method, path, body, headers = {}) {
  const reply = await fetch(server.base + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await reply.text();
  return { status: reply.status, body: text ? JSON.parse(text) : null };
}

/** Asks a question as an external agent. */
export async function ask(server, input, options = {}) {
  const { status, body } = await call(server, 'POST', '/inquiries', {
    input,
    source: 'builder',
    ...options,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Withdraws all pending questions. */
export async function withdrawAll(server) {
  const { body } = await call(server, 'GET', '/inquiries?status=pending&limit=200');
  for (const { id } of body.items) await call(server, 'POST', `/inquiries/${id}/withdraw`, {});
}

/** Reads an inquiry until `fits` is true. */
export async function waitForInquiry(server, id, fits) {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { body } = await call(server, 'GET', `/inquiries/${id}?wait=1s`);
    if (fits(body)) return body;
    assert.ok(Date.now() < end, `timed out: ${JSON.stringify(body)}`);
  }
}

/** The stored answers of an inquiry, once it is answered. */
export const answersOf = async (server, id) =>
  (await waitForInquiry(server, id, ({ status }) => status === 'answered')).outcome.answers;

/**
 * One server and one browser for a test file.
 * @returns {{ server: any, open: Function, context: Function }}
 */
export function harness({ script, more } = {}) {
  const it = {};
  let chromium;
  const data = mkdtempSync(join(tmpdir(), 'askback-web-'));
  before(async () => {
    it.server = await startServer({ data, script, more });
    chromium = await browser();
  });
  after(async () => {
    await chromium?.close();
    await it.server?.stop();
    rmSync(data, { recursive: true, force: true });
  });
  /** A new browser context, signed in by default. */
  it.context = async ({ signedIn = true, locale = 'en-US', ...options } = {}) => {
    const context = await chromium.newContext({
      locale,
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (signedIn) {
      const reply = await fetch(`${it.server.base}/?token=${TOKEN}`, { redirect: 'manual' });
      const [name, value] = reply.headers.get('set-cookie').split(';')[0].split('=');
      await context.addCookies([
        { name, value, url: it.server.base, sameSite: 'Strict', httpOnly: true },
      ]);
    }
    return context;
  };
  /** One signed-in context for many pages of a file, without undo: answers are stored at once. */
  it.sharedContext = () => {
    it.sharedContextPromise ??= it.context().then(async (context) => {
      await setUndoSeconds(context, 0);
      return context;
    });
    return it.sharedContextPromise;
  };
  /** Opens a page of the app; `complaints` are its console errors and warnings. */
  it.open = async (path, options = {}) => {
    const context = options.context ?? (await it.context(options));
    const page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    await page.goto(it.server.base + path);
    await page.locator('main h1').waitFor();
    return page;
  };
  /** Shows an inquiry in the inbox, always in the same page: faster than a page for each. */
  it.openInInbox = async (inquiry) => {
    it.inboxPage ??= it.sharedContext().then((context) => it.open('/inbox', { context }));
    const page = await it.inboxPage;
    await page.evaluate((id) => {
      location.hash = id;
    }, inquiry.id);
    await page.locator(`main askback-question[inquiry="${inquiry.id}"] section`).waitFor();
    return page;
  };
  /** Opens the conversation of an inquiry and waits until its form takes input. */
  it.openInChat = async (inquiry, options = {}) => {
    const page = await it.open(`/c/${inquiry.conversation_id}`, options);
    await questionElement(page, inquiry).locator('section').waitFor();
    await waitUntilReady(page, inquiry);
    return page;
  };
  return it;
}

/** Sets how long answers can be undone, as the settings do; 0 for no undo. */
export const setUndoSeconds = (context, seconds) =>
  context.addInitScript((value) => {
    for (const place of ['inbox', 'chat']) localStorage.setItem(`askback-undo-${place}`, value);
  }, String(seconds));

/** The element of an inquiry. */
export const questionElement = (page, inquiry) =>
  page.locator(`askback-question[inquiry="${inquiry.id}"]`);

export const waitForState = (page, inquiry, state) =>
  page.locator(`askback-question[inquiry="${inquiry.id}"][data-state="${state}"]`).waitFor();

/** Waits until the element takes input: it ignores clicks and keys for a moment after drawing. */
export const waitUntilReady = (page, inquiry) =>
  page.locator(`askback-question[inquiry="${inquiry.id}"]:not([data-guarded])`).waitFor();
