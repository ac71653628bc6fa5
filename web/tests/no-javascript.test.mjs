// The page of a question that needs no script: it tells what the element tells, and takes every kind of answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import { accessibleControls } from './accessibility-tree.mjs';
import { answersOf, ask, questionElement, call, harness, waitForInquiry } from './harness.mjs';

const it = harness();
/** One page without scripts for all tests. */
let made;
const plainPage = () => {
  made ??= it.context({ javaScriptEnabled: false }).then((context) => context.newPage());
  return made;
};

const twenty = {
  question: 'Which country?',
  input_type: 'single_select',
  options: Array.from({ length: 20 }, (_, at) => ({
    label: `Country ${at + 1}`,
    value: `c${at + 1}`,
    description: at === 18 ? 'the one before the last' : undefined,
  })),
};
const many = { ...twenty, question: 'Which countries?', input_type: 'multi_select' };

const CONTROLS = ['group', 'radio', 'checkbox', 'textbox', 'combobox', 'option'];
/** What only scripts can do, and therefore only the element says. */
const OF_SCRIPTS = [/ ?Enter to send, Shift\+Enter for a new line/, /\d+ choices shown ?/];
const said = (controls) =>
  controls
    .filter(({ role, name }) => role !== 'group' || name)
    .map(({ role, name, description }) => {
      const plain = OF_SCRIPTS.reduce((text, each) => text.replace(each, ''), description);
      // The browser's own today stands in one, a day that stays the same in the other.
      return `${role} "${name}" ${plain.replace(/\d{4}-\d{2}-\d{2}/, 'DAY')}`;
    });

/** Without scripts the same roles, names and descriptions; where a list is a combobox, its options are the radios. */
test('the plain page tells what the element tells', async () => {
  const page = await plainPage();
  for (const [kind, input] of Object.entries({ ...questions.kinds, many, twenty }).filter(
    ([name]) => name !== 'three',
  )) {
    const inquiry = await ask(it.server, input);
    const rich = await it.openInInbox(inquiry);
    const element = questionElement(rich, inquiry);
    await element.locator('form').waitFor();
    await element.locator('details.note').evaluate((node) => {
      node.open = true;
    });
    const other = element.getByLabel('Other');
    if (await other.count()) await other.check();
    await page.goto(`${it.server.base}/q/${inquiry.id}`);
    await page.locator('form details').evaluateAll((all) => {
      for (const each of all) each.open = true;
    });
    const plainOther = page.getByLabel('Other');
    if (await plainOther.count()) await plainOther.check();
    const inElement = said(
      await accessibleControls(rich, 'main askback-question >>> form', CONTROLS),
    );
    const inPlain = said(await accessibleControls(page, 'main form', CONTROLS));
    if (['long', 'twenty'].includes(kind)) {
      // The question names the combobox and describes it, as it does the group of the radios.
      assert.equal(inElement[0].replace('combobox', 'group'), inPlain[0], kind);
      const choices = inquiry.questions[0].choices.length;
      const names = (lines, role) =>
        lines
          .filter((line) => line.startsWith(role))
          .slice(0, choices)
          .map((line) => /"([^"]*)"/.exec(line)[1]);
      const labels = inquiry.questions[0].choices.map(({ label, description = '' }) =>
        [label, description].filter(Boolean).join(' '),
      );
      assert.deepEqual(names(inElement, 'option'), labels, kind);
      assert.deepEqual(
        names(inPlain, 'radio'),
        inquiry.questions[0].choices.map(({ label }) => label),
        kind,
      );
    } else if (inquiry.questions[0].kind === 'choice' || kind === 'range') {
      assert.deepEqual(
        inElement.filter((line) => !/"Filter choices"/.test(line)),
        inPlain,
        kind,
      );
    } else {
      // One field needs no group; the plain page has one all the same, with the same name and description.
      assert.deepEqual(inElement, inPlain.slice(1), kind);
      assert.equal(inPlain[0].replace('group', 'textbox'), inPlain[1], kind);
    }
    const buttons = (await accessibleControls(page, 'main form', ['button'])).map(
      ({ name }) => name,
    );
    for (const { name } of await accessibleControls(rich, 'main askback-question >>> .actions', [
      'button',
    ]))
      assert.ok(buttons.includes(name), `${kind}: ${name}`);
    await call(it.server, 'POST', `/inquiries/${inquiry.id}/withdraw`, {});
  }
});

