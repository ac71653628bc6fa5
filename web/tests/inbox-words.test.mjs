// What the inbox says: once, and what is true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitUntilReady,
  withdrawAll,
  waitForEqual,
} from './harness.mjs';

const it = harness();
const shownText = (page) => page.locator('.inbox-page').innerText();

test('an empty inbox says so once, and what to do next', async () => {
  await withdrawAll(it.server);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 780 },
  ]) {
    const page = await it.open('/inbox', { viewport });
    await page.getByText('All caught up').waitFor();
    const text = await shownText(page);
    assert.equal(text.match(/caught up|No questions waiting|appears? here/g).length, 2, text);
    assert.ok(text.includes('askback ask --durable'), text);
    // Nothing to search in, to filter or to sort.
    await page.getByRole('textbox', { name: 'Search questions' }).waitFor({ state: 'hidden' });
    await page.getByRole('combobox').first().waitFor({ state: 'hidden' });
    const inquiry = await ask(it.server, questions.single);
    await page.locator(`.inbox li[data-id="${inquiry.id}"]`).waitFor();
    await page.getByText('All caught up').waitFor({ state: 'hidden' });
    await page.getByRole('textbox', { name: 'Search questions' }).waitFor();
    await withdrawAll(it.server);
    await page.context().close();
  }
});

test('a project is named once', async () => {
  const asker = (project) => ({ client: 'claude-code', project, session: 's1' });
  const named = await ask(it.server, questions.single, {
    source: 'Claude Code in webshop',
    asker: asker('/home/ana/webshop'),
  });
  const other = await ask(it.server, questions.number, {
    source: 'Codex',
    asker: asker('/home/ana/importer'),
  });
  const page = await it.openInInbox(named);
  const row = (inquiry) => page.locator(`.inbox li[data-id="${inquiry.id}"] .meta`);
  await row(named).waitFor();
  const times = async (locator, name) => (await locator.innerText()).split(name).length - 1;
  await waitForEqual(() => times(row(named), 'webshop'), 1);
  await waitForEqual(() => times(page.locator('.context .from'), 'webshop'), 1);
  await waitForEqual(() => times(row(other), 'importer'), 1);
  await withdrawAll(it.server);
});

/** A question of another program is not one of the built-in agent, before and after a reload. */
test('who asks without a name is not called by the name of the built-in agent', async () => {
  const inquiry = await ask(it.server, questions.single, { source: undefined });
  const page = await it.openInInbox(inquiry);
  const row = page.locator(`.inbox li[data-id="${inquiry.id}"] .meta > bdi`);
  await row.filter({ hasText: /^askback$/ }).waitFor();
  await page.reload();
  await row.filter({ hasText: /^askback$/ }).waitFor();
  await withdrawAll(it.server);
});

test('every row has two lines', async () => {
  const page = await it.open('/inbox');
  const lines = [];
  for (const [input, second] of [
    [questions.number, /^A number$/],
    [questions.date, /^A date, such as/],
    [{ question: 'What is its name?', input_type: 'text' }, /^Your own answer$/],
    [{ question: 'Which days?', input_type: 'date_range' }, /^A date, such as/],
    [questions.several, null],
    [questions.single, null],
    [
      { questions: [{ question: 'Where to?', header: 'Way', options: ['Left', 'Right'] }] },
      /^Left · Right$/,
    ],
  ]) {
    const inquiry = await ask(it.server, input);
    const row = page.locator(`.inbox li[data-id="${inquiry.id}"]`);
    await row.waitFor();
    const asked = (input.questions ?? [input])[0].question;
    assert.equal(await row.locator('.name').innerText(), asked);
    // A long question takes both lines.
    assert.equal(await row.locator('.preview').count(), second ? 1 : 0);
    if (second) lines.push([await row.locator('.preview').innerText(), second]);
  }
  for (const [shown, wanted] of lines) assert.match(shown, wanted);
  await withdrawAll(it.server);
});

test('an assumption is marked as one, in the app and in the plain form', async () => {
  const assumption = 'I am going ahead with SQLite.';
  const inquiry = await ask(
    it.server,
    { ...questions.text, context: 'The abbreviation has several meanings' },
    { assumption },
  );
  assert.equal(inquiry.assumption, assumption);
  const page = await it.openInInbox(inquiry);
  const plain = await it.context({ javaScriptEnabled: false });
  const form = await plain.newPage();
  await form.goto(`${it.server.base}/q/${inquiry.id}`);
  for (const view of [questionElement(page, inquiry), form]) {
    const marked = view.locator('.assumption');
    await marked.waitFor();
    const text = (await marked.innerText()).replaceAll(/[\u2068\u2069]/g, '');
    assert.equal(text, `Until you answer, the agent assumes: ${assumption}`);
    assert.equal(
      await view.locator('.context:not(:has(.from))').innerText(),
      'The abbreviation has several meanings',
    );
  }
  await plain.close();
  await withdrawAll(it.server);
});

