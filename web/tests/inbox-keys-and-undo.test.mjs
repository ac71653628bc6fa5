// The keys of the inbox, and undoing what was sent from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answersOf,
  ask,
  call,
  harness,
  questionElement,
  setUndoSeconds,
  waitForInquiry,
  waitForState,
  waitUntilReady,
  withdrawAll,
  waitForEqual,
  waitForFocus,
  waitUntil,
} from './harness.mjs';

const it = harness();
const yesNo = (header) => ({
  questions: [{ question: `${header}?`, header, options: ['Yes', 'No'] }],
});
const row = (page, { id }) => page.locator(`.inbox a[data-id="${id}"]`);
/** The text that was announced last. */
const announced = (page) => page.locator('#app > p[role=status]');

/** ux 3.4: each key of the inbox does its work from the list, and is text in text fields and nothing outside of the inbox. */
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
  await first.locator('form').waitFor();
  // Outside of the inbox they are no keys at all, and in a field they are text.
  const all = ['j', 'k', 's', 'z', 'r', 'u', 'x', 'a', '1', '/', '?'];
  for (const place of [page.locator('nav .new'), page.getByLabel('Search questions')]) {
    await place.focus();
    for (const key of all) await page.keyboard.press(key);
    assert.equal(await page.locator('.inbox .marked, .undo-bar:visible, dialog').count(), 0);
    assert.equal(await first.locator('.confirm, input:checked').count(), 0);
  }
  assert.equal(await page.getByLabel('Search questions').inputValue(), all.join(''));
  await page.getByRole('button', { name: 'Clear search and filter' }).click();
  await row(page, six).waitFor();
  await row(page, one).focus();
  await page.keyboard.press('j');
  await waitForEqual(focused, two.id);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await waitForEqual(focused, one.id, 'k stops at the first');
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
    .getByRole('radio', { name: 'No', exact: true, checked: true })
    .waitFor();
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
  await waitForEqual(() => page.locator('.inbox .marked').count(), 2);
  await page.keyboard.press('r');
  await page.getByText(/Stop the agents of .?2.? questions\?/).waitFor();
  await waitForEqual(() => page.evaluate(() => document.activeElement?.textContent), 'Keep open');
  await page.keyboard.press('Escape');
  assert.equal((await call(it.server, 'GET', `/inquiries/${five.id}`)).body.status, 'pending');
  await row(page, six).focus();
  await page.keyboard.press('r');
  await page
    .locator('.bulk .confirm:not([data-guarded])')
    .getByRole('button', { name: /^Stop all/ })
    .click();
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

/** Changes the time to undo, for the questions on the page and later ones. */
const setUndo = (page, seconds) =>
  page.evaluate((value) => {
    localStorage.setItem('askback-undo', value);
    for (const element of document.querySelectorAll('askback-question'))
      element.setAttribute('undo', value);
  }, String(seconds));