/** One kind of answer: what does not fit and stays in the form, then what fits and what it means. */
const own = async (page, text) => {
  await page.getByLabel('Other').check();
  await page.getByLabel('Your own answer').fill(text);
};
const cases = {
  single: [
    questions.single,
    [(page) => page.getByLabel('Other').check(), (page) => page.getByLabel('Other').isChecked()],
    (page) => page.getByLabel('MongoDB').check(),
    { given: 'chosen', values: ['MongoDB'] },
  ],
  'own words': [
    questions.single,
    [
      (page) => own(page, '  '),
      async (page) => (await page.getByLabel('Your own answer').inputValue()) === '  ',
    ],
    (page) => own(page, 'a "b", <c>\nd'),
    { given: 'chosen', values: [], own: 'a "b", <c>\nd' },
  ],
  several: [
    questions.several,
    [
      async (page) => {
        await page.getByLabel('Other').check();
        await page.getByText('Add a note').click();
        await page.getByLabel('Note').fill('kept');
      },
      async (page) =>
        (await page.getByLabel('Other').isChecked()) &&
        (await page.getByLabel('Note').inputValue()) === 'kept',
    ],
    async (page) => {
      await page.getByLabel('TypeScript').check();
      await page.getByLabel('Tailwind CSS').check();
      await own(page, 'Storybook');
    },
    { given: 'chosen', values: ['TypeScript', 'Tailwind CSS'], own: 'Storybook', note: 'kept' },
  ],
  twenty: [
    twenty,
    [() => {}, () => true],
    (page) => page.getByLabel('Country 19', { exact: true }).check(),
    { given: 'chosen', values: ['c19'] },
  ],
  many: [
    many,
    [() => {}, () => true],
    async (page) => {
      await page.getByLabel('Country 20', { exact: true }).check();
      await page.getByLabel('Country 2', { exact: true }).check();
    },
    { given: 'chosen', values: ['c2', 'c20'] },
  ],
  text: [
    questions.text,
    [
      (page) => page.getByLabel(/DM/).fill('ab'),
      async (page) => (await page.getByLabel(/DM/).inputValue()) === 'ab',
    ],
    (page) => page.getByLabel(/DM/).fill('Direct\nmessage'),
    { given: 'text', text: 'Direct\nmessage' },
  ],
  number: [
    questions.number,
    [
      (page) => page.getByLabel(/replicas/).fill('12'),
      async (page) => (await page.getByLabel(/replicas/).inputValue()) === '12',
    ],
    (page) => page.getByLabel(/replicas/).fill('3'),
    { given: 'number', number: 3 },
  ],
  date: [
    questions.date,
    [
      (page) => page.getByLabel(/schedule/).fill('2027-02-29'),
      async (page) => (await page.getByLabel(/schedule/).inputValue()) === '2027-02-29',
    ],
    (page) => page.getByLabel(/schedule/).fill('27 mar 2027'),
    { given: 'date', date: '2027-03-27' },
  ],
  range: [
    questions.range,
    [
      async (page) => {
        await page.getByLabel('From').fill('2027-03-12');
        await page.getByLabel('To', { exact: true }).fill('8 march 2027');
      },
      async (page) =>
        (await page.getByLabel('From').inputValue()) === '2027-03-12' &&
        (await page.getByLabel('To', { exact: true }).inputValue()) === '8 march 2027',
    ],
    (page) => page.getByLabel('From').fill('1.3.2027'),
    { given: 'date_range', start: '2027-03-01', end: '2027-03-08' },
  ],
};

