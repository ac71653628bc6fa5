// What every test file stands on: one real server, one browser, and questions to show in it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { browser } from './chromium.mjs';

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const BINARY =
  process.env.ASKBACK_BIN ??
  join(process.env.CARGO_TARGET_DIR ?? join(WEB, '..', 'target'), 'debug', 'askback');
/** Long enough for a loaded machine; a test that waits longer has failed. */
export const TIMEOUT_MS = Number(process.env.ASKBACK_TEST_TIMEOUT_MS ?? 120_000);
const TOKEN = 'a-token-for-the-tests-0123456789';

/** Starts the binary on a data directory and waits for its address. */
export async function startServer({ data, script, listen = '127.0.0.1:0', more = [], env = {} }) {
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
      // What is installed on this computer, such as agents that an empty inbox names, changes no test.
      env: { ...process.env, HOME: data, PATH: data, ASKBACK_WEB_DIR: WEB, ...env },
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
  // Its last words have arrived when it is closed.
  const closed = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  const first = await lines.next();
  if (first.done) {
    await closed;
    assert.fail(`the server did not start: ${log}`);
  }
  const base = first.value.trim();
  let isStopping = false;
  child.once('close', (code, signal) => {
    if (!isStopping) console.error(`the server ended by itself (${signal ?? code}): ${log}`);
  });
  return {
    base,
    token: TOKEN,
    data,
    child,
    /** Ends the process and waits until it is gone. */
    async stop(signal = 'SIGTERM') {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill(signal);
      await gone;
    },
  };
}

/** Calls the API as a program does. */
export async function call(server, method, path, body, headers = {}) {
  const response = await fetch(server.base + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null };
}

