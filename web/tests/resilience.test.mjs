// Questions outlive what happens around them: reloads, second devices, dead networks, faster people, restarts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  setUndoSeconds,
  questionElement,
  call,
  withdrawAll,
  waitForState,
  waitUntilReady,
  harness,
  startServer,
  waitForInquiry,
  waitForDraft,
  waitForEqual,
  waitForFocus,
} from './harness.mjs';

const it = harness();
const options = (at) => ({
  questions: [{ question: `Question number ${at}?`, header: `Q${at}`, options: ['Yes', 'No'] }],
});

/** The stored draft, once it satisfies. */
const drafted = (inquiry, fits) => waitForDraft(it.server, inquiry, fits);

/** Only with --full the clock counts, as the best of up to three times: a busy machine is slow, which says nothing of the pages. */
async function quick(limit, act) {
  if (!process.env.ASKBACK_TEST_FULL) return (await act(0)).where;
  const times = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { took, where } = await act(attempt);
    times.push(Math.round(took));
    if (took <= limit) return where;
  }
  return assert.fail(`took ${times.join(', ')} ms, not ${limit}`);
}

/** A draft survives a reload and goes on at a second device; its JSON is the core's. */
test('a draft survives a reload and moves to a second device', async () => {
  const inquiry = await ask(it.server, questions.several);
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByLabel('Testing (Vitest)').check();
  await element.getByLabel('Other').check();
  await element.getByLabel('Your own answer').pressSequentially('half an ans');
  await element.getByText('Add a note').click();
  await element.getByLabel('Note', { exact: true }).fill('why');
  const draft = await drafted(inquiry, ({ entries }) => entries[0].note === 'why');
  assert.deepEqual(draft, {
    page: { question: 0 },
    review_focus: 0,
    entries: [
      {
        focus: 4,
        field: 'own',
        picked: ['Testing (Vitest)'],
        own: 'half an ans',
        own_ticked: true,
        note: 'why',
      },
    ],
  });
  const check = async (where) => {
    const there = questionElement(where, inquiry);
    await there.getByLabel('Your own answer').waitFor();
    assert.equal(await there.getByLabel('Your own answer').inputValue(), 'half an ans');
    assert.ok(await there.getByLabel('Testing (Vitest)').isChecked());
    assert.equal(await there.getByLabel('Note', { exact: true }).inputValue(), 'why');
  };
  // Here and at a second device within 2 s from the moment the page is asked for.
  const soon = (act) =>
    quick(2000, async () => {
      const begin = performance.now();
      const where = await act();
      await check(where);
      return { took: performance.now() - begin, where };
    });
  await soon(async () => {
    await page.reload();
    return page;
  });
  const elsewhere = await it.context();
  await soon(() => it.open(`/c/${inquiry.conversation_id}`, { context: elsewhere }));
  await elsewhere.close();
  await page.context().close();
});

/** A tab that is closed, and one whose process dies, in the middle of a word: nothing typed is lost. */
test('a closed tab and a crash lose nothing', async () => {
  const context = await it.context();
  for (const end of ['close', 'crash']) {
    const inquiry = await ask(it.server, questions.several);
    const page = await it.openInChat(inquiry, { context });
    await questionElement(page, inquiry).getByLabel('Other').check();
    const field = questionElement(page, inquiry).getByLabel('Your own answer');
    await field.pressSequentially('half an ans');
    await drafted(inquiry, ({ entries }) => entries[0].own === 'half an ans');
    await field.pressSequentially('wer');
    if (end === 'close') await page.close();
    else {
      const crashed = page.waitForEvent('crash');
      const cdp = await context.newCDPSession(page);
      cdp.send('Page.crash').catch(() => {});
      await crashed;
      await page.close();
    }
    await quick(2000, async () => {
      const begin = performance.now();
      const after = await it.open(`/c/${inquiry.conversation_id}`, { context });
      await after.waitForFunction(
        (id) =>
          document
            .querySelector(`askback-question[inquiry="${id}"]`)
            ?.shadowRoot.querySelector('.own textarea')?.value === 'half an answer',
        inquiry.id,
      );
      return { took: performance.now() - begin, where: await after.close() };
    });
    // What this browser has kept goes to the server with the next edit; a second device has at least what was saved.
    const second = await it.context();
    await quick(2000, async () => {
      const begin = performance.now();
      const there = await it.open(`/c/${inquiry.conversation_id}`, { context: second });
      await there.waitForFunction(
        (id) =>
          document
            .querySelector(`askback-question[inquiry="${id}"]`)
            ?.shadowRoot.querySelector('.own textarea')
            ?.value.startsWith('half an ans'),
        inquiry.id,
      );
      return { took: performance.now() - begin, where: await there.close() };
    });
    await second.close();
  }
  await context.close();
});