/** Presses a button, and gives the status of the response. */
async function pressed(page, name) {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return response.status();
}

/** Every kind without JavaScript: wrong input comes back with its error and all that was typed, right input is taken. */
test('without scripts every kind is answered, after wrong input was kept', async () => {
  const page = await plainPage();
  for (const [kind, [input, [wrong, isKept], right, expected]] of Object.entries(cases)) {
    const inquiry = await ask(it.server, input);
    await page.goto(`${it.server.base}/q/${inquiry.id}`);
    assert.equal(
      await page.locator('input:checked').count(),
      0,
      `${kind}: nothing is chosen on load`,
    );
    await wrong(page);
    assert.equal(await pressed(page, 'Send answer'), 422, kind);
    assert.match(await page.title(), /^Error/, kind);
    assert.ok(await isKept(page), `${kind}: what was entered is kept`);
    const target = await page.locator('.summary a').first().getAttribute('href');
    const field = page.locator(target);
    assert.ok(await field.isVisible(), `${kind}: the summary leads to a field`);
    const message = (await page.locator('.summary a').first().innerText()).trim();
    const wrongOnes = (await accessibleControls(page, 'main form', CONTROLS)).filter(
      ({ description }) => description.includes(message),
    );
    assert.ok(wrongOnes.length > 0, `${kind}: the message stands beside the field`);
    await right(page);
    assert.equal(await pressed(page, 'Send answer'), 303, kind);
    const [{ question: _, display: __, value: ___, ...given }] = await answersOf(
      it.server,
      inquiry.id,
    );
    assert.deepEqual(given, expected, kind);
    await page.locator('dl').waitFor();
  }
});

/** Several questions on one page, one of them skipped and one left open. */
test('without scripts several questions are answered at once', async () => {
  const page = await plainPage();
  const inquiry = await ask(it.server, questions.three);
  await page.goto(`${it.server.base}/q/${inquiry.id}`);
  assert.equal(await pressed(page, 'Send answers'), 422, 'nothing at all is no answer');
  await page.getByLabel('Passwords').check();
  await page.locator('#q2').getByLabel('Skip').check();
  // What stays open is named first, and Enter goes back.
  assert.equal(await pressed(page, 'Send answers'), 200);
  const bar = page.locator('.bar');
  await bar.getByText('These questions are not answered. Send anyway?').waitFor();
  assert.deepEqual(
    await bar.getByRole('listitem').allInnerTexts(),
    [questions.three.questions[2]].map(({ header, question }) => header ?? question),
  );
  assert.equal(await page.locator('input[type=submit]').first().inputValue(), 'Back');
  assert.equal(await pressed(page, 'Back'), 200);
  assert.ok(await page.getByLabel('Passwords').isChecked());
  assert.equal(await pressed(page, 'Send answers'), 200);
  // Another question was opened again since: that was not agreed to.
  await page.locator('#q2').getByLabel('Skip').uncheck();
  assert.equal(await pressed(page, 'Send anyway'), 200);
  assert.equal(await bar.getByRole('listitem').count(), 2);
  await page.locator('#q2').getByLabel('Skip').check();
  assert.equal(await pressed(page, 'Send anyway'), 200);
  assert.equal(await pressed(page, 'Send anyway'), 303);
  const given = (await answersOf(it.server, inquiry.id)).map(({ display: _, ...answer }) => answer);
  assert.deepEqual(given, [
    { question: 'q1', given: 'chosen', value: 'Passwords', values: ['Passwords'] },
    { question: 'q2', given: 'skipped', value: null },
    { question: 'q3', given: 'unanswered', value: null },
  ]);
});

