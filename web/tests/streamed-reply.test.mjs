// The text of a reply comes twice: as tokens, and in the message. Nothing orders the two for a page that also reads the
// conversation, so each order is made here by hand. The text must be shown once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, harness, waitForEqual, waitUntil, goTo } from './harness.mjs';

const REPLY = 'A reply with **several** words.';
const it = harness({
  script: {
    steps: [{ say: REPLY }],
    repeat_from: 1,
    chunk_ms: 1,
    scenes: [{ when: 'endless', steps: [{ say: 'on and '.repeat(20_000) }] }],
  },
});

/** Holds the frames of the feed back until the test releases them. */
const holdFeed = (context) =>
  context.addInitScript(() => {
    // However slow the stream is: a page that has waited for a second reads without it, and again with it.
    const { setTimeout, fetch: original } = globalThis;
    globalThis.setTimeout = (act, ms = 0) => (ms === 1000 ? 0 : setTimeout(act, ms));
    globalThis.heldFrames = [];
    globalThis.fetch = async (...args) => {
      const reply = await original(...args);
      if (!/\/conversations\/[^/]+\/events$/.test(String(args[0]?.url ?? args[0])) || !reply.body)
        return reply;
      const body = new ReadableStream({
        async start(controller) {
          globalThis.sendFrame = (frame) =>
            controller.enqueue(new TextEncoder().encode(`${frame}\n\n`));
          let rest = '';
          for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
            const frames = (rest + chunk).split('\n\n');
            rest = frames.pop();
            globalThis.heldFrames.push(...frames);
          }
        },
      });
      return new Response(body, { status: reply.status, headers: reply.headers });
    };
  });

/** Releases the held frames of these events, and returns when the page has handled and drawn them. */
const release = (page, events) =>
  page.evaluate(async (names) => {
    const { feedOf } = await import('/web/lib/feed.js');
    const { Client } = await import('/web/lib/api.js');
    const isReleased = (frame) => names.some((name) => frame.includes(`event: ${name}\n`));
    const released = globalThis.heldFrames.filter(isReleased);
    globalThis.heldFrames = globalThis.heldFrames.filter((frame) => !isReleased(frame));
    const handled = new Promise((resolve) => {
      const path = `${location.pathname.replace('/c/', '/conversations/')}/events`;
      feedOf(new Client(), path).subscribe(({ type }) => type === 'last_of_the_test' && resolve());
    });
    for (const frame of released) globalThis.sendFrame(frame);
    globalThis.sendFrame('event: last_of_the_test\ndata: {}');
    await handled;
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    return released.length;
  }, events);

/** Waits until the held frames satisfy. */
const waitForHeld = (page, fits, argument) => page.waitForFunction(fits, argument);

/** Whether the agent has worked and is idle again. The stream begins with the state that was before. */
const isIdleHeld = () => {
  const states = globalThis.heldFrames.filter((frame) => frame.startsWith('event: state_change'));
  const begin = states.findIndex((frame) => frame.includes('"type":"llm_requesting"'));
  return begin >= 0 && states.slice(begin).some((frame) => frame.includes('"type":"idle"'));
};

/** Waits until all tokens of the reply are held, whatever came before or after them. */
const waitForAllTokens = (page) =>
  waitForHeld(
    page,
    (reply) =>
      globalThis.heldFrames
        .filter((frame) => frame.startsWith('event: token'))
        .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)[1]).text)
        .join('') === reply,
    REPLY,
  );

const newConversation = async () => (await call(it.server, 'POST', '/conversations', {})).body.id;

const say = async (id, text) =>
  assert.ok(
    (await call(it.server, 'POST', `/conversations/${id}/messages`, { text })).status < 300,
  );

/** Reads a conversation until its agent is idle. */
const waitForIdle = (id) =>
  waitUntil(
    async () => (await call(it.server, 'GET', `/conversations/${id}`)).body,
    ({ state, messages }) => state.type === 'idle' && messages.length > 1,
  );

/** Opens a page that holds the feeds of conversations back. */
async function openHeld() {
  const context = await it.context();
  await holdFeed(context);
  return it.open('/inbox', { context });
}

/** Goes to a conversation, whose feed is then connected and held back. */
const goToConversation = (page, id) => goTo(page, `/c/${id}`);

const waitUntilRead = (page) => page.getByRole('button', { name: 'Delete' }).waitFor();

async function showConversation(page, id) {
  await goToConversation(page, id);
  await waitUntilRead(page);
}

/** What the page shows as text of the agent: messages, and the streamed reply. */
const shownTexts = async (page) => {
  const texts = await page.locator('.chat .markdown').allInnerTexts();
  return texts.map((text) => text.trim());
};

/** A page to which a whole reply was sent, and that shows nothing of it yet. */
async function openWithHeldReply() {
  const id = await newConversation();
  const page = await openHeld();
  await showConversation(page, id);
  await say(id, 'Hello');
  await waitForHeld(page, isIdleHeld);
  await waitForAllTokens(page);
  return page;
}