/** In the inbox an answer can be taken back for five seconds, and the question is as it was. */
test('an answer of the inbox can be taken back', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const page = await it.open('/inbox');
  const first = page.locator(`main askback-question[inquiry="${one.id}"]`);
  await first.getByLabel('No', { exact: true }).check();
  assert.equal(await first.getAttribute('undo'), '5', 'the default');
  await setUndo(page, 30);
  await first.getByRole('button', { name: 'Send answer' }).click();
  // The next question is shown with the undo button above it, and the agent has no answer yet.
  await page.locator(`main askback-question[inquiry="${two.id}"] form`).waitFor();
  await row(page, one).waitFor({ state: 'detached' });
  const { body } = await call(it.server, 'GET', `/inquiries/${one.id}`);
  assert.deepEqual([body.status, body.held.outcome.answers[0].values], ['pending', ['No']]);
  const undo = page
    .locator('main .undo-bar')
    .getByRole('button', { name: /^Undo \(.?[1-3]?\d.? s\)$/ });
  await undo.click();
  await first.locator('form').waitFor();
  // What was chosen is still chosen, once the draft has been read.
  await first.locator('input:checked').waitFor();
  assert.ok(await first.getByLabel('No', { exact: true }).isChecked());
  assert.equal((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.held, undefined);
  // The same from the list with u.
  await setUndo(page, 30);
  await first.getByRole('button', { name: 'Send answer' }).click();
  await row(page, one).waitFor({ state: 'detached' });
  await page.locator('main .undo-bar .undo').waitFor();
  await row(page, two).focus();
  await page.keyboard.press('u');
  await row(page, one).waitFor();
  await announced(page).filter({ hasText: 'Undone' }).waitFor({ state: 'attached' });
  // Without undo it takes effect after five seconds.
  await setUndo(page, 5);
  await row(page, one).focus();
  await page.keyboard.press('s');
  await page.locator('main .undo-bar').getByRole('button', { name: /^Undo/ }).waitFor();
  await waitForInquiry(it.server, one.id, ({ status }) => status === 'declined');
  await page.locator('main .undo-bar').waitFor({ state: 'hidden' });
  // The last question has no next: it shows itself as answered, with the way back.
  const last = page.locator(`main askback-question[inquiry="${two.id}"]`);
  await setUndo(page, 30);
  await row(page, two).focus();
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await waitForState(page, two, 'held');
  await last.getByText('Sent. You can still undo it.').waitFor();
  await last.getByRole('button', { name: /^Undo/ }).click();
  await waitForState(page, two, 'asked');
  await setUndo(page, 1);
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
  // Whoever gave the answer is told, and can go there.
  await row(page, one).waitFor();
  const bar = page.locator('main .undo-bar:not([data-guarded])');
  await bar.getByText('Your answer was undone in another window.').waitFor();
  assert.equal(await bar.getByRole('button', { name: /^Undo/ }).count(), 0);
  assert.equal(await plain.getByText('in another window').count(), 0, 'it was undone there');
  await bar.getByRole('button', { name: 'Show the question' }).click();
  await first.locator('form').waitFor();
  await bar.waitFor({ state: 'hidden' });
  assert.deepEqual([page.complaints, plain.complaints], [[], []]);
  await call(it.server, 'POST', `/inquiries/${two.id}/withdraw`, {});
  await plain.context().close();
  await page.context().close();
});

/** It is the same in a conversation and in the inbox, and other browsers see what is held. */
test('the time to undo is a setting', async () => {
  const at = await ask(it.server, yesNo('Now'));
  const page = await it.openInChat(at);
  await questionElement(page, at).getByLabel('Yes').check();
  await questionElement(page, at).getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, at, 'held');
  assert.equal(
    (await call(it.server, 'GET', `/inquiries/${at.id}`)).body.status,
    'pending',
    'the agent is told nothing yet',
  );
  await waitForState(page, at, 'replied');
  await page.getByText('Settings').click();
  await page.getByLabel('Time to undo an answer').selectOption('30');
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
  await questionElement(page, later)
    .getByText('Your answer was undone in another window.')
    .waitFor();
  await questionElement(other, later).getByText('Undone. The question is open again.').waitFor();
  // Its draft is read again.
  await questionElement(page, later).getByRole('radio', { name: 'Yes', checked: true }).waitFor();
  await call(it.server, 'POST', `/inquiries/${later.id}/withdraw`, {});
  await other.context().close();
  await page.context().close();
});

/** After a search the row that has the focus need not be the one that is shown. */
test('s and z act on the question that is shown, and the dialog names it', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const page = await it.open('/inbox');
  await row(page, two).waitFor();
  await questionElement(page, one).locator('form').waitFor();
  for (const key of ['s', 'z']) {
    await row(page, one).click();
    await questionElement(page, one).locator('form').waitFor();
    await row(page, two).focus();
    await page.keyboard.press(key);
    await questionElement(page, two).locator('form').waitFor();
    assert.equal(await page.locator('dialog, .undo-bar:visible').count(), 0, key);
  }
  await page.keyboard.press('z');
  await page.locator('dialog').getByText('Two', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const { body } = await call(it.server, 'GET', `/inquiries/${two.id}`);
  assert.deepEqual([body.status, body.held], ['pending', undefined]);
  await page.context().close();
});

