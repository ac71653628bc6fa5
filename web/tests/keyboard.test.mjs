// Everything works from the keyboard, and no key answers what nobody meant to answer.
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
  waitUntilReady,
  harness,
  waitForInquiry,
  waitForFocusIn,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const it = harness();

/** Asks and opens the question with the focus on its first control. */
async function focused(input) {
  const inquiry = await ask(it.server, input);
  const page = await it.openInSharedChat(inquiry);
  await questionElement(page, inquiry).locator('form').waitFor();
  await questionElement(page, inquiry).evaluate((node) => node.focusFirst());
  await waitUntilReady(page, inquiry);
  return { inquiry, page, element: questionElement(page, inquiry) };
}
const pending = async (inquiry) =>
  (await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status === 'pending';
const checked = (element) =>
  element.evaluate((node) =>
    [...node.shadowRoot.querySelectorAll('.card > input')].map((each) => each.checked),
  );
const active = (element) =>
  element.evaluate((node) => {
    const field = node.shadowRoot.querySelector('[role=combobox]');
    return (
      node.shadowRoot.getElementById(field.getAttribute('aria-activedescendant') ?? '')
        ?.textContent ?? null
    );
  });

/** The outline of the focus is at least 3:1 against its surroundings. */
async function focusIsVisible(page) {
  const [outline, behind] = await page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const shown = element.closest('.card') ?? element;
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    const rgb = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const style =
      getComputedStyle(shown).outlineStyle === 'none'
        ? getComputedStyle(element)
        : getComputedStyle(shown);
    let back = shown.parentElement;
    while (back && rgb(getComputedStyle(back).backgroundColor)[3] === 0)
      back = back.parentElement ?? back.getRootNode().host ?? null;
    return [
      style.outlineStyle === 'none' ? null : rgb(style.outlineColor),
      rgb(back ? getComputedStyle(back).backgroundColor : 'white'),
    ];
  });
  assert.ok(outline, `the focus has an outline: ${await focusedText(page)}`);
  const light = ([r, g, b]) =>
    [r, g, b]
      .map((c) => c / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const [high, low] = [light(outline), light(behind)].sort((a, b) => b - a);
  assert.ok((high + 0.05) / (low + 0.05) >= 3, `outline ${outline} on ${behind}`);
}

/** Radios: arrows move, check and wrap; Enter sends. */
test('a single choice by arrows and Enter', async () => {
  const { inquiry, page, element } = await focused(questions.single);
  await page.keyboard.press('ArrowDown');
  await focusIsVisible(page);
  assert.deepEqual(await checked(element), [false, true, false, false]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.deepEqual(await checked(element), [false, false, false, true], 'arrows wrap');
  await page.keyboard.press('Home').catch(() => {});
  await element.getByLabel('SQLite').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['SQLite (Recommended)']);
});

/** The combobox follows the APG. */
test('a long list by typing, arrows, Home, End, Enter and Esc', async () => {
  const { inquiry, page, element } = await focused(questions.long);
  await page.keyboard.press('ArrowDown');
  assert.match(await active(element), /English/);
  await page.keyboard.press('ArrowUp');
  assert.match(await active(element), /Other/, 'arrows wrap');
  await page.keyboard.press('ArrowUp');
  assert.match(await active(element), /Dutch/);
  await page.keyboard.press('Home');
  assert.equal(await active(element), null, 'Home goes to the start of the text');
  await page.keyboard.type('p');
  assert.deepEqual(await element.locator('[role=option]:visible .label').allTextContents(), [
    'Spanish',
    'Portuguese',
    'Use “\u2068p\u2069”',
  ]);
  assert.match(await element.locator('.hint').textContent(), /3/);
  await page.keyboard.press('End');
  assert.equal(await active(element), null);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await element.locator('[aria-selected=true]').textContent(), 'Portuguese');
  assert.equal(await element.getByRole('combobox').inputValue(), 'Portuguese');
  await page.keyboard.press('Escape');
  assert.equal(await element.getByRole('combobox').inputValue(), '', 'Esc clears the field');
  assert.equal(await element.locator('[aria-selected=true]').count(), 0, 'and with it the choice');
  await page.keyboard.press('Enter');
  assert.ok(await pending(inquiry), 'nothing was chosen, nothing is sent');
  await page.keyboard.type('portu');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.ok(await pending(inquiry), 'choosing does not send');
  await page.keyboard.press('Enter');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['po']);
});