/** Asks a question as an agent elsewhere does. */
export async function ask(server, input, options = {}) {
  const { status, body } = await call(server, 'POST', '/inquiries', {
    input,
    source: 'builder',
    ...options,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Takes back every question that waits. */
export async function withdrawAll(server) {
  for (;;) {
    const { body } = await call(server, 'GET', '/inquiries?status=pending&limit=200');
    for (const { id } of body.items) await call(server, 'POST', `/inquiries/${id}/withdraw`, {});
    if (!body.next) return;
  }
}

/** Reads an inquiry until `fits` says yes. */
export async function waitForInquiry(server, id, fits) {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { body } = await call(server, 'GET', `/inquiries/${id}?wait=100ms`);
    if (fits(body)) return body;
    assert.ok(Date.now() < end, `timed out: ${JSON.stringify(body)}`);
  }
}

/** How long until something is read again, in milliseconds: other tests need the machine as well. */
const READ_AGAIN_MS = 20;

/** Reads until what was read fits, and returns it: for what no locator can wait for. */
export async function waitUntil(read, fits, message = 'timed out') {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    assert.ok(Date.now() <= end, `${message}: ${JSON.stringify(value)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, READ_AGAIN_MS);
    });
  }
}

/** Reads until it is what is expected. */
export async function waitForEqual(read, expected, message) {
  const end = Date.now() + TIMEOUT_MS;
  // The last time, the difference is shown.
  await waitUntil(read, (value) => {
    if (Date.now() > end) assert.deepEqual(value, expected, message);
    return isDeepStrictEqual(value, expected);
  });
}

/**
 * What `look` sees of the node that a locator finds. It may be drawn anew between being found and being looked at, and
 * a node that is out of the page has no styles and no size: then the new one is looked at.
 */
export async function measure(locator, look, argument) {
  for (;;) {
    const node = await locator.elementHandle();
    const seen = await node.evaluate(look, argument);
    if (await node.evaluate((each) => each.isConnected)) return seen;
  }
}

/** Where what a locator finds is in view, once it is shown. */
export async function boxOf(locator) {
  await locator.waitFor();
  return measure(locator, (node) => node.getBoundingClientRect().toJSON());
}

/** The width of a page with all that it scrolls to. */
export const pageWidth = (page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Waits until a node has the focus. */
export const waitForFocus = (locator) =>
  waitUntil(
    () => measure(locator, (node) => node.getRootNode().activeElement === node),
    (isFocused) => isFocused,
    'it has no focus',
  );

/** The stored draft of an inquiry, once it fits. */
export async function waitForDraft(server, { id }, fits) {
  const read = () => call(server, 'GET', `/inquiries/${id}/draft`);
  const { body } = await waitUntil(read, ({ body: now }) => now.draft && fits(now.draft));
  return body.draft;
}

/** The stored answers of an inquiry, also while they can be undone. */
export async function answersOf(server, id) {
  const isAnswered = (inquiry) => inquiry.held || inquiry.status === 'answered';
  const { held, outcome } = await waitForInquiry(server, id, isAnswered);
  return (held ?? { outcome }).outcome.answers;
}

/**
 * One server and one browser for a test file.
 * @returns {{ server: any, open: Function, context: Function }}
 */
export function harness({ script, more, env, notifies, twoSteps: twoStepsUsually = true } = {}) {
  const it = {};
  let chromium;
  const data = mkdtempSync(join(tmpdir(), 'askback-web-'));
  before(async () => {
    it.server = await startServer({ data, script, more, env });
    chromium = await browser({ notifies });
  });
  after(async () => {
    await chromium?.close();
    await it.server?.stop();
    rmSync(data, { recursive: true, force: true });
  });
  /** A browser of its own, signed in. Most tests are about what is in the form: there a choice waits for Send. */
  it.context = async ({
    signedIn = true,
    twoSteps = twoStepsUsually,
    locale = 'en-US',
    ...options
  } = {}) => {
    const context = await chromium.newContext({
      locale,
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (twoSteps) await setTwoSteps(context, it.server.base);
    if (signedIn) {
      const response = await fetch(`${it.server.base}/?token=${TOKEN}`, { redirect: 'manual' });
      const [name, value] = response.headers.get('set-cookie').split(';')[0].split('=');
      await context.addCookies([
        { name, value, url: it.server.base, sameSite: 'Strict', httpOnly: true },
      ]);
    }
    return context;
  };
  /** One signed-in browser for many pages of a file. It sends answers without a time to undo: most tests wait for what was stored. */
  it.sharedContext = () => {
    it.sharedContextPromise ??= it.context().then(async (context) => {
      await setUndoSeconds(context, 0);
      return context;
    });
    return it.sharedContextPromise;
  };
  /** A page of the app; what the console complains of fails the test that looks at it. */
  it.open = async (path, options = {}) => {
    const context = options.context ?? (await it.context(options));
    const page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => {
      // A draft that arrives after its answer is refused, and the page does not mind.
      const isLateDraft = /\/draft$/.test(message.location().url) && /409/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isLateDraft)
        page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    await page.goto(it.server.base + path);
    await page.locator('main h1').waitFor();
    return page;
  };
  /** One page of the app for many questions of a file, one after the other: quicker than a page for each. */
  it.openInInbox = async (inquiry) => {
    it.inboxPage ??= it.sharedContext().then((context) => it.open('/inbox', { context }));
    const page = await it.inboxPage;
    await page.evaluate((id) => {
      location.hash = id;
    }, inquiry.id);
    await page.locator(`main ${drawn(inquiry)} section`).waitFor();
    return page;
  };
  /** A page that shows one inquiry, with its form drawn and ready for keys. */
  it.openInChat = async (inquiry, options = {}) => {
    const page = await it.open(`/c/${inquiry.conversation_id}`, options);
    await waitUntilReady(page, inquiry);
    return page;
  };
  /** The same on one page of the app for many conversations of a file, one after the other. */
  it.openInSharedChat = async (inquiry) => {
    it.chatPage ??= it.sharedContext().then((context) => it.open('/new', { context }));
    const page = await it.chatPage;
    page.complaints = [];
    await goTo(page, `/c/${inquiry.conversation_id}`);
    await waitUntilReady(page, inquiry);
    return page;
  };
  return it;
}

/** Goes to another view of the app as a link does: quicker than loading the page. */
export const goTo = (page, path) =>
  page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Stops the installed clock of a page some time from now; its timers and events then stand in the same moment. */
export async function stopClock(page, afterMs = 500) {
  for (;;) {
    try {
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + afterMs);
      return;
    } catch (error) {
      // On a busy machine that moment is over before the clock is stopped.
      if (!/fast-forward to the past/.test(error.message)) throw error;
    }
  }
}

/** Sets how long answers can be undone, as the settings do; 0 for no undo. */
export const setUndoSeconds = (context, seconds) =>
  context.addInitScript((value) => {
    localStorage.setItem('askback-undo', value);
  }, String(seconds));

/** Sends a choice only after Send is pressed, as the settings do. */
async function setTwoSteps(context, url) {
  await context.addInitScript(() => localStorage.setItem('askback-two-steps', 'on'));
  await context.addCookies([{ name: 'askback_two_steps', value: 'on', url }]);
}

/** The element of an inquiry. */
export const questionElement = (page, inquiry) =>
  page.locator(`askback-question[inquiry="${inquiry.id}"]`);

/** Waits until an element is in a state. */
export const waitForState = (page, inquiry, state) =>
  page.locator(`askback-question[inquiry="${inquiry.id}"][data-state="${state}"]`).waitFor();

/** The element of an inquiry whose form or outcome is drawn, and not only that it is loading. */
const drawn = ({ id }) =>
  `askback-question[inquiry="${id}"][data-state]:not([data-state="loading"])`;

/** Waits until what an element shows has been in view long enough to act. Locators look again after half a second only. */
export const waitUntilReady = (page, inquiry) =>
  page.waitForFunction(
    (selector) => document.querySelector(selector)?.checkVisibility(),
    `${drawn(inquiry)}:not([data-guarded])`,
    { polling: READ_AGAIN_MS },
  );

/** Waits until the focus is in the question of an inquiry. */
export const waitForFocusIn = (page, { id }) =>
  page.waitForFunction(
    (inquiry) => document.activeElement?.getAttribute('inquiry') === inquiry,
    id,
    { polling: READ_AGAIN_MS },
  );
