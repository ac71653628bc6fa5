// The parts around a question: links, what became of it, late answers, keys of the inbox, settings, deleting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  answersOf,
  ask,
  questionElement,
  call,
  withdrawAll,
  waitForState,
  TIMEOUT_MS,
  waitUntilReady,
  harness,
  waitForInquiry,
} from './harness.mjs';

const it = harness({
  script: {
    steps: [{ say: 'Hello' }],
    repeat_from: 1,
    scenes: [
      {
        when: 'late',
        steps: [
          {
            say: 'One thing first.',
            calls: [{ tool: 'ask_user_question', input: questions.single }],
          },
          { say: 'Nobody answered; I went on.' },
          { say: 'Noted: {{message}}' },
        ],
      },
      {
        when: 'wrong',
        steps: [
          {
            calls: [
              {
                tool: 'ask_user_question',
                input: { questions: [{ question: '', options: ['only one'] }] },
              },
            ],
          },
          { say: 'Sorry.' },
        ],
      },
    ],
  },
});
const yesNo = (header) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'] }],
});
/** Text without the marks that keep directions apart. */
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
/** What the page has said aloud last. */
const said = (page) => page.locator('#app > p[role=status]');

/** The dark modules that the paths of a code draw. */
function modulesOf(path, side) {
  const rows = Array.from({ length: side }, () => Array(side).fill('0'));
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    rows[y].fill('1', Number(x), Number(x) + Number(run));
  return rows.map((each) => each.join(''));
}

/** Moonshot 1, T33: a link made in the browser answers this question, once, and says so everywhere. */
test('a link is shown as a code and as text, and answers the question', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  let links = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/links')) links += 1;
  });
  assert.equal(links, 0, 'no link is made before one is wanted');
  const made = page.waitForResponse((response) => response.url().endsWith('/links'));
  await element.getByText('Answer on another device').click();
  const link = await (await made).json();
  const picture = element.locator('svg.code');
  await picture.waitFor();
  const side = link.qr_rows.length;
  assert.equal(await picture.getAttribute('viewBox'), `0 0 ${side} ${side}`);
  assert.deepEqual(
    modulesOf(await picture.locator('path').last().getAttribute('d'), side),
    link.qr_rows,
  );
  assert.equal(await element.locator('.link input').inputValue(), link.url);
  await element.getByText('This link works only on this computer').waitFor();
  await element.getByText(/Valid until/).waitFor();
  // It stays over a change of the form, and no second one is made.
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element.locator('.summary').waitFor();
  assert.ok(await picture.isVisible());
  assert.equal(links, 1);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await element.getByRole('button', { name: 'Copy link' }).click();
  await element.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link.url);
  assert.deepEqual(page.complaints, []);
  // Whoever has the link needs neither cookie nor script.
  const guest = await it.context({ signedIn: false, javaScriptEnabled: false });
  const there = await guest.newPage();
  await there.goto(link.url);
  await there.getByLabel('MongoDB').check();
  await there.getByRole('button', { name: 'Send answer' }).click();
  await there.getByText('Answered by someone through a link').waitFor();
  await waitForState(page, inquiry, 'replied');
  assert.match(
    plain(await element.locator('.verdict').innerText()),
    /Answered by someone through a link/,
  );
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['MongoDB']);
  await guest.close();
  await page.context().close();
});

/** What a link cannot do is said only where it is true; a refusal of the server is shown. */
test('a public address has no warning, and a refused link says why', async () => {
  const inquiry = await ask(it.server, questions.text);
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await page.route('**/links', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    await route.fulfill({
      response: reply,
      json: { ...body, url: body.url.replace(/^http:\/\/[^/]+/, 'https://ask.example') },
    });
  });
  await element.getByText('Answer on another device').click();
  await element.locator('svg.code').waitFor();
  assert.match(await element.locator('.link input').inputValue(), /^https:\/\/ask\.example\/q\//);
  assert.equal(await element.getByText('only on this computer').count(), 0);
  await page.unroute('**/links');
  await page.route('**/links', (route) =>
    route.fulfill({
      status: 403,
      json: { status: 403, code: 'forbidden', title: 'No', detail: 'No links from here.' },
    }),
  );
  await page.reload();
  await element.getByText('Answer on another device').click();
  await element.getByText('No links from here.').waitFor();
  await page.context().close();
});

