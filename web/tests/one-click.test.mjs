// One click answers: a question that stands alone, with one choice of several and nothing else begun, is sent by a
// click, a tap or a digit, on every surface, and can be undone where it was pressed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
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
  boxOf,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness({ twoSteps: false });
const route = {
  question: 'Which route?',
  input_type: 'single_select',
  allow_other: true,
  options: ['Left', 'Right'].map((label) => ({ label, value: label.toLowerCase() })),
};
const valuesOf = async (inquiry) => (await answersOf(it.server, inquiry.id))[0].values;
/** What waits for its undo window to end, or has its outcome. */
const isGiven = ({ held, status }) => Boolean(held) || status !== 'pending';

test('a click on a choice answers in the inbox', async () => {
  await withdrawAll(it.server);
  const inquiry = await ask(it.server, route);
  const page = await it.openInInbox(inquiry);
  await waitUntilReady(page, inquiry);
  assert.equal(
    await questionElement(page, inquiry).getByRole('button', { name: 'Send' }).count(),
    0,
  );
  await questionElement(page, inquiry).getByRole('button', { name: 'Right' }).click();
  assert.deepEqual(await valuesOf(inquiry), ['right']);
});

test('choices of a word or two stand side by side, described ones below each other', async () => {
  const hasRows = async (expected, input, labels) => {
    const inquiry = await ask(it.server, input);
    const page = await it.openInSharedChat(inquiry);
    const choice = (name) => questionElement(page, inquiry).getByRole('button', { name });
    const read = async () => {
      const boxes = await Promise.all(labels.map((label) => boxOf(choice(label))));
      return new Set(boxes.map(({ y }) => y)).size;
    };
    await waitForEqual(read, expected);
  };
  await hasRows(1, route, ['Left', 'Right']);
  await hasRows(2, questions.single, ['PostgreSQL', 'MongoDB']);
});

test('a click on a choice answers in a conversation', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.openInSharedChat(inquiry);
  await questionElement(page, inquiry).getByRole('button', { name: 'MongoDB' }).click();
  assert.deepEqual(await valuesOf(inquiry), ['MongoDB']);
});

test('a choice of a long list is sent when it is clicked', async () => {
  const inquiry = await ask(it.server, questions.long);
  const page = await it.openInSharedChat(inquiry);
  await questionElement(page, inquiry).getByRole('option', { name: 'Spanish' }).click();
  assert.deepEqual(await valuesOf(inquiry), ['sp']);
});

test('a digit answers in the form and from the list of the inbox', async () => {
  await withdrawAll(it.server);
  const [first, second] = [await ask(it.server, route), await ask(it.server, route)];
  const page = await it.openInInbox(first);
  await waitUntilReady(page, first);
  await questionElement(page, first).getByRole('button', { name: 'Left' }).focus();
  await page.keyboard.press('2');
  assert.deepEqual(await valuesOf(first), ['right']);
  await waitForState(page, second, 'asked');
  await page.locator(`.inbox a[data-id="${second.id}"]`).focus();
  // The focus came by itself: no key acts for a while, and the page says so.
  for (let read = second; !isGiven(read); ) {
    await page.keyboard.press('1');
    read = (await call(it.server, 'GET', `/inquiries/${second.id}`)).body;
  }
  assert.deepEqual(await valuesOf(second), ['left']);
});

test('nothing is sent while a note is open or own text was begun', async () => {
  const inquiry = await ask(it.server, route);
  const page = await it.openInSharedChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByText('Add a note').click();
  await element.getByRole('button', { name: 'Left' }).click();
  await element.getByRole('button', { name: 'Left', pressed: true }).waitFor();
  await element.getByLabel('Note').fill('near the river');
  await element.getByRole('button', { name: 'Other' }).click();
  await element.getByLabel('Your own answer').fill('Both');
  await element.getByRole('button', { name: 'Right' }).click();
  await element.getByRole('button', { name: 'Right', pressed: true }).waitFor();
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  assert.equal(body.status, 'pending');
  await element.getByRole('button', { name: 'Send answer' }).click();
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.deepEqual([answer.values, answer.note], [['right'], 'near the river']);
});