/** Digits choose in the group, and are text in any text field. */
test('digits choose only in the group', async () => {
  const { inquiry, page, element } = await focused(questions.single);
  await page.keyboard.press('2');
  assert.deepEqual(await checked(element), [false, true, false, false]);
  await page.keyboard.press('4');
  await page.keyboard.type('15:00');
  assert.equal(await element.getByLabel('Your own answer').inputValue(), '15:00');
  assert.ok(await pending(inquiry), 'a digit sends nothing');
  await element.getByText('Add a note').click();
  await element.getByLabel('Note', { exact: true }).focus();
  await page.keyboard.type('12');
  assert.equal(await element.getByLabel('Note', { exact: true }).inputValue(), '12');
  assert.deepEqual(await checked(element), [false, false, false, true]);
  const number = await focused(questions.number);
  await number.page.keyboard.type('7');
  assert.equal(await number.element.getByRole('textbox').first().inputValue(), '7');
});

/** Ctrl+Enter and Meta+Enter send from every control; Enter among checkboxes does not. */
test('ctrl and meta with Enter send from anywhere', async () => {
  const several = await focused(questions.several);
  await several.page.keyboard.press('Space');
  await several.page.keyboard.press('Enter');
  assert.ok(await pending(several.inquiry), 'Enter among checkboxes does not send');
  await several.page.keyboard.press('Control+Enter');
  assert.deepEqual((await answersOf(it.server, several.inquiry.id))[0].values, ['TypeScript']);
  const note = await focused(questions.single);
  await note.page.keyboard.press('1');
  await note.element.getByText('Add a note').click();
  await note.element.getByLabel('Note', { exact: true }).fill('line');
  await note.page.keyboard.press('Enter');
  assert.ok(await pending(note.inquiry), 'Enter in a note is a new line');
  await note.page.keyboard.press('Meta+Enter');
  assert.equal((await answersOf(it.server, note.inquiry.id))[0].note, 'line');
  for (const [input, typed] of [
    [questions.number, '3'],
    [questions.date, 'tomorrow'],
    [questions.text, 'a text'],
    [questions.long, 'own words'],
  ]) {
    const each = await focused(input);
    await each.page.keyboard.type(typed);
    if (input === questions.long) await each.page.keyboard.press('Enter');
    await each.page.keyboard.press('Control+Enter');
    await answersOf(it.server, each.inquiry.id);
  }
});

/** Esc never ends a question and loses nothing. */
test('Esc five times from every control leaves the question open', async () => {
  for (const [kind, input] of Object.entries(questions.kinds)) {
    const { inquiry, page, element } = await focused(input);
    const isText = ['text', 'number', 'date', 'range'].includes(kind);
    if (isText) await page.keyboard.type('half an ans');
    const controls = await element
      .locator('form input:visible, form textarea:visible, form button:visible')
      .all();
    for (const control of controls.slice(0, 6)) {
      await control.focus();
      for (let i = 0; i < 5; i += 1) await page.keyboard.press('Escape');
    }
    assert.equal(await element.getAttribute('data-state'), 'asked', kind);
    assert.ok(await pending(inquiry), kind);
    if (isText)
      assert.equal(await element.getByRole('textbox').first().inputValue(), 'half an ans', kind);
    assert.ok(
      await element.evaluate((node) => node.shadowRoot.activeElement?.tagName === 'H2'),
      `${kind}: the focus is on the heading`,
    );
  }
});

/** In every field the Enter of an input method sends nothing: while composing, and just after; the next one does. */
test('an input method keeps its Enter', async () => {
  for (const [kind, input, given] of [
    ['text', questions.text, { text: '日本語' }],
    ['own', questions.single, { own: '日本語' }],
    ['combobox', questions.long, { own: '日本語' }],
    ['number', questions.number, { number: 3 }],
  ]) {
    const { inquiry, page, element } = await focused(input);
    if (kind === 'own') await page.keyboard.press('4');
    const cdp = await page.context().newCDPSession(page);
    const composing = kind === 'number' ? '3' : '日本語';
    // A real composition: the browser itself says so with every key.
    await cdp.send('Input.imeSetComposition', {
      text: composing,
      selectionStart: composing.length,
      selectionEnd: composing.length,
    });
    await page.evaluate(() => {
      globalThis.composingKeys = [];
      addEventListener(
        'keydown',
        (event) => globalThis.composingKeys.push([event.isComposing, event.keyCode]),
        { capture: true, once: true },
      );
    });
    await cdp.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await waitForEqual(() => page.evaluate(() => globalThis.composingKeys), [[true, 229]], kind);
    const press = (init) =>
      element.evaluate(
        (node, options) =>
          node.shadowRoot.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {
              key: 'Enter',
              bubbles: true,
              composed: true,
              cancelable: true,
              ...options,
            }),
          ),
        init,
      );
    const isAsked = async (when) =>
      assert.equal(await element.getAttribute('data-state'), 'asked', `${kind}: ${when}`);
    await isAsked('keyCode 229 of a composition');
    await press({ isComposing: true });
    await isAsked('isComposing');
    await press({ keyCode: 229 });
    await isAsked('keyCode 229');
    await cdp.send('Input.insertText', { text: composing });
    // The Enter that ends it, in the same moment and just before the time is over.
    await element.evaluate((node) => {
      const target = node.shadowRoot.activeElement;
      target.dispatchEvent(
        new CompositionEvent('compositionend', { bubbles: true, composed: true }),
      );
      target.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          bubbles: true,
          composed: true,
          cancelable: true,
        }),
      );
    });
    await isAsked('just after compositionend');
    assert.ok(await pending(inquiry), kind);
    await page.waitForFunction(
      (from) => performance.now() - from > 150,
      await page.evaluate(() => performance.now()),
    );
    await page.keyboard.press('Enter');
    // In a list the first Enter takes the words, the second sends them.
    if (kind === 'combobox') await page.keyboard.press('Enter');
    const [answer] = await answersOf(it.server, inquiry.id);
    assert.deepEqual(
      Object.fromEntries(Object.keys(given).map((key) => [key, answer[key]])),
      given,
      kind,
    );
  }
});

