// The chat: streaming, blocks, the composer's rules, what agent text may not do, and notices.
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
  boxOf,
  measure,
  pageWidth,
  waitForEqual,
  waitUntil,
} from './harness.mjs';

const HOSTILE =
  '<script>window.pwned=1</script> <img src=x onerror="window.pwned=1"> [x](javascript:window.pwned=1) \u202Eevil';
const it = harness({
  script: {
    steps: [{ say: 'Hello {{message}}' }],
    repeat_from: 1,
    chunk_ms: 5,
    scenes: [
      {
        when: 'pick',
        steps: [
          {
            say: 'One thing **first**.',
            calls: [
              {
                tool: 'question',
                input: { question: 'Deploy now?', header: 'Deploy', options: ['Now', 'Later'] },
              },
            ],
          },
          { say: 'You said: {{answer}}' },
        ],
      },
      {
        when: 'form',
        steps: [
          {
            say: 'One thing first.',
            calls: [
              {
                tool: 'ask_user',
                input: {
                  question: 'Which language?',
                  input_type: 'single_select',
                  options: ['French', 'Spanish'],
                },
              },
            ],
          },
          { say: '{{answer}} it is.' },
        ],
      },
      {
        when: 'own words',
        steps: [
          {
            calls: [
              {
                tool: 'ask_user',
                input: {
                  question: 'Which pet?',
                  input_type: 'single_select',
                  allow_other: true,
                  options: ['Dog', 'Fish'],
                },
              },
            ],
          },
          { say: '{{answer}} it is.' },
        ],
      },
      {
        when: 'hostile',
        steps: [
          {
            say: HOSTILE,
            calls: [
              {
                tool: 'ask_user_question',
                input: {
                  questions: [
                    {
                      question: `Q ${HOSTILE}`,
                      options: [
                        { label: '<script>a', description: HOSTILE, preview: HOSTILE },
                        { label: 'javascript:alert(1)' },
                      ],
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
      {
        when: 'markdown',
        steps: [
          {
            say: '# Title\n\nA *soft* and **strong** `code` [link](https://example.org/a) and https://example.org/b.\n\n- one\n- two\n  1. inner\n\n> quoted\n\n```js\nlet x = "<b>";\n```',
          },
        ],
      },
      {
        when: 'wrong',
        steps: [
          {
            calls: [
              { tool: 'question', input: { question: 'A?', options: ['x'] } },
              { tool: 'question', input: { question: 'B?', options: ['y'] } },
            ],
          },
          { say: 'Sorry.' },
        ],
      },
      {
        when: 'long',
        steps: [
          {
            say: Array.from({ length: 60 }, (_, at) => `Line ${at}`).join('\n\n'),
            calls: [{ tool: 'ask_user_question', input: questions.single }],
          },
          { say: 'Fine.' },
        ],
      },
    ],
  },
});

/** Starts a conversation on the start page. */
async function talk(message, options) {
  const page = await it.open('/new', options);
  await page.getByText('General assistant').waitFor();
  await page.getByLabel('Message').fill(message);
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL(/\/c\//);
  return page;
}
const pendingOf = async (page) => {
  const element = page.locator('askback-question[data-state="asked"]');
  await element.waitFor();
  return { id: await element.getAttribute('inquiry') };
};

/** Seed 001: the block stands under the message; the composer answers it; nothing extra is inserted. */
test('a message answers a question of the kind that takes one', async () => {
  const page = await talk('pick for me');
  const inquiry = await pendingOf(page);
  await page.getByText('Reply to').waitFor();
  assert.equal(await page.locator('article.assistant strong').textContent(), 'first');
  await page.locator('.composer textarea').fill('Tomorrow morning');
  await page.keyboard.press('Enter');
  await waitForState(page, inquiry, 'replied');
  await page
    .locator('.log')
    .getByText(/You said: .?Tomorrow morning/)
    .waitFor();
  assert.equal(await page.locator('.user-text').filter({ hasText: 'Tomorrow morning' }).count(), 1);
  const line = questionElement(page, inquiry).getByRole('heading', {
    name: /Tomorrow morning.*you/,
  });
  await line.waitFor();
  await page.reload();
  await line.waitFor();
  await page.context().close();
});

/** Seed 001: a choice becomes the next message of the user. */
test('a chosen option becomes the next message', async () => {
  const page = await talk('pick for me');
  const inquiry = await pendingOf(page);
  await questionElement(page, inquiry).getByLabel('Later').check();
  await questionElement(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await page.locator('.user-text', { hasText: 'Later' }).waitFor();
  await page
    .locator('.log')
    .getByText(/You said: .?Later/)
    .waitFor();
  await page.context().close();
});

/** What has the focus inside of a question. */
const focusedType = (page, inquiry) =>
  questionElement(page, inquiry).evaluate((node) => node.shadowRoot.activeElement?.type ?? null);

/** A question that takes no message stands where one would type, with the focus; answered, it is a line. */
test('the question has the place of the composer, and gives it back', async () => {
  const page = await talk('form please');
  const inquiry = await pendingOf(page);
  await page.locator('.composer').waitFor({ state: 'hidden' });
  await page.locator('.dock askback-question').waitFor();
  await page.waitForFunction(
    (id) =>
      document.querySelector(`askback-question[inquiry="${id}"]`)?.shadowRoot.activeElement
        ?.type === 'radio',
    inquiry.id,
  );
  await waitUntilReady(page, inquiry);
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await page.locator('.log').getByText('Spanish it is.').waitFor();
  await page.locator('.composer textarea:focus').waitFor();
  const element = page.locator('.log askback-question');
  await element.getByRole('heading', { name: /Which language\?.*Spanish.*you/ }).waitFor();
  await waitUntil(
    () => measure(element, (node) => node.offsetHeight),
    (px) => px <= 64,
    'more than two lines',
  );
  await page.getByRole('button', { name: 'What the agent did next' }).click();
  await page.locator('article.assistant:focus', { hasText: 'Spanish it is.' }).waitFor();
  await element.getByRole('button', { name: 'Details' }).click();
  await element.getByText('Which language?').waitFor();
  await page.context().close();
});

/** Agent text is text, the policy is never broken, nothing inline is served. */
test('agent text never becomes markup', async () => {
  const page = await talk('hostile please');
  const inquiry = await pendingOf(page);
  await questionElement(page, inquiry).getByRole('radio', { name: '<script>a' }).waitFor();
  await questionElement(page, inquiry).getByText('Preview').click();
  const made = await page.evaluate(async () => {
    // It is drawn by what the click has loaded.
    await import('/web/question/choice-preview.js');
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    const roots = [
      document,
      ...[...document.querySelectorAll('askback-question')].map((each) => each.shadowRoot),
    ];
    const all = roots.flatMap((root) => [...root.querySelectorAll('*')]);
    return {
      pwned: 'pwned' in window,
      nodes: all.filter(
        (each) =>
          ['IMG', 'IFRAME', 'OBJECT'].includes(each.tagName) ||
          (each.tagName === 'SCRIPT' && !each.src),
      ).length,
      handlers: all
        .flatMap((each) => [...each.attributes])
        .filter(
          ({ name, value }) =>
            name.startsWith('on') || name === 'style' || value.startsWith('javascript:'),
        )
        .map(({ name }) => name),
      overrides: document.body.innerText.includes('\u202E'),
    };
  });
  assert.deepEqual(made, { pwned: false, nodes: 0, handlers: [], overrides: false });
  assert.deepEqual(page.complaints, []);
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/cancel`, {});
  const html = await (
    await fetch(it.server.base, { headers: { Authorization: `Bearer ${it.server.token}` } })
  ).text();
  assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)/);
  const big = await ask(it.server, {
    question: 'Long?',
    input_type: 'single_select',
    options: [
      { label: 'x'.repeat(100), value: 'x' },
      { label: 'y', value: 'y' },
    ],
  });
  const narrow = await it.openInChat(big, { viewport: { width: 320, height: 700 } });
  await waitForEqual(() => pageWidth(narrow), 320);
  await narrow.context().close();
  await page.context().close();
});

/** Markdown is drawn as nodes: what is known as what it is, the rest as text. */
test('markdown is a small safe subset', async () => {
  const page = await talk('markdown please');
  // What draws it is loaded when it is needed.
  await page.locator('.log blockquote').getByText('quoted').waitFor();
  const shape = await measure(page.locator('article.assistant .markdown'), (node) =>
    [...node.querySelectorAll('*')].map((each) => each.tagName.toLowerCase()).join(' '),
  );
  assert.equal(shape, 'p p em strong code a a ul li li p ol li blockquote p pre code');
  assert.deepEqual(
    await page
      .locator('.markdown a')
      .evaluateAll((links) => links.map((link) => [link.href, link.rel])),
    [
      ['https://example.org/a', 'noopener noreferrer nofollow'],
      ['https://example.org/b', 'noopener noreferrer nofollow'],
    ],
  );
  assert.equal(await page.locator('.markdown pre').innerText(), 'let x = "<b>";');
  await page.context().close();
});

/** Seed 001: a call that breaks the contract is a visible error and pauses nothing. */
test('a wrong call shows an error block', async () => {
  const page = await talk('wrong please');
  await page.locator('.failure').first().waitFor();
  await page.locator('.log').getByText('Sorry.').waitFor();
  await page.context().close();
});

/** The end is in view on opening; whoever scrolls away stays there and is led back; folded, the question is one line. */
test('the question never hides what was said', async () => {
  const page = await talk('long please', { viewport: { width: 1000, height: 600 } });
  const inquiry = await pendingOf(page);
  await questionElement(page, inquiry).locator('form').waitFor();
  const isAtEnd = () =>
    page.waitForFunction(() => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
      return scrollHeight - scrollTop - clientHeight < 2 && scrollTop > 200;
    });
  await isAtEnd();
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('button', { name: 'Latest' }).waitFor();
  assert.ok(await page.getByText('Line 3', { exact: true }).isVisible());
  await waitUntil(
    () => boxOf(page.locator('.dock')),
    ({ top, bottom }) => top > 60 && bottom <= 601,
    'the dock is elsewhere',
  );
  await page.getByRole('button', { name: 'Latest' }).click();
  await isAtEnd();
  await waitForEqual(() => focusedType(page, inquiry), 'radio');
  await page.getByRole('button', { name: 'Latest' }).waitFor({ state: 'hidden' });
  const toggle = questionElement(page, inquiry).getByRole('button', { name: 'Details' });
  await waitUntilReady(page, inquiry);
  await toggle.click();
  assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
  await waitUntil(
    () => boxOf(questionElement(page, inquiry)),
    ({ height }) => height <= 50,
    'more than one line',
  );
  await toggle.click();
  await questionElement(page, inquiry).getByLabel('MongoDB').waitFor();
  await page.context().close();
});

/** Nothing is asked on load; after opting in, one notice for each question, closed with it. */
test('notices come only when wanted, one for each question', async () => {
  await withdrawAll(it.server);
  const context = await it.context();
  await context.addInitScript(() => {
    globalThis.asked = 0;
    globalThis.notices = [];
    const made = class extends EventTarget {
      static permission = 'default';
      static requestPermission() {
        globalThis.asked += 1;
        made.permission = 'granted';
        return Promise.resolve('granted');
      }
      constructor(title, options) {
        super();
        Object.assign(this, { title, ...options, open: true });
        globalThis.notices.push(this);
      }
      close() {
        this.open = false;
      }
    };
    globalThis.Notification = made;
    // A browser without Web Push: the page itself notifies.
    delete globalThis.PushManager;
    document.hasFocus = () => false;
  });
  const page = await it.open('/inbox', { context });
  // What is there already is not new.
  await page.getByText('All caught up').waitFor();
  assert.equal(await page.evaluate(() => globalThis.asked), 0, 'nothing is asked on load');
  await page.locator('.settings summary').click();
  const toggle = page.locator('.settings .notify button');
  await toggle.getByText('Notify me about questions').click();
  await toggle.getByText('Notifications are on').waitFor();
  await page.locator('.placeholder').getByText('Notifications are on').waitFor();
  assert.equal(await page.evaluate(() => globalThis.asked), 1);
  const inquiry = await ask(it.server, questions.single);
  await page.waitForFunction(() => globalThis.notices.length === 1);
  assert.deepEqual(
    await page.evaluate(() => globalThis.notices.map(({ tag, body }) => [tag, body])),
    [[inquiry.id, 'Which database should we use for this project?']],
  );
  await page.waitForFunction(() => /^\(1\)/.test(document.title));
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/decline`, {});
  await page.waitForFunction(() => globalThis.notices[0].open === false);
  await page.waitForFunction(() => !/\(\d/.test(document.title));
  await context.close();
});

/** Text in the message field answers any question that takes own words; if it was begun before, that is said first. */
test('the message field answers a question that takes own words', async () => {
  const context = await it.context();
  await context.clock.install();
  const page = await it.open('/new', { context });
  await page.getByText('General assistant').waitFor();
  await page.getByLabel('Message').fill('own words');
  await page.keyboard.press('Enter');
  await page.keyboard.type('a cat');
  const inquiry = await pendingOf(page);
  await page.getByText('Reply to').waitFor();
  await page.keyboard.press('Enter');
  const said = page.locator('.composer .reason', { hasText: 'This message now answers' });
  await said.or(page.locator('askback-question:not([data-state="asked"])')).first().waitFor();
  // The second one counts after a pause.
  await context.clock.runFor(700);
  if (await said.isVisible()) await page.keyboard.press('Enter');
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.equal(answer.own, 'a cat');
  await page.locator('.composer textarea:placeholder-shown').waitFor();
  await page.context().close();
});

test('a message that was restored on the start page is sent at once, and back online the notice goes', async () => {
  const context = await it.context();
  const page = await it.open('/new', { context });
  await page.getByText('General assistant').waitFor();
  await page.getByLabel('Message').fill('hello again');
  await page.reload();
  await page.getByText('General assistant').waitFor();
  await waitForEqual(() => page.getByLabel('Message').inputValue(), 'hello again');
  await context.setOffline(true);
  await page.getByLabel('Message').press('Enter');
  const notice = page.getByText('You are offline. Your message is saved here.');
  await notice.waitFor();
  await context.setOffline(false);
  await notice.waitFor({ state: 'detached' });
  await page.getByLabel('Message').press('Enter');
  await page.waitForURL(/\/c\//);
  await context.close();
});

/** A message for a question whose form cannot take it now stays in the field: it was not sent. */
test('a message is kept while another answer is on its way', async () => {
  const context = await it.context();
  const page = await it.open('/new', { context });
  await page.getByText('General assistant').waitFor();
  await page.getByLabel('Message').fill('own words');
  await page.keyboard.press('Enter');
  await page.keyboard.type('a cat');
  const inquiry = await pendingOf(page);
  await page.getByText('Reply to').waitFor();
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await page.route('**/answer', async (route) => {
    await gate;
    await route.continue();
  });
  const element = page.locator('askback-question');
  await element.getByLabel('Dog').check();
  await page.locator('askback-question:not([data-guarded])').waitFor();
  await element.getByRole('button', { name: 'Send answer' }).click();
  await page.locator('askback-question[data-state="sending"]').waitFor();
  const field = page.locator('.composer textarea');
  const kept = page.locator('.composer .reason', { hasText: 'Your message is saved here.' });
  // The first Enter may only say what the message answers now.
  for (let times = 0; times < 2 && !(await kept.isVisible()); times += 1) {
    await page.waitForTimeout(800);
    await field.press('Enter');
  }
  await kept.waitFor();
  assert.equal(await field.inputValue(), 'a cat');
  release();
  const [answer] = await answersOf(it.server, inquiry.id);
  assert.deepEqual(answer.values, ['Dog']);
  assert.equal(await field.inputValue(), 'a cat');
  await context.close();
});

/** Notifications that could not be loaded at first can be turned on later. */
test('notices come after what shows them could be loaded', async () => {
  await withdrawAll(it.server);
  const context = await it.context();
  await context.addInitScript(() => {
    localStorage.setItem('askback-notify', 'on');
    globalThis.notices = 0;
    globalThis.Notification = class extends EventTarget {
      static permission = 'granted';
      constructor() {
        super();
        globalThis.notices += 1;
      }
      close() {}
    };
    document.hasFocus = () => false;
  });
  const failed = context.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/web/shell/notifications.js'),
  );
  await context.route('**/web/shell/notifications.js', (route) => route.abort());
  const page = await it.open('/new', { context });
  await failed;
  await page.locator('.settings summary').waitFor();
  await context.unroute('**/web/shell/notifications.js');
  await page.evaluate(async () => {
    document.dispatchEvent(new Event('askback-notify'));
    await import('/web/shell/notifications.js');
  });
  await ask(it.server, questions.single);
  await page.waitForFunction(() => globalThis.notices === 1);
  assert.deepEqual(
    page.complaints.filter((each) => !/ERR_FAILED/.test(each)),
    [],
  );
  await context.close();
});