test('what is done to marked questions is confirmed with its own name', async () => {
  await withdrawAll(it.server);
  const optional = (question) => ({ question, input_type: 'text', allow_skip: true });
  const asked = [];
  for (const each of [optional('One?'), optional('Two?'), yesNo('Three')])
    asked.push(await ask(it.server, each));
  const page = await it.open('/inbox');
  await row(page, asked[2]).waitFor();
  const confirm = page.locator('.bulk .confirm');
  await row(page, asked[0]).focus();
  for (const [keys, question, button] of [
    ['xjx', /^Skip all marked questions \(.?2.?\)\?/, 'Skip'],
    ['jx', /^Skip the marked questions \(.?3.?\)\? Where/, 'Skip, or let the agent decide'],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await page.locator('.bulk [data-action=skip]').click();
    await confirm.getByText(question).waitFor();
    await confirm.getByRole('button', { name: button, exact: true }).waitFor();
    await confirm.getByRole('button', { name: 'Keep open' }).click();
    await confirm.waitFor({ state: 'detached' });
  }
  await page.context().close();
});

test('an answer can be undone after a reload', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, yesNo('Two'))];
  const context = await it.context();
  await setUndoSeconds(context, 60);
  const page = await it.open('/inbox', { context });
  await questionElement(page, one).getByLabel('No', { exact: true }).check();
  await questionElement(page, one).getByRole('button', { name: 'Send answer' }).click();
  const undo = page.locator('main .undo-bar').getByRole('button', { name: /^Undo/ });
  await undo.waitFor();
  await page.reload();
  await row(page, two).waitFor();
  await undo.click();
  await row(page, one).waitFor();
  const { body } = await call(it.server, 'GET', `/inquiries/${one.id}`);
  assert.deepEqual([body.status, body.held], ['pending', undefined]);
  await context.close();
});

test('whoever is too late is not told that the answer was sent', async () => {
  await withdrawAll(it.server);
  const one = await ask(it.server, yesNo('One'));
  const page = await it.open('/inbox');
  const path = `/inquiries/${one.id}/answer`;
  await page.route(`**${path}`, async (route) => {
    const answer = { answers: { q1: 'Yes' }, undo_seconds: 60 };
    await call(it.server, 'POST', path, answer, { 'X-Askback-Actor': 'ana' });
    await route.continue();
  });
  const element = questionElement(page, one);
  await element.getByLabel('No', { exact: true }).check();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, one, 'held');
  await element.getByText(/Already answered by .?ana/).waitFor();
  await element.locator('.outcome').waitFor();
  assert.equal(await element.getByText('Sent. You can still undo it.').count(), 0);
  // It is for ana to undo it.
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0);
  await page.context().close();
});

const typed = (question) => ({ question, input_type: 'text' });
/** What has the focus inside of the open question, and the value of a field. */
const focusedIn = (element) =>
  element.evaluate((node) => {
    const { activeElement } = node.shadowRoot;
    return activeElement && [activeElement.localName, activeElement.value];
  });