test('arrow keys move among the choices and send nothing', async () => {
  const inquiry = await ask(it.server, route);
  const page = await it.openInSharedChat(inquiry);
  const element = questionElement(page, inquiry);
  await element.getByRole('button', { name: 'Left' }).focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => element.evaluate((each) => each.shadowRoot.activeElement?.textContent);
  await waitForEqual(focused, 'Right');
  await page.keyboard.press('Enter');
  assert.deepEqual(await valuesOf(inquiry), ['right']);
});

test('with two steps a choice waits for Send', async () => {
  const inquiry = await ask(it.server, route);
  const careful = await it.context({ twoSteps: true });
  const page = await it.openInChat(inquiry, { context: careful });
  const element = questionElement(page, inquiry);
  await element.getByLabel('Right').check();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await waitForInquiry(it.server, inquiry.id, isGiven);
  await careful.close();
});

test('the second click of a double click does not undo, and the undo button is where the finger is', async () => {
  const inquiry = await ask(it.server, route);
  const patient = await it.context({ twoSteps: false });
  await setUndoSeconds(patient, 60);
  const page = await it.openInChat(inquiry, { context: patient });
  const element = questionElement(page, inquiry);
  const choice = element.getByRole('button', { name: 'Right' });
  const { y } = await boxOf(choice);
  await choice.dblclick();
  await waitForState(page, inquiry, 'held');
  const undo = element.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await waitUntil(
    () => boxOf(undo),
    (box) => Math.abs(box.y - y) < 200,
    'it is not near',
  );
  await waitUntilReady(page, inquiry);
  await undo.click();
  await waitForState(page, inquiry, 'asked');
  // What was chosen is marked, and another click answers again.
  await element.getByRole('button', { name: 'Right', pressed: true }).waitFor();
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: 'Left' }).click();
  await waitForState(page, inquiry, 'held');
  await patient.close();
});

test('without scripts the choices are buttons, and an answer can be undone', async () => {
  const inquiry = await ask(it.server, questions.single);
  const link = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const plain = await it.context({ signedIn: false, twoSteps: false, javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(link.body.url);
  await page.getByRole('heading', { level: 1, name: 'Which database' }).waitFor();
  await page.getByRole('button', { name: 'MongoDB' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'PostgreSQL' }).click();
  await page.getByText('PostgreSQL').waitFor();
  assert.deepEqual(await valuesOf(inquiry), ['PostgreSQL']);
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'answered');
  // Nobody else is offered to undo it.
  await page.reload();
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  await plain.close();
});

test('without scripts own text and a note are sent as they are', async () => {
  const inquiry = await ask(it.server, route);
  const link = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const plain = await it.context({ signedIn: false, twoSteps: false, javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(link.body.url);
  await page.getByText('Add a note').click();
  await page.getByLabel('Note').fill('soon');
  await page.getByText('Other', { exact: true }).click();
  await page.getByLabel('Your own answer').fill('Through the middle');
  // A choice and own text: either could be meant.
  await page.getByRole('button', { name: 'Left' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Send answer' }).click();
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.deepEqual([answer.own, answer.note], ['Through the middle', 'soon']);
  await plain.close();
});

/** Fields of the form are named by position, whatever the asker calls its questions. */
test('without scripts a choice of a question with its own id is sent', async () => {
  const { status, body: inquiry } = await call(it.server, 'POST', '/inquiries', {
    questions: [{ id: 'db', text: 'Which database?', choices: ['PostgreSQL', 'SQLite'] }],
  });
  assert.equal(status, 201, JSON.stringify(inquiry));
  const link = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const plain = await it.context({ signedIn: false, twoSteps: false, javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(link.body.url);
  await page.getByRole('button', { name: 'SQLite' }).click();
  assert.deepEqual(await valuesOf(inquiry), ['SQLite']);
  await plain.close();
});