/** A draft of the terminal's reducer is taken up here, the page in view included. */
test('a draft begun elsewhere goes on here', async () => {
  const inquiry = await ask(it.server, questions.three);
  const draft = {
    page: { question: 1 },
    review_focus: 0,
    entries: [{ focus: 1, picked: ['Passwords'] }, { focus: 0, picked: ['GitHub'] }, { focus: 0 }],
  };
  assert.equal(
    (await call(it.server, 'PUT', `/inquiries/${inquiry.id}/draft`, { draft })).status,
    200,
  );
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByText('Which providers').waitFor();
  assert.ok(await element.getByLabel('GitHub').isChecked());
  await element.getByRole('button', { name: 'Review' }).click();
  await element.getByText('Passwords', { exact: true }).waitFor();
  await page.context().close();
});

/** Without a network the answer is kept, said to be kept, and sent once when it is back. */
test('an answer given offline is sent once', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByLabel('MongoDB').check();
  await page.context().setOffline(true);
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'offline');
  await element.getByText('Saved. It will be sent when you are online.').waitFor();
  assert.equal(await element.locator('input').count(), 0, 'no second answer while the first waits');
  // It shows what is kept, and it can be changed.
  await element.locator('dd').getByText('MongoDB').waitFor();
  await element.getByRole('button', { name: 'Change' }).click();
  await element.getByRole('radio', { name: 'PostgreSQL' }).check();
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'offline');
  await element.locator('dd').getByText('PostgreSQL').waitFor();
  let sent = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/answer')) sent += 1;
  });
  await page.context().setOffline(false);
  await waitForState(page, inquiry, 'replied');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['PostgreSQL']);
  await waitForEqual(() => sent, 1);
  await page.context().close();
});

/** A page that was opened while the database was away opens again by itself, once the server can read it. */
test('the page of an outage opens again by itself', async () => {
  const context = await it.context();
  const page = await context.newPage();
  let isAway = true;
  const outage =
    '<!DOCTYPE html><main><p>Away</p><p data-retrying hidden>Trying</p><script type="module" src="/web/form/retry.js"></script></main>';
  await page.route('**/inbox', (route) =>
    isAway
      ? route.fulfill({ status: 503, contentType: 'text/html', body: outage })
      : route.continue(),
  );
  await page.route('**/readyz', (route) =>
    isAway ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  );
  await page.goto(`${it.server.base}/inbox`);
  await page.getByText('Trying').waitFor();
  await page.waitForResponse(/readyz/);
  await page.getByText('Away').waitFor();
  isAway = false;
  await page.locator('.settings summary').waitFor();
  await context.close();
});

/** Stopping the agent is confirmed, kept and sent later, once the page has been idle with a connection. */
test('the agent can be told to stop offline', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByLabel('MongoDB').waitFor();
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some((each) => new URL(each.name).pathname === '/web/lib/confirm.js'),
  );
  await page.context().setOffline(true);
  await element.getByRole('button', { name: 'Stop the agent' }).click();
  await element.getByText('Stop the agent? It stops without an answer.').waitFor();
  await element.locator('.confirm:not([data-guarded])').waitFor();
  await element.getByRole('button', { name: 'Stop the agent' }).click();
  await waitForState(page, inquiry, 'offline');
  await element.getByText('Saved. It will be sent when you are online.').waitFor();
  await page.context().setOffline(false);
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'rejected');
  await page.context().close();
});

/** The confirmation itself may not have been loaded when the network goes: the browser asks then. */
test('the agent can be told to stop without its confirmation', async () => {
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  await context.route('**/web/lib/confirm.js', (route) => route.abort());
  const page = await it.openInChat(inquiry, { context });
  const element = questionElement(page, inquiry);
  const stop = element.getByRole('button', { name: 'Stop the agent' });
  // The click ends after the dialog.
  const pressStop = async (answer) => {
    const dialog = page.waitForEvent('dialog').then((each) => each[answer]());
    await Promise.all([dialog, stop.click()]);
  };
  await pressStop('dismiss');
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.equal(body.status, 'pending');
  await pressStop('accept');
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'rejected');
  await context.close();
});