/** Right after an answer, `u` and Enter in the field that got the focus by itself undo it; a word is a word, however slowly it is typed. */
test('u and Enter after an answer undo it, and are not sent', async () => {
  for (const [keys, isUndone] of [
    [['u', 'Enter'], true],
    [['u', 's', 'e'], false],
    [['u', 'pause', 's', 'e'], false],
  ]) {
    await withdrawAll(it.server);
    const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, typed('Two?'))];
    const context = await it.context();
    await setUndoSeconds(context, 60);
    const page = await it.open('/inbox', { context });
    const [first, second] = [questionElement(page, one), questionElement(page, two)];
    await first.getByLabel('No', { exact: true }).check();
    await waitUntilReady(page, one);
    await page.keyboard.press('Enter');
    const bar = page.locator('main .undo-bar');
    await bar.locator('kbd', { hasText: 'u' }).waitFor();
    await bar.getByText('One · No · Sent. You can still undo it.').waitFor();
    await second.locator('form').waitFor();
    await page.waitForFunction(
      (id) =>
        document.activeElement?.getAttribute('inquiry') === id &&
        document.activeElement.shadowRoot.activeElement?.localName === 'textarea',
      two.id,
    );
    for (const key of keys)
      if (key === 'pause') await page.waitForTimeout(1000);
      else await page.keyboard.press(key);
    if (isUndone) {
      await row(page, one).waitFor();
      await first.getByText('Undone. The question is open again.').waitFor();
      await first.locator('input:checked').waitFor();
      // The focus is on what was chosen.
      await waitForEqual(() => focusedIn(first), ['input', '1']);
    } else {
      await waitForEqual(() => focusedIn(second), ['textarea', 'use']);
      assert.ok((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.held);
    }
    const { body } = await call(it.server, 'GET', `/inquiries/${two.id}`);
    assert.deepEqual([body.status, body.held], ['pending', undefined]);
    await context.close();
  }
});

/** A key that would only type a letter where the focus is would leave a wrong answer that seems undone. */
test('the undo bar shows the keys that undo where the focus is', async () => {
  for (const type of ['date', 'text']) {
    await withdrawAll(it.server);
    const one = await ask(it.server, yesNo('One'));
    const two = await ask(it.server, { question: 'Two?', input_type: type });
    const context = await it.context({ twoSteps: false });
    await setUndoSeconds(context, 60);
    const page = await it.open('/inbox', { context });
    const [first, second] = [questionElement(page, one), questionElement(page, two)];
    const field = second.locator('form').getByRole('textbox').first();
    const shown = () => page.locator('main .undo-bar:visible kbd').allInnerTexts();
    const answer = async () => {
      await waitUntilReady(page, one);
      await first.getByText('No', { exact: true }).click();
      await waitForFocus(field);
      await page.locator('main .undo-bar:visible .undo').waitFor();
    };
    await answer();
    // The field has the focus by itself.
    await waitForEqual(shown, ['u', 'Enter']);
    await page.keyboard.press('u');
    await waitForEqual(shown, ['Enter']);
    await page.keyboard.press('Enter');
    await first.getByText('Undone. The question is open again.').waitFor();
    assert.equal((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.held, undefined);
    await first.getByText('Yes', { exact: true }).click();
    await waitForFocus(field);
    await waitForEqual(shown, ['u', 'Enter']);
    // Somebody goes to the field: what is typed there is text.
    await field.click();
    await waitForEqual(shown, []);
    await page.keyboard.type('u');
    await page.keyboard.press('Backspace');
    await waitForEqual(shown, []);
    assert.ok((await call(it.server, 'GET', `/inquiries/${one.id}`)).body.held);
    // Outside of fields the letter alone undoes; outside of the inbox it does nothing.
    await page.locator('nav .new').focus();
    await waitForEqual(shown, []);
    await page.keyboard.press('Escape');
    await row(page, two).focus();
    await waitForEqual(shown, ['u']);
    await page.keyboard.press('u');
    await row(page, one).waitFor();
    const { body } = await call(it.server, 'GET', `/inquiries/${one.id}`);
    assert.deepEqual([body.status, body.held], ['pending', undefined]);
    await context.close();
  }
});

/** Keys of the last moment are no answer to the next question, and nobody believes that they undid what they did not. */
test('undoing too late is said, and sends nothing', async () => {
  await withdrawAll(it.server);
  const [one, two] = [await ask(it.server, yesNo('One')), await ask(it.server, typed('Two?'))];
  const page = await it.open('/inbox', { twoSteps: false });
  const field = questionElement(page, two).locator('form').getByRole('textbox').first();
  await waitUntilReady(page, one);
  await questionElement(page, one).getByText('No', { exact: true }).click();
  await waitForFocus(field);
  const bar = page.locator('main .undo-bar');
  await bar.locator('.undo').waitFor();
  await page.keyboard.press('u');
  await waitForInquiry(it.server, one.id, ({ status }) => status === 'answered');
  await bar.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await bar.getByText('Too late to undo: the agent has the answer').waitFor();
  await waitForEqual(() => field.inputValue(), '');
  const { body } = await call(it.server, 'GET', `/inquiries/${two.id}`);
  assert.deepEqual([body.status, body.held], ['pending', undefined]);
  await page.context().close();
});

/** After undoing the answers to several questions, the focus is in the form. */
test('undoing a form leads back into it', async () => {
  await withdrawAll(it.server);
  const both = {
    questions: ['One', 'Two'].map((header) => ({
      question: `${header}?`,
      header,
      options: ['Yes', 'No'],
    })),
  };
  const inquiry = await ask(it.server, both);
  const other = await ask(it.server, yesNo('Other'));
  const context = await it.context();
  await setUndoSeconds(context, 60);
  const page = await it.open(`/inbox#${inquiry.id}`, { context });
  const element = questionElement(page, inquiry);
  for (let times = 0; times < 2; times += 1) {
    await element.getByLabel('No', { exact: true }).check();
    await waitUntilReady(page, inquiry);
    await element.getByRole('button', { name: 'Next' }).click();
  }
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Send answers' }).click();
  await questionElement(page, other).locator('form').waitFor();
  await page.locator('main .undo-bar:not([data-guarded])').getByRole('button').click();
  await element.getByRole('button', { name: 'Send answers' }).waitFor();
  await page.waitForFunction(
    (id) => document.activeElement?.getAttribute('inquiry') === id,
    inquiry.id,
  );
  await waitUntil(() => focusedIn(element), Boolean);
  await context.close();
});

/** What is shown is sent, also if nothing has the focus. */
test('Ctrl+Enter sends a restored draft after a reload', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, yesNo('One'));
  const context = await it.context();
  await setUndoSeconds(context, 0);
  const page = await it.open('/inbox', { context });
  const element = questionElement(page, inquiry);
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/draft') && response.request().method() === 'PUT',
  );
  await element.getByLabel('No', { exact: true }).check();
  await saved;
  await page.reload();
  await element.locator('input:checked').waitFor();
  await waitUntilReady(page, inquiry);
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
  await page.keyboard.press('Control+Enter');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['No']);
  await context.close();
});