/** Starts a conversation of the built-in agent, and waits for its question. */
async function asked(message) {
  const { body } = await call(it.server, 'POST', '/conversations', { message });
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { body: found } = await call(it.server, 'GET', '/inquiries?status=pending&limit=200');
    const inquiry = found.items.find(({ conversation_id: id }) => id === body.id);
    if (inquiry) return inquiry;
    assert.ok(Date.now() < end, 'the agent asked nothing');
  }
}

/** ux 3.4, expired: the time, what the agent went on with, and a late answer that is a message. */
test('an expired question can be answered late, as a message', async () => {
  const inquiry = await asked('be late');
  const page = await it.openInChat(inquiry);
  const element = questionElement(page, inquiry);
  await call(it.server, 'PUT', `/inquiries/${inquiry.id}/deadline`, { expires_in: '1s' });
  await waitForState(page, inquiry, 'expired');
  assert.match(
    plain(await element.locator('.verdict').innerText()),
    /No answer by .*\. The agent continued without one\./,
  );
  await page.locator('.log').getByText('Nobody answered; I went on.').waitFor();
  await element.getByText('What the agent received').click();
  await element.getByText(/Nobody answered before the deadline passed/).waitFor();
  await element.getByRole('button', { name: 'Answer anyway' }).click();
  await waitForState(page, inquiry, 'late');
  await element.getByText('Your answer will be sent to the agent as a message').waitFor();
  assert.equal(
    await element.getByRole('button', { name: /Stop the agent|Let the agent/ }).count(),
    0,
    'it has ended already',
  );
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element
    .locator('.summary')
    .getByText(/Database.? is empty/)
    .waitFor();
  await element.getByLabel('MongoDB').check();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element.getByText('Sent to the agent as a message').waitFor();
  const message = 'My late answer to “Which database should we use for this project?”: MongoDB';
  await page.locator('.user-text', { hasText: message }).waitFor();
  await page.locator('.log').getByText(`Noted: ${message}`).waitFor();
  // Nothing that had ended was opened again.
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.deepEqual([body.status, body.outcome], ['expired', { type: 'expired' }]);
  assert.equal(await element.getAttribute('data-state'), 'expired');
  assert.equal(await element.getByRole('button', { name: 'Answer anyway' }).count(), 0);
  await page.context().close();
});

/** A late answer is offered only where somebody would hear it. */
test('an external agent cannot be answered late', async () => {
  const inquiry = await ask(it.server, questions.single, { expires_in: '1s' });
  const page = await it.openInChat(inquiry);
  await waitForState(page, inquiry, 'expired');
  // The page reads the conversation, and then the block does, to see whether somebody would hear.
  const read = () =>
    page.waitForResponse((response) =>
      response.url().includes(`/conversations/${inquiry.conversation_id}`),
    );
  const [first] = [read(), page.reload()];
  await first;
  await (await read()).finished();
  await questionElement(page, inquiry).locator('.verdict').waitFor();
  assert.equal(
    await questionElement(page, inquiry).getByRole('button', { name: 'Answer anyway' }).count(),
    0,
  );
  await page.context().close();
});

/** ux 3.4, error: what the agent sent wrong is a block of its own. */
test('a question that cannot be shown says what was sent', async () => {
  const { body } = await call(it.server, 'POST', '/conversations', { message: 'wrong' });
  const page = await it.open(`/c/${body.id}`);
  const failure = page.locator('.failure');
  await failure.getByText('The agent sent a question that cannot be shown').waitFor();
  await failure.getByText('ask_user_question', { exact: true }).waitFor();
  await failure.getByText('What the agent sent').click();
  await failure.getByText('"only one"').waitFor();
  await failure.getByText('What the agent received').click();
  assert.match(await failure.locator('pre').last().innerText(), /question/);
  await page.context().close();
});