/** What is both answered and skipped could mean either, and the form asks again. */
test('without scripts a question is not both answered and skipped', async () => {
  const page = await plainPage();
  const inquiry = await ask(it.server, questions.three);
  await page.goto(`${it.server.base}/q/${inquiry.id}`);
  await page.getByLabel('Passwords').check();
  const second = page.locator('#q2');
  await second.locator('input').first().check();
  await second.getByLabel('Skip').check();
  assert.equal(await pressed(page, 'Send answers'), 422);
  await page.getByRole('alert').getByText('is both answered and skipped').waitFor();
  assert.ok(await second.locator('input').first().isChecked(), 'what was entered is kept');
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.equal(body.status, 'pending');
});

/** The other ways out. With scripts, the same address shows the element and no second form. */
test('without scripts a question is skipped, declined and rejected', async () => {
  const page = await plainPage();
  for (const [input, button, status] of [
    [questions.text, 'Skip', 'answered'],
    [questions.single, 'Let the agent decide', 'declined'],
    [questions.single, 'Stop the agent', 'rejected'],
  ]) {
    const inquiry = await ask(it.server, input);
    await page.goto(`${it.server.base}/q/${inquiry.id}`);
    const unfold = () => page.getByText('Not answering?').click();
    await unfold();
    if (button !== 'Skip') {
      // It asks first, with all that was entered, and staying is what Enter does.
      await page.getByLabel('MongoDB').check();
      assert.equal(await pressed(page, button), 200, button);
      assert.equal(
        (await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status,
        'pending',
        button,
      );
      assert.ok(
        await page.getByLabel('MongoDB').isChecked(),
        `${button}: what was entered is kept`,
      );
      assert.equal(await page.locator('input[type=submit]').first().inputValue(), 'Keep open');
      assert.equal(await pressed(page, 'Keep open'), 200, button);
      assert.ok(await page.getByRole('button', { name: 'Send answer' }).isVisible());
      await unfold();
      assert.equal(await pressed(page, button), 200, button);
    }
    assert.equal(await pressed(page, button), 303, button);
    await waitForInquiry(
      it.server,
      inquiry.id,
      (now) => (now.held?.outcome.type ?? now.status) === status,
    );
  }
  const inquiry = await ask(it.server, questions.single);
  const rich = await it.open(`/q/${inquiry.id}`, { context: await it.sharedContext() });
  await questionElement(rich, inquiry).locator('form').waitFor();
  assert.equal(await rich.locator('main > section form').count(), 0);
  await rich.close();
});

/** What was typed while somebody else answered is shown, not lost; through a link too. */
test('without scripts an answer that comes too late can still be read', async () => {
  const page = await plainPage();
  const inquiry = await ask(it.server, questions.text);
  const link = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const { pathname, search } = new URL(link.body.url);
  const holder = await (await it.context({ javaScriptEnabled: false, signedIn: false })).newPage();
  for (const [each, path] of [
    [page, `/q/${inquiry.id}`],
    [holder, pathname + search],
  ]) {
    await each.goto(it.server.base + path);
    await each.getByRole('textbox').first().fill('a direct message');
  }
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/answer`, {
    answers: { q1: 'Daily mail' },
  });
  for (const each of [page, holder]) {
    await each.getByRole('button', { name: 'Send answer' }).click();
    await each.getByText('Your answer was not sent').waitFor();
    await each.getByRole('heading', { name: 'Your answer that was not sent' }).waitFor();
    await each.getByText('a direct message').waitFor();
  }
  assert.equal((await answersOf(it.server, inquiry.id))[0].display, 'Daily mail');
  await holder.context().close();
});

test('without scripts an empty answer to a single question says so', async () => {
  const page = await plainPage();
  const inquiry = await ask(it.server, questions.date);
  await page.goto(`${it.server.base}/q/${inquiry.id}`);
  await page.getByRole('button', { name: 'Send answer' }).click();
  const summary = await page.locator('.summary').innerText();
  assert.match(summary, /: give an answer/);
  assert.doesNotMatch(summary, /at least one/);
});