/** Stopping the agent needs a confirmation, however often its key is pressed. */
test('a second r does not stop the agent', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, yesNo('One'));
  const page = await it.open('/inbox');
  const confirmation = questionElement(page, inquiry).locator('.confirm:not([data-guarded])');
  for (let times = 0; times < 2; times += 1) {
    await row(page, inquiry).focus();
    await waitUntilReady(page, inquiry);
    await page.keyboard.press('r');
    // A letter that stands alone acts after a pause.
    await page.waitForTimeout(1000);
    await confirmation.waitFor();
  }
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await page.context().close();
});

/** Only who gave an answer can undo it, also if somebody else answered the same question before. */
test('who undid an answer is not offered to undo the next one of somebody else', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, yesNo('One'));
  const context = await it.context();
  await setUndoSeconds(context, 60);
  await context.addInitScript(() => localStorage.setItem('askback-actor', 'Ana'));
  const page = await it.open('/inbox', { context });
  const element = questionElement(page, inquiry);
  await element.getByLabel('No', { exact: true }).check();
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForState(page, inquiry, 'held');
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: /^Undo/ }).click();
  await waitForState(page, inquiry, 'asked');
  const answer = { answers: { q1: 'Yes' }, undo_seconds: 60 };
  const path = `/inquiries/${inquiry.id}/answer`;
  await call(it.server, 'POST', path, answer, { 'X-Askback-Actor': 'Ben' });
  await waitForState(page, inquiry, 'held');
  await element.getByText(/Ben/).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0);
  // Nor after a reload, in the list and in the question.
  await page.goto(`${it.server.base}/inbox`);
  await page.reload();
  await page.locator('.nothing-waits').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0);
  await page.goto(`${it.server.base}/q/${inquiry.id}`);
  await waitForState(page, inquiry, 'held');
  await element.getByText(/Ben/).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0);
  await context.close();
});