/** Several questions, review and rejection without a pointer. */
test('several questions by keyboard alone', async () => {
  const { inquiry, page, element } = await focused(questions.three);
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await element.getByText('Which providers').waitFor();
  await waitUntilReady(page, inquiry);
  // Enter takes the first answer of a list with several, and then continues.
  await page.keyboard.press('Enter');
  assert.deepEqual(await checked(element), [true, false, false, false]);
  await page.keyboard.press('Enter');
  await element.getByText('Where are files').waitFor();
  await waitUntilReady(page, inquiry);
  await element.getByRole('button', { name: /^Auth Method/ }).focus();
  await page.keyboard.press('Enter');
  await element.getByText('Which auth method').waitFor();
  // From an answered question to the one without an answer, and past it to the review.
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('Control+Enter');
  await element.getByText('Where are files').waitFor();
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('Control+Enter');
  await element.getByText('Check your answers').waitFor();
  await waitUntilReady(page, inquiry);
  await focusIsVisible(page);
  assert.match(await focusedText(page), /Change .*Storage/, 'the focus is at what is missing');
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await page.keyboard.press('Control+Enter');
  assert.deepEqual(
    (await answersOf(it.server, inquiry.id)).map(({ given }) => given),
    ['chosen', 'chosen', 'unanswered'],
  );
  await waitForState(page, inquiry, 'replied');
  await waitForEqual(
    () => element.evaluate((node) => node.shadowRoot.activeElement?.tagName),
    'H2',
    'the focus stays at the question',
  );
  const other = await focused(questions.single);
  await other.element.getByRole('button', { name: 'Stop the agent' }).focus();
  await other.page.keyboard.press('Enter');
  await asked(other.element);
  await other.page.keyboard.press('Tab');
  await other.page.keyboard.press('Enter');
  await waitForState(other.page, other.inquiry, 'rejected');
});

/** Several answers are sent from the review only, also after one was changed; a complete review is sent with Enter. */
test('Ctrl+Enter goes through the review', async () => {
  const { inquiry, page, element } = await focused(questions.three);
  for (const next of ['Which providers', 'Where are files', 'Check your answers']) {
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await element.getByText(next).waitFor();
    await waitUntilReady(page, inquiry);
  }
  assert.match(await focusedText(page), /Send answers/);
  await element.getByRole('button', { name: /^Change .*Auth Method/ }).click();
  await element.getByText('Which auth method').waitFor();
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('2');
  await page.keyboard.press('Control+Enter');
  await element.getByText('Check your answers').waitFor();
  assert.equal((await call(it.server, 'GET', `/inquiries/${inquiry.id}`)).body.status, 'pending');
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('Enter');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['Passwords']);
});

/** Waits until the question before a rejection takes an answer. */
const asked = (element) => element.locator('.confirm:not([data-guarded])').waitFor();

/** What has the focus, as `tag text`. */
const focusedText = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return `${element.tagName} ${element.labels?.[0]?.innerText ?? element.innerText ?? ''}`
      .replaceAll(/\s+/g, ' ')
      .trim();
  });

/** Tab until a control with this text has the focus, which is visible at every step. */
async function tabTo(page, text, key = 'Tab') {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await focusedText(page)).includes(text)) return;
    await page.keyboard.press(key);
    await focusIsVisible(page);
  }
  assert.fail(`Tab does not lead to ${text}; the focus is at ${await focusedText(page)}`);
}