/** ux 3.4, cancelled: by whom. */
test('who cancelled is named', async () => {
  const inquiry = await ask(it.server, questions.single);
  await call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/cancel`,
    {},
    { 'X-Askback-Actor': 'ana' },
  );
  const page = await it.openInChat(inquiry);
  await waitForState(page, inquiry, 'cancelled');
  await questionElement(page, inquiry)
    .getByText(/Cancelled by .?ana/)
    .waitFor();
  await page.context().close();
});

/** ux 3.4: each key of the inbox does its work while the focus is in the list, and nothing elsewhere. */
test('every key of the inbox works, and only there', async () => {
  await withdrawAll(it.server);
  const made = [];
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
    made.push(await ask(it.server, yesNo(name)));
  const [one, two, three, four, five, six] = made;
  const page = await it.open('/inbox');
  await row(page, six).waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.dataset.id ?? document.activeElement?.tagName);
  const first = page.locator(`main askback-question[inquiry="${one.id}"]`);
  // Outside of the list they are no keys at all.
  await first.locator('h2').focus();
  for (const key of ['j', 'k', 's', 'r', 'u', 'x', '1']) await page.keyboard.press(key);
  assert.equal(await page.locator('.inbox .marked, .undo-bar:visible').count(), 0);
  assert.equal(await first.locator('.confirm, input:checked').count(), 0);
  await row(page, one).focus();
  await page.keyboard.press('j');
  assert.equal(await focused(), two.id);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  assert.equal(await focused(), one.id, 'k stops at the first');
  // Enter opens, with the focus in the question.
  await row(page, two).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    (id) => document.activeElement?.getAttribute('inquiry') === id,
    two.id,
  );
  // A digit opens and chooses, and sends nothing.
  await row(page, three).focus();
  await page.keyboard.press('2');
  await page
    .locator(`main askback-question[inquiry="${three.id}"]`)
    .getByLabel('No', { exact: true })
    .waitFor();
  assert.ok(
    await page
      .locator(`main askback-question[inquiry="${three.id}"]`)
      .getByLabel('No', { exact: true })
      .isChecked(),
  );
  assert.equal((await call(it.server, 'GET', `/inquiries/${three.id}`)).body.status, 'pending');
  // r asks first, with the focus on staying.
  await row(page, four).focus();
  await page.keyboard.press('r');
  const confirm = page.locator(`main askback-question[inquiry="${four.id}"]`).locator('.confirm');
  await page
    .locator(`main askback-question[inquiry="${four.id}"]`)
    .locator('.confirm:not([data-guarded])')
    .waitFor();
  await page.keyboard.press('Enter');
  await confirm.waitFor({ state: 'detached' });
  assert.equal((await call(it.server, 'GET', `/inquiries/${four.id}`)).body.status, 'pending');
  // s, and u takes it back.
  await row(page, four).focus();
  await page.keyboard.press('s');
  await page.getByRole('button', { name: /^Undo/ }).first().waitFor();
  await page.keyboard.press('u');
  await row(page, four).waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${four.id}`)).body.status, 'pending');
  // x marks several, r rejects them after one question.
  await row(page, five).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  assert.equal(await page.locator('.inbox .marked').count(), 2);
  await page.keyboard.press('r');
  await page.getByText(/Stop the agents of .?2.? questions\?/).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Keep open');
  await page.keyboard.press('Escape');
  assert.equal((await call(it.server, 'GET', `/inquiries/${five.id}`)).body.status, 'pending');
  await row(page, six).focus();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /^Stop all/ }).click();
  for (const each of [five, six])
    await waitForInquiry(it.server, each.id, ({ status }) => status === 'rejected');
  await row(page, six).waitFor({ state: 'detached' });
  await withdrawAll(it.server);
  await page.context().close();
});