/** What is not in view is neither sent nor skipped. */
test('on a narrow screen no key acts on the question behind the list', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, yesNo('One'));
  const page = await it.open(`/inbox#${inquiry.id}`, { viewport: { width: 700, height: 900 } });
  const element = questionElement(page, inquiry);
  await element.getByLabel('No', { exact: true }).check();
  await page.getByLabel('All questions').click();
  await row(page, inquiry).waitFor();
  assert.ok(!(await element.isVisible()));
  for (const key of ['Control+Enter', 's', '1']) {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(key);
    await page.waitForTimeout(1000);
    const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
    assert.deepEqual([body.status, body.held], ['pending', undefined], key);
    assert.ok(!(await element.isVisible()), key);
  }
  await page.context().close();
});

/** That an earlier answer was undone elsewhere does not take away the way to undo the last one. */
test('an answer undone elsewhere leaves the offer to undo another one', async () => {
  await withdrawAll(it.server);
  const [one, two, three] = [
    await ask(it.server, yesNo('One')),
    await ask(it.server, yesNo('Two')),
    await ask(it.server, yesNo('Three')),
  ];
  const context = await it.context();
  await setUndoSeconds(context, 60);
  const page = await it.open('/inbox', { context });
  for (const [inquiry, next] of [
    [one, two],
    [two, three],
  ]) {
    const element = questionElement(page, inquiry);
    await element.getByLabel('No', { exact: true }).check();
    await waitUntilReady(page, inquiry);
    await element.getByRole('button', { name: 'Send answer' }).click();
    await questionElement(page, next).locator('form').waitFor();
  }
  await call(it.server, 'POST', `/inquiries/${one.id}/undo`, { key: 'elsewhere' });
  await row(page, one).waitFor();
  await announced(page)
    .filter({ hasText: 'Your answer was undone in another window.' })
    .waitFor({ state: 'attached' });
  const bar = page.locator('main .undo-bar:not([data-guarded])');
  await bar.getByRole('button', { name: /^Undo/ }).click();
  await row(page, two).waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${two.id}`)).body.held, undefined);
  await context.close();
});

/** Undo means the last thing that was sent, also where it emptied the inbox. While an answer is on its way there is nothing to undo. */
test('u undoes the last answer, never the one before it', async () => {
  await withdrawAll(it.server);
  const all = [];
  for (const name of ['One', 'Two', 'Three']) all.push(await ask(it.server, yesNo(name)));
  const context = await it.context();
  await setUndoSeconds(context, 60);
  const page = await it.open('/inbox', { context });
  const bar = page.locator('main .undo-bar:visible');
  const [, two, three] = all;
  let release = () => {};
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(`**/inquiries/${three.id}/answer`, async (route) => {
    await released;
    await route.continue();
  });
  for (const inquiry of all) {
    await questionElement(page, inquiry).getByLabel('No', { exact: true }).check();
    await waitUntilReady(page, inquiry);
    if (inquiry === three) await bar.getByText('Two · No').waitFor();
    await page.keyboard.press('Enter');
    if (inquiry !== three) await waitForInquiry(it.server, inquiry.id, ({ held }) => held);
  }
  await waitForState(page, three, 'sending');
  await bar.waitFor({ state: 'hidden' });
  release();
  await waitForState(page, three, 'held');
  await page.locator('main h1').focus();
  await page.keyboard.press('u');
  await waitForState(page, three, 'asked');
  await row(page, three).waitFor();
  const held = async ({ id }) => (await call(it.server, 'GET', `/inquiries/${id}`)).body.held;
  assert.ok(await held(two), 'the second answer stays');
  assert.equal(await held(three), undefined);
  await context.close();
});