/** Without its confirmation no other button is dead either: the browser asks, and says no more than that. */
test('conversations and marked questions are confirmed without the confirmation', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  await context.route('**/web/lib/confirm.js', (route) => route.abort());
  const page = await it.open('/inbox', { context });
  await page.locator(`.inbox a[data-id="${inquiry.id}"]`).focus();
  /** Presses a button that has to be confirmed, and answers the dialog. */
  const press = async (button, accepts) => {
    const dialog = page
      .waitForEvent('dialog')
      .then((each) => (accepts ? each.accept() : each.dismiss()));
    // The click ends after the dialog.
    await Promise.all([dialog, button.click()]);
  };
  await page.keyboard.press('x');
  await press(page.locator('.bulk [data-action=stop]'), false);
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await press(page.locator('.bulk [data-action=stop]'), true);
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'rejected');
  await page.goto(`${it.server.base}/c/${inquiry.conversation_id}`);
  await press(page.getByRole('button', { name: 'Delete' }), false);
  const path = `/conversations/${inquiry.conversation_id}`;
  assert.equal((await call(it.server, 'GET', path)).status, 200);
  await press(page.getByRole('button', { name: 'Delete' }), true);
  await page.waitForURL(`${it.server.base}/new`);
  assert.equal((await call(it.server, 'GET', path)).status, 404);
  // No script has failed. The deleted conversation may be asked for once more.
  assert.deepEqual(
    page.complaints.filter((each) => !/Failed to load resource/.test(each)),
    [],
  );
  await context.close();
});

/** What shows a sent answer and the way to undo it is there before the network goes; and if it is not, the answer is not an empty box. */
test('a sent answer is said to be sent, also without what shows it', async () => {
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  const page = await it.openInChat(inquiry, { context });
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some((each) => new URL(each.name).pathname === '/web/question/outcome-view.js'),
  );
  await page.close();
  await context.route('**/web/question/outcome-view.js', (route) => route.abort());
  await setUndoSeconds(context, 60);
  const other = await it.openInChat(inquiry, { context });
  const element = questionElement(other, inquiry);
  await element.getByLabel('MongoDB').check();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(other, inquiry, 'held');
  await element.locator('.body').getByText('Sent. You can still undo it.').waitFor();
  await context.close();
});

/** The stream goes on after a break where it was: by the last event's id, without gap or repetition. */
test('the stream resumes where it was', async () => {
  const context = await it.context();
  // Notes the id of every event that the page is sent.
  await context.addInitScript(() => {
    globalThis.eventIds = [];
    const original = globalThis.fetch;
    globalThis.fetch = async (...args) => {
      const response = await original(...args);
      if (!String(args[0]?.url ?? args[0]).endsWith('/events') || !response.body) return response;
      const [mine, theirs] = response.body.tee();
      (async () => {
        let text = '';
        for await (const chunk of mine.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          const lines = text.split('\n');
          text = lines.pop();
          for (const line of lines)
            if (line.startsWith('id:')) globalThis.eventIds.push(Number(line.slice(3)));
        }
      })().catch(() => {});
      return new Response(theirs, { status: response.status, headers: response.headers });
    };
  });
  const page = await it.open('/inbox', { context });
  const first = await ask(it.server, options(1));
  await page.locator(`a[data-id="${first.id}"]`).waitFor();
  const resumed = page.waitForRequest(
    (request) =>
      request.url().endsWith('/events') && request.headers()['last-event-id'] !== undefined,
  );
  const { port } = new URL(it.server.base);
  await it.server.stop('SIGKILL');
  await page.getByText('Connection lost').waitFor();
  const before = await page.evaluate(() => globalThis.eventIds.length);
  assert.ok(before > 0, 'events were seen');
  it.server = await startServer({ data: it.server.data, listen: `127.0.0.1:${port}` });
  const missed = await ask(it.server, options(2));
  const request = await resumed;
  const last = await page.evaluate((count) => globalThis.eventIds[count - 1], before);
  assert.equal(
    Number(request.headers()['last-event-id']),
    last,
    'it goes on behind the last event',
  );
  await page.locator(`a[data-id="${missed.id}"]`).waitFor();
  assert.equal(await page.locator(`a[data-id="${missed.id}"]`).count(), 1);
  await page.locator('.banner').waitFor({ state: 'hidden' });
  await withdrawAll(it.server);
  await page.locator(`a[data-id="${missed.id}"]`).waitFor({ state: 'detached' });
  const ids = await page.evaluate(() => globalThis.eventIds);
  assert.ok(ids.length > before, 'events came after the break');
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((one, other) => one - other),
    'each once, in order',
  );
  await context.close();
});