/** WCAG 2.1.4: digits can be turned off, in the list and in the question, and stay off. */
test('digits can be turned off', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, yesNo('Ship'));
  const page = await it.open('/inbox');
  const element = page.locator(`main askback-question[inquiry="${inquiry.id}"]`);
  await element.locator('form').waitFor();
  await page.getByText('Settings').click();
  await page.getByLabel('Choose with number keys').uncheck();
  for (const place of ['here', 'after a reload']) {
    await element.locator('form').waitFor();
    await row(page, inquiry).focus();
    await page.keyboard.press('1');
    await waitUntilReady(page, inquiry);
    await element.getByLabel('Yes').focus();
    await page.keyboard.press('2');
    assert.equal(await element.locator('input:checked').count(), 0, place);
    await page.reload();
  }
  await element.locator('form').waitFor();
  await page.getByText('Settings').click();
  await page.getByLabel('Choose with number keys').check();
  await waitUntilReady(page, inquiry);
  await element.getByLabel('Yes').focus();
  await page.keyboard.press('2');
  assert.ok(await element.getByLabel('No', { exact: true }).isChecked());
  await page.context().close();
});

/** Deleting asks in its place, and takes the conversation with its questions away. */
test('a conversation is deleted after a second press', async () => {
  const inquiry = await asked('late again');
  const page = await it.openInChat(inquiry);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Delete this conversation and its answers?').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Back');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Delete');
  await page.keyboard.press('Enter');
  await page.locator('.confirm').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/\/$/);
  await said(page).filter({ hasText: 'Conversation deleted' }).waitFor({ state: 'attached' });
  assert.equal(
    (await call(it.server, 'GET', `/conversations/${inquiry.conversation_id}`)).status,
    404,
  );
  assert.equal(await page.locator(`a[href="/c/${inquiry.conversation_id}"]`).count(), 0);
  assert.equal(await row(page, inquiry).count(), 0);
  await page.context().close();
});

/** W29: fields that few questions need come with the first question that needs them. */
test('seldom parts are loaded when they are needed', async () => {
  await withdrawAll(it.server);
  await ask(it.server, yesNo('Ship'));
  const loaded = [];
  const context = await it.context();
  context.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const page = await it.open('/inbox', { context });
  await page.locator('main askback-question form').waitFor();
  const seldom = [
    '/web/field-combobox.js',
    '/web/field-date.js',
    '/web/share-link.js',
    '/web/late-answer.js',
  ];
  assert.deepEqual(
    loaded.filter((path) => seldom.includes(path)),
    [],
  );
  const date = await ask(it.server, questions.date);
  await row(page, date).click();
  await page
    .locator(`main askback-question[inquiry="${date.id}"]`)
    .getByRole('button', { name: 'Tomorrow' })
    .waitFor();
  assert.deepEqual(
    loaded.filter((path) => seldom.includes(path)),
    ['/web/field-date.js'],
  );
  await withdrawAll(it.server);
  await context.close();
});