/** What cannot be skipped is left to the agent, and is called so. */
test('skipping is offered only where it is allowed', async () => {
  const required = await ask(it.server, questions.number);
  const optional = await ask(it.server, questions.text);
  const page = await it.open('/inbox');
  const mark = (inquiry) =>
    page.locator(`.inbox li[data-id="${inquiry.id}"]`).getByRole('checkbox').check({ force: true });
  const offered = page.locator('.bulk [data-action="skip"]');
  await mark(required);
  await offered.getByText('Let the agent decide', { exact: true }).waitFor();
  await mark(optional);
  await offered.getByText('Skip, or let the agent decide', { exact: true }).waitFor();
  await offered.click();
  const confirm = page.locator('.bulk .confirm');
  await confirm.getByText('Skip the marked questions').waitFor();
  await confirm.getByRole('button', { name: 'Skip, or let the agent decide' }).click();
  const done = page.locator('.undo-bar');
  await done.getByText('Skipped: \u20681\u2069').waitFor();
  await done.getByText('Left to the agents: \u20681\u2069').waitFor();
  const { body } = await call(it.server, 'GET', `/inquiries/${required.id}`);
  assert.equal((body.held?.outcome ?? body.outcome).type, 'declined');
});

const plain = (text) => text.replaceAll(/[\u2066-\u2069]/g, '');

/** One text, whether a key or the button lets the agent decide; also where an agent asks with `question`. */
test('the undo bar says that the decision was left to the agent', async () => {
  await withdrawAll(it.server);
  const deploy = { question: 'Deploy now?', header: 'Deploy', options: ['Now', 'Later'] };
  for (const act of [
    (page) => page.keyboard.press('s'),
    (_page, element) => element.getByRole('button', { name: 'Let the agent decide' }).click(),
  ]) {
    const inquiry = await ask(it.server, deploy);
    const next = await ask(it.server, questions.number);
    assert.equal(inquiry.dialect, 'question');
    const page = await it.open(`/inbox#${inquiry.id}`);
    const element = questionElement(page, inquiry);
    await element.locator('form').waitFor();
    await waitUntilReady(page, inquiry);
    await page.locator(`.inbox a[data-id="${inquiry.id}"]`).focus();
    await act(page, element);
    const bar = page.locator('.undo-bar span').first();
    await bar.waitFor();
    await waitForEqual(
      async () => plain(await bar.innerText()),
      'Deploy: decision left to the agent',
    );
    const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
    assert.equal((body.held?.outcome ?? body.outcome).type, 'declined');
    assert.equal((await call(it.server, 'GET', `/inquiries/${next.id}`)).body.status, 'pending');
    await withdrawAll(it.server);
    await page.context().close();
  }
});

/** Several questions at once cannot all be skipped: the agent decides. */
test('s lets the agent decide on an inquiry with several questions', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, questions.three);
  const page = await it.open('/inbox');
  await page.locator(`.inbox a[data-id="${inquiry.id}"]`).focus();
  await page.keyboard.press('s');
  await page.locator('.undo-bar').getByText('decision left to the agent').waitFor();
  await page.context().close();
});

test('what failed is counted, with the reason', async () => {
  await withdrawAll(it.server);
  const asked = [await ask(it.server, questions.number), await ask(it.server, questions.single)];
  const page = await it.open('/inbox');
  await page.route(`**/inquiries/${asked[1].id}/decline`, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'invalid_request', title: 'No', detail: 'Not this one.' }),
    }),
  );
  // A single one that fails says why.
  await page.locator(`.inbox a[data-id="${asked[1].id}"]`).click();
  await page.keyboard.press('s');
  await page
    .locator('.undo-bar')
    .getByText(/^Not this one/)
    .waitFor();
  await page.locator('.undo-bar:not([data-guarded])').getByRole('button').click();
  await page.locator(`.inbox a[data-id="${asked[0].id}"]`).focus();
  await page.keyboard.press('a');
  await page.locator('.inbox .marked').first().waitFor();
  await page.keyboard.press('s');
  await page.locator('.bulk .confirm .danger').click();
  const bar = page.locator('.undo-bar span').first();
  await bar.waitFor();
  assert.match(plain(await bar.innerText()), /^Left to the agents: 1 · Failed: 1 · .*Not this one/);
  await page.context().close();
});