/** A server that has less than a page has heard of, as after a backup was put back, is listened to again. */
test('a stream that is reset begins anew', async () => {
  await withdrawAll(it.server);
  const page = await it.open('/inbox');
  const first = await ask(it.server, options(1));
  await page.locator(`a[data-id="${first.id}"]`).waitFor();
  const second = await page.evaluate(async (input) => {
    const { feedOf } = await import('/web/lib/feed.js');
    const { Client } = await import('/web/lib/api.js');
    const feed = feedOf(new Client());
    feed.lastId = Number.MAX_SAFE_INTEGER;
    const asked = await new Client().post('/inquiries', { input });
    feed.receive({ type: 'reset', data: {} });
    return asked;
  }, options(2));
  await page.locator(`a[data-id="${second.id}"]`).waitFor();
  // What comes from now on is heard.
  const third = await ask(it.server, options(3));
  await page.locator(`a[data-id="${third.id}"]`).waitFor();
  await withdrawAll(it.server);
  await page.context().close();
});

/** Many tabs share one stream, and when the one that holds it goes, another takes over. */
test('tabs share one stream', async () => {
  const context = await it.context();
  const open = new Set();
  const watch = (page) => {
    page.on('request', (request) => {
      if (request.url().endsWith('/events')) open.add(page);
    });
    page.on('close', () => open.delete(page));
  };
  context.on('page', watch);
  const pages = [];
  for (let i = 0; i < 4; i += 1) pages.push(await it.open('/inbox', { context }));
  const one = await ask(it.server, options(3));
  for (const page of pages) await page.locator(`a[data-id="${one.id}"]`).waitFor();
  assert.equal(open.size, 1);
  await [...open][0].close();
  const left = pages.filter((page) => !page.isClosed());
  const two = await ask(it.server, options(4));
  for (const page of left) await page.locator(`a[data-id="${two.id}"]`).waitFor();
  assert.equal(open.size, 1);
  for (const { id } of [one, two]) await call(it.server, 'POST', `/inquiries/${id}/withdraw`, {});
  await context.close();
});

/** Two people answer at once: one wins, the other is shown who and what. */
test('the slower of two is shown the answer of the faster', async () => {
  const inquiry = await ask(it.server, questions.single);
  const pages = [];
  // Both answers are under way before the server gets either.
  let held = 0;
  let release;
  const both = new Promise((resolve) => {
    release = resolve;
  });
  for (const name of ['ana', 'ben']) {
    const context = await it.context();
    await context.addInitScript((actor) => localStorage.setItem('askback-actor', actor), name);
    await context.route(/\/answer$|\/respond$/, async (route) => {
      held += 1;
      if (held === 2) release();
      await both;
      await route.continue();
    });
    const page = await it.open(`/c/${inquiry.conversation_id}`, { context });
    await questionElement(page, inquiry)
      .getByLabel(name === 'ana' ? 'MongoDB' : 'SQLite')
      .check();
    pages.push(page);
  }
  await Promise.all(
    pages.map((page) =>
      page.evaluate(
        (id) => document.querySelector(`askback-question[inquiry="${id}"]`).sender.sendAnswer(),
        inquiry.id,
      ),
    ),
  );
  const { answered_by: winner, outcome } = await waitForInquiry(
    it.server,
    inquiry.id,
    ({ status }) => status === 'answered',
  );
  assert.deepEqual(outcome.answers[0].values, [
    winner === 'ana' ? 'MongoDB' : 'SQLite (Recommended)',
  ]);
  assert.equal(held, 2, 'neither knew of the other');
  for (const [at, name] of ['ana', 'ben'].entries()) {
    await waitForState(pages[at], inquiry, 'replied');
    // What shows it is loaded with the first outcome.
    await questionElement(pages[at], inquiry).locator('.outcome').waitFor({ state: 'attached' });
    const text = (
      await questionElement(pages[at], inquiry).locator('section').textContent()
    ).replace(/[\u2068\u2069]/g, '');
    assert.match(text, new RegExp(`Answered by ${winner} in the browser`), name);
    assert.equal(/Already answered/.test(text), name !== winner, name);
    assert.match(text, winner === 'ana' ? /MongoDB/ : /SQLite/, name);
    assert.equal(
      await questionElement(pages[at], inquiry).locator('.error').count(),
      0,
      `${name}: no error`,
    );
  }
  for (const page of pages) await page.context().close();
});