/** Moonshot 2: in the inbox an answer can be taken back for five seconds, and the question is as it was. */
test('an answer of the inbox can be taken back', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const page = await it.open('/inbox');
  const first = page.locator(`main askback-question[inquiry="${one.id}"]`);
  await first.getByLabel('No', { exact: true }).check();
  await first.getByRole('button', { name: 'Send answer' }).click();
  // The next one is there, the way back above it, and the agent has heard nothing.
  await page.locator(`main askback-question[inquiry="${two.id}"] form`).waitFor();
  await row(page, one).waitFor({ state: 'detached' });
  const { body } = await call(it.server, 'GET', `/inquiries/${one.id}`);
  assert.deepEqual([body.status, body.held.outcome.answers[0].values], ['pending', ['No']]);
  const undo = page
    .locator('main .undo-bar')
    .getByRole('button', { name: /^Undo \(.?[1-5].? s\)$/ });
  await undo.click();
  await first.locator('form').waitFor();
  // What was chosen is still chosen, once the draft has been read.
  await first.locator('input:checked').waitFor();
  assert.ok(await first.getByLabel('No', { exact: true }).isChecked());
  assert.equal((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.held, undefined);
  // The same from the list with u; then it is let go, and takes effect by itself.
  await first.getByRole('button', { name: 'Send answer' }).click();
  await row(page, one).waitFor({ state: 'detached' });
  await row(page, two).focus();
  await page.keyboard.press('u');
  await row(page, one).waitFor();
  await said(page).filter({ hasText: 'Undone' }).waitFor({ state: 'attached' });
  await row(page, one).focus();
  await page.keyboard.press('s');
  await page.locator('nav .undo-bar').getByRole('button', { name: /^Undo/ }).waitFor();
  await waitForInquiry(it.server, one.id, ({ status }) => status === 'declined');
  await page.locator('nav .undo-bar').waitFor({ state: 'hidden' });
  // The last question has no next: it shows itself as answered, with the way back.
  const last = page.locator(`main askback-question[inquiry="${two.id}"]`);
  await row(page, two).focus();
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await waitForState(page, two, 'held');
  await last.getByText('Sent. You can still undo it.').waitFor();
  await last.getByRole('button', { name: /^Undo/ }).click();
  await waitForState(page, two, 'asked');
  await last.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, two, 'replied');
  assert.deepEqual((await answersOf(it.server, two.id))[0].values, ['Yes']);
  assert.deepEqual(
    page.complaints.filter((text) => !/409/.test(text)),
    [],
  );
  await page.context().close();
});

/** Whoever takes it back, no page offers that any longer; and no page can ask for more time than there is. */
test('an answer that was taken back elsewhere is offered nowhere', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const page = await it.open('/inbox');
  const first = page.locator(`main askback-question[inquiry="${one.id}"]`);
  await first.evaluate((element) => element.setAttribute('undo', '90.5'));
  await first.getByLabel('No', { exact: true }).check();
  await first.getByRole('button', { name: 'Send answer' }).click();
  const undo = page.locator('main .undo-bar').getByRole('button', { name: /^Undo/ });
  await undo.waitFor();
  // The plain page shows what was given, and the way back where scripts run.
  const plain = await it.open(`/q/${one.id}`);
  await waitForState(plain, one, 'held');
  await plain.getByRole('button', { name: /^Undo/ }).click();
  await plain.getByRole('button', { name: 'Send answer' }).waitFor();
  assert.equal(
    await plain.locator('main > section dl').count(),
    0,
    'what was taken back is not shown',
  );
  await row(page, one).waitFor();
  await page.locator('main .undo-bar').waitFor({ state: 'hidden' });
  assert.deepEqual([page.complaints, plain.complaints], [[], []]);
  await call(it.server, 'POST', `/inquiries/${two.id}/withdraw`, {});
  await plain.context().close();
  await page.context().close();
});

/** Both windows are settings; in a conversation there is none by default, and other browsers see what is held. */
test('the time to undo is a setting', async () => {
  const at = await ask(it.server, yesNo('Now'));
  const page = await it.openInChat(at);
  await questionElement(page, at).getByLabel('Yes').check();
  await questionElement(page, at).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, at, 'replied');
  assert.equal(
    (await call(it.server, 'GET', `/inquiries/${at.id}`)).body.status,
    'answered',
    'at once',
  );
  await page.getByText('Settings').click();
  await page.getByLabel('Time to undo in conversations').selectOption('30');
  const later = await ask(it.server, yesNo('Later'), { conversation_id: at.conversation_id });
  await questionElement(page, later).getByLabel('Yes').check();
  const other = await it.openInChat(later);
  await questionElement(other, later).locator('form').waitFor();
  await questionElement(page, later).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, later, 'held');
  await waitForState(other, later, 'held');
  await questionElement(other, later)
    .getByRole('button', { name: /Undo \(.?(2\d|30).? s\)/ })
    .click();
  await waitForState(page, later, 'asked');
  await waitForState(other, later, 'asked');
  assert.ok(await questionElement(page, later).getByLabel('Yes').isChecked());
  await call(it.server, 'POST', `/inquiries/${later.id}/withdraw`, {});
  await other.context().close();
  await page.context().close();
});