test('a message that was read before its tokens arrive is shown once', async () => {
  const page = await openHeld();
  const id = await newConversation();
  let complete = () => {};
  const isComplete = new Promise((resolve) => {
    complete = resolve;
  });
  await page.route(new RegExp(`/conversations/${id}(\\?|$)`), async (route) => {
    await isComplete;
    await route.continue();
  });
  await goToConversation(page, id);
  await waitForHeld(page, () => globalThis.heldFrames.length > 0);
  await say(id, 'Hello');
  await waitForIdle(id);
  await waitForAllTokens(page);
  complete();
  await waitUntilRead(page);
  const expected = ['A reply with several words.'];
  // What draws it is loaded when it is needed.
  await waitForEqual(() => shownTexts(page), expected);
  assert.ok((await release(page, ['token'])) > 1);
  assert.deepEqual(await shownTexts(page), expected, 'with the tokens');
  // An old state is not what the agent does now. The message field is loaded when it is needed.
  await page.locator('.composer button').first().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    globalThis.states = [];
    const stop = [...document.querySelectorAll('.composer button')];
    const look = () => globalThis.states.push(stop.map((each) => each.hidden).join());
    look();
    new MutationObserver(look).observe(document.querySelector('.composer'), {
      subtree: true,
      attributes: true,
      attributeFilter: ['hidden'],
    });
  });
  assert.ok((await release(page, ['state_change', 'message'])) > 2);
  assert.deepEqual(await shownTexts(page), expected, 'with everything');
  assert.equal(await page.evaluate(() => new Set(globalThis.states).size), 1);
  await page.context().close();
});

test('tokens that come after their message are not shown', async () => {
  const page = await openWithHeldReply();
  await release(page, ['state_change', 'message']);
  await waitForEqual(() => shownTexts(page), ['A reply with several words.']);
  assert.ok((await release(page, ['token'])) > 1);
  assert.deepEqual(await shownTexts(page), ['A reply with several words.']);
  await page.context().close();
});

test('tokens are shown before their message, and replaced by it', async () => {
  const page = await openWithHeldReply();
  await release(page, ['token']);
  // What draws it is loaded when it is needed.
  await page.locator('.chat .markdown', { hasText: 'A reply with several words.' }).waitFor();
  assert.deepEqual(await shownTexts(page), ['A reply with several words.']);
  assert.equal(await page.locator('.log article.assistant').count(), 0);
  await release(page, ['message', 'state_change']);
  await page.locator('.log article.assistant').waitFor();
  await waitForEqual(() => shownTexts(page), ['A reply with several words.']);
  await page.context().close();
});

test('tokens of a reply that was stopped are not shown afterwards', async () => {
  const id = await newConversation();
  const page = await openHeld();
  await showConversation(page, id);
  await say(id, 'endless please');
  await waitForHeld(page, () =>
    globalThis.heldFrames.some((frame) => frame.startsWith('event: token')),
  );
  assert.ok((await call(it.server, 'POST', `/conversations/${id}/cancel`, {})).status < 300);
  await waitForHeld(page, isIdleHeld);
  await release(page, ['state_change', 'message']);
  assert.ok((await release(page, ['token'])) > 0);
  assert.deepEqual(await shownTexts(page), []);
  await page.context().close();
});

/** A reply of which the page has missed the beginning is not shown from the middle of a sentence. */
test('a reply that began before the page listened is shown when it is complete', async () => {
  const id = await newConversation();
  await say(id, 'Hello');
  await waitForIdle(id);
  const page = await it.open(`/c/${id}`);
  await page.locator('.log article.assistant').waitFor();
  const { body } = await call(it.server, 'GET', `/conversations/${id}`);
  const receive = (after, text) =>
    page.evaluate(
      async (data) => {
        const { feedOf } = await import('/web/lib/feed.js');
        const { Client } = await import('/web/lib/api.js');
        const feed = feedOf(new Client(), `/conversations/${data.conversation_id}/events`);
        await feed.ready;
        feed.receive({ type: 'token', data });
        await new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        });
      },
      { conversation_id: id, after, text },
    );
  await receive(body.sequence, 'From the beginning.');
  // What draws it is loaded when it is needed.
  await page.locator('.chat .markdown', { hasText: 'From the beginning.' }).waitFor();
  await waitForEqual(async () => (await shownTexts(page)).at(-1), 'From the beginning.');
  // The feed has moved on before the page listened again.
  await page.evaluate(
    async ({ id, sequence }) => {
      const { feedOf } = await import('/web/lib/feed.js');
      const { Client } = await import('/web/lib/api.js');
      const feed = feedOf(new Client(), `/conversations/${id}/events`);
      feed.receive({ type: 'lost', data: {} });
      feed.receive({ type: 'at', id: sequence + 5, data: null });
    },
    { id, sequence: body.sequence },
  );
  await waitForEqual(() => shownTexts(page), ['A reply with several words.']);
  await receive(body.sequence, 'from the middle.');
  assert.deepEqual(await shownTexts(page), ['A reply with several words.']);
  await page.context().close();
});