/** What happens elsewhere shows here at once, and a late answer is refused with a reason. */
test('an answer or a withdrawal elsewhere closes the form', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry);
  await questionElement(page, inquiry).getByLabel('MongoDB').check();
  await call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/answer`,
    { answers: { q1: 'PostgreSQL' } },
    { 'X-Askback-Actor': 'ana', 'X-Askback-Surface': 'terminal' },
  );
  await waitForState(page, inquiry, 'replied');
  assert.match(
    (await questionElement(page, inquiry).locator('.verdict').innerText()).replace(
      /[\u2068\u2069]/g,
      '',
    ),
    /Answered by ana in the terminal/,
  );
  const gone = await ask(it.server, questions.single);
  const late = await it.openInChat(gone);
  await questionElement(late, gone).getByLabel('MongoDB').check();
  await late.route('**/answer', (route) => route.abort());
  await questionElement(late, gone).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(late, gone, 'offline');
  await late.unroute('**/answer');
  await call(it.server, 'POST', `/inquiries/${gone.id}/withdraw`, {});
  await waitForState(late, gone, 'cancelled');
  await questionElement(late, gone)
    .getByText('This question is closed. Your answer was not sent.')
    .waitFor();
  await page.context().close();
  await late.context().close();
});

/** When the agent takes its question back or its turn ends, the form is gone within half a second, and a late answer is told why. */
test('an abort closes the form within half a second', async () => {
  for (const way of ['withdraw', 'cancel']) {
    await quick(500, async () => {
      const inquiry = await ask(it.server, questions.single);
      const page = await it.openInInbox(inquiry);
      await waitForState(page, inquiry, 'asked');
      // The observer is there before anything happens; one that comes later waits for ever.
      await page.evaluate((id) => {
        const element = document.querySelector(`askback-question[inquiry="${id}"]`);
        const look = () => {
          if (element.dataset.state !== 'asked') globalThis.leftAt ??= Date.now();
        };
        globalThis.leftAt = undefined;
        new MutationObserver(look).observe(element, { attributes: true });
        look();
      }, inquiry.id);
      const begin = Date.now();
      const path =
        way === 'withdraw'
          ? `/inquiries/${inquiry.id}/withdraw`
          : `/conversations/${inquiry.conversation_id}/cancel`;
      assert.ok((await call(it.server, 'POST', path, {})).status < 300, way);
      await waitForState(page, inquiry, 'cancelled');
      const took = (await page.evaluate(() => globalThis.leftAt)) - begin;
      const late = await call(it.server, 'POST', `/inquiries/${inquiry.id}/answer`, {
        answers: { q1: 'MongoDB' },
      });
      assert.equal(late.status, 409, way);
      assert.match(`${late.body.title} ${late.body.detail ?? ''}`, /[a-z]{4}/);
      assert.notEqual(late.body.code, 'not_found');
      assert.equal(
        late.body.winner?.inquiry_id,
        inquiry.id,
        `${way}: what became of it comes with the refusal`,
      );
      return { took };
    });
  }
});

/** Over a restart of the server the question stays answerable, with its draft. */
test('a restart of the server loses nothing', async () => {
  const inquiry = await ask(it.server, questions.text);
  const page = await it.openInChat(inquiry);
  const field = questionElement(page, inquiry).getByRole('textbox').first();
  await field.fill('Direct');
  await drafted(inquiry, ({ entries }) => entries[0].typed === 'Direct');
  const { port } = new URL(it.server.base);
  await it.server.stop('SIGKILL');
  await page.getByText('Connection lost').waitFor();
  await field.pressSequentially(' message');
  it.server = await startServer({ data: it.server.data, listen: `127.0.0.1:${port}` });
  assert.equal(await questionElement(page, inquiry).getAttribute('data-state'), 'asked');
  await page.locator('.banner').waitFor({ state: 'hidden' });
  // The form is the same one, with the focus in it, whether or not an event had come before the break.
  await waitForFocus(field);
  await page.keyboard.press('Enter');
  assert.equal((await answersOf(it.server, inquiry.id))[0].text, 'Direct message');
  await waitForState(page, inquiry, 'replied');
  await page.context().close();
});

/** The inbox lists by deadline, then age, and answering leads to the next one. */
test('the inbox is in order and goes on by itself', async () => {
  await withdrawAll(it.server);
  const made = [];
  for (let at = 0; at < 10; at += 1) {
    made.push(
      await ask(it.server, options(at), {
        source: `agent ${at % 3}`,
        expires_in: at === 7 ? '1h' : at === 4 ? '30m' : undefined,
      }),
    );
  }
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await it.open('/inbox', { context });
  const order = [4, 7, 0, 1, 2, 3, 5, 6, 8, 9].map((at) => made[at].id);
  await page.locator(`a[data-id="${order[9]}"]`).waitFor();
  await waitForEqual(
    () => page.locator('.inbox a').evaluateAll((links) => links.map((link) => link.dataset.id)),
    order,
  );
  const { body } = await call(it.server, 'GET', '/inquiries?status=pending&limit=200');
  assert.deepEqual(
    body.items.map(({ id }) => id),
    order,
    'the order of the API',
  );
  await waitForEqual(
    () => page.locator('.inbox a .meta bdi').allInnerTexts(),
    [4, 7, 0, 1, 2, 3, 5, 6, 8, 9].map((at) => `agent ${at % 3}`),
  );
  // By keyboard: k and j move, a digit marks and opens, Enter sends, the next question is there.
  await page.locator('.inbox a').first().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  for (const id of order.slice(0, 3)) {
    await page.locator(`main askback-question[inquiry="${id}"] form`).waitFor();
    await waitUntilReady(page, { id });
    await page.locator(`a[data-id="${id}"]`).focus();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    assert.deepEqual((await answersOf(it.server, id))[0].values, ['Yes']);
  }
  await page.locator(`main askback-question[inquiry="${order[3]}"] form`).waitFor();
  // Skipping can be taken back.
  await page.locator(`a[data-id="${order[4]}"]`).click();
  await page.keyboard.press('s');
  await page.locator(`a[data-id="${order[4]}"]`).waitFor({ state: 'detached' });
  // The row may go with the event, before the response; undo is possible after the response.
  await page.locator('main .undo-bar .undo').waitFor();
  await page.keyboard.press('u');
  await page.locator(`a[data-id="${order[4]}"]`).waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${order[4]}`)).body.status, 'pending');
  // Several at once.
  await page.locator(`a[data-id="${order[5]}"]`).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('s');
  await page.locator('.bulk .confirm .danger').click();
  for (const id of order.slice(5, 7))
    await waitForInquiry(it.server, id, ({ status, held }) => held || status !== 'pending');
  await page.waitForFunction(() => document.title.startsWith('(5)'));
  // From the end of one question to the form of the next.
  await quick(100, async () => ({
    took: await page.evaluate(async () => {
      const element = document.querySelector('main askback-question');
      const before = element.getAttribute('inquiry');
      element.edit({ edit: 'mark', row: 0 });
      element.focusFirst();
      const start = await new Promise((resolve) => {
        element.addEventListener('askback-resolved', () => resolve(performance.now()), {
          once: true,
          capture: true,
        });
        element.sender.sendAnswer();
      });
      while (
        document.querySelector('main askback-question').getAttribute('inquiry') === before ||
        !document.querySelector('main askback-question').form
      )
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      return performance.now() - start;
    }),
  }));
  await page.context().close();
});

/** A deadline is shown with a way to get more time. */
test('more time is one press away', async () => {
  const inquiry = await ask(it.server, questions.single, { expires_in: '10m' });
  const page = await it.openInChat(inquiry);
  await questionElement(page, inquiry)
    .getByText(/Closes at/)
    .waitFor();
  await questionElement(page, inquiry).getByRole('button', { name: 'Give me more time' }).click();
  await questionElement(page, inquiry)
    .getByText(/Closes at/)
    .waitFor({ state: 'detached' });
  assert.equal(
    (await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.expires_at,
    undefined,
  );
  await page.context().close();
});