/** For each kind: keys that answer, keys that change the answer, and what is stored then. From the first control on. */
const byKeys = {
  single: [questions.single, ['ArrowDown'], ['ArrowDown'], { values: ['SQLite (Recommended)'] }],
  several: [
    questions.several,
    ['Space', 'Tab', 'Space'],
    ['Space', 'Tab', 'Space'],
    { values: ['TypeScript', 'Testing (Vitest)'] },
  ],
  long: [questions.long, ['ArrowDown', 'Enter'], ['ArrowDown', 'Enter'], { values: ['fr'] }],
  text: [questions.text, ['a', 'b', 'c'], ['Backspace', 'd'], { text: 'abd' }],
  number: [questions.number, ['3'], ['Backspace', '4'], { number: 4 }],
  date: [questions.date, [...'2027-03-27'], ['Backspace', '8'], { date: '2027-03-28' }],
  range: [
    questions.range,
    [...'2027-03-08', 'Tab', 'Tab', ...'2027-03-12'],
    ['Backspace', '3'],
    { start: '2027-03-08', end: '2027-03-13' },
  ],
};

/** Each kind is answered, changed and sent, and each is rejected, by keys alone, the way there included; the focus is seen at each step. */
test('every kind is answered, changed, sent and rejected by keyboard alone', async () => {
  await withdrawAll(it.server);
  const page = await it.open('/inbox', { context: await it.sharedContext() });
  for (const [kind, [input, answer, change, expected]] of Object.entries(byKeys)) {
    const inquiry = await ask(it.server, input);
    await page.locator(`a[data-id="${inquiry.id}"]`).waitFor();
    await page.keyboard.press('F8');
    // What the key does has to be loaded.
    await waitForFocusIn(page, inquiry);
    await waitUntilReady(page, inquiry);
    for (const keys of [answer, change]) {
      for (const key of keys) {
        await page.keyboard.press(key);
        if (key.length > 1) await focusIsVisible(page);
      }
    }
    await tabTo(page, 'Send answer');
    await page.keyboard.press('Enter');
    const [given] = await answersOf(it.server, inquiry.id);
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((key) => [key, given[key]])),
      expected,
      kind,
    );
    await page.locator(`a[data-id="${inquiry.id}"]`).waitFor({ state: 'detached' });
    const other = await ask(it.server, input);
    await page.locator(`a[data-id="${other.id}"]`).waitFor();
    await page.keyboard.press('F8');
    await waitForFocusIn(page, other);
    await waitUntilReady(page, other);
    await tabTo(page, 'Stop the agent');
    await page.keyboard.press('Enter');
    await asked(questionElement(page, other));
    await waitUntil(
      () => focusedText(page),
      (text) => /Keep open/.test(text),
      kind,
    );
    await focusIsVisible(page);
    await tabTo(page, 'Stop the agent');
    await page.keyboard.press('Enter');
    await waitForInquiry(it.server, other.id, ({ status }) => status === 'rejected');
    await page.locator(`a[data-id="${other.id}"]`).waitFor({ state: 'detached' });
  }
  await page.close();
});

/** Several questions by keys alone: answered, reviewed, changed from the review, sent. */
test('a review is walked through by keyboard alone', async () => {
  await withdrawAll(it.server);
  const page = await it.open('/inbox', { context: await it.sharedContext() });
  const inquiry = await ask(it.server, questions.three);
  await page.locator(`a[data-id="${inquiry.id}"]`).waitFor();
  await page.keyboard.press('F8');
  const press = async (key) => {
    await waitUntilReady(page, inquiry);
    await page.keyboard.press(key);
  };
  await waitForFocusIn(page, inquiry);
  await press('ArrowDown');
  await tabTo(page, 'Next');
  await press('Enter');
  await press('Space');
  await tabTo(page, 'Next');
  await press('Enter');
  await tabTo(page, 'Skip');
  await press('Enter');
  await questionElement(page, inquiry).locator('.review').waitFor();
  await focusIsVisible(page);
  await tabTo(page, 'Change Auth Method', 'Shift+Tab');
  await press('Enter');
  await press('ArrowUp');
  await press('Enter');
  await questionElement(page, inquiry).locator('.review').waitFor();
  await tabTo(page, 'Send answers');
  await press('Enter');
  const answers = await answersOf(it.server, inquiry.id);
  assert.deepEqual(
    answers.map(({ given, values }) => [given, values ?? []]),
    [
      ['chosen', ['OAuth 2.0']],
      ['chosen', ['Google']],
      ['skipped', []],
    ],
  );
  await page.close();
});
