// In the pseudo-language every word of ours is disguised and two fifths longer: what is not, nobody translated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, questionElement, call, waitForState, harness, waitForInquiry } from './harness.mjs';

// The agent speaks Greek here, so that Latin letters are ours.
const label = (text) => ({ label: text, value: text, description: 'Περιγραφή' });
const choice = {
  questions: [
    {
      question: 'Ποιο;',
      header: 'Βάση',
      options: [{ ...label('Άλφα'), preview: '+ ναι\n- όχι' }, label('Βήτα')],
    },
  ],
};
const kinds = {
  choice,
  several: {
    question: 'Ποια;',
    input_type: 'multi_select',
    allow_other: true,
    options: 'αβγδεζ'.split('').map((each) => label(each.repeat(3))),
  },
  long: {
    question: 'Ποια γλώσσα;',
    input_type: 'single_select',
    allow_other: true,
    context: 'Γλώσσα',
    options: 'αβγδεζη'.split('').map((each) => label(each.repeat(3))),
  },
  text: {
    question: 'Τι;',
    input_type: 'text',
    allow_skip: true,
    placeholder: 'λέξη',
    validation: { max_length: 20, min_length: 3 },
  },
  number: {
    question: 'Πόσα;',
    input_type: 'number',
    validation: { min: 1, max: 9, integer: true },
  },
  decimal: { question: 'Πόσο;', input_type: 'number', validation: { min: 0.5 } },
  date: {
    question: 'Πότε;',
    input_type: 'date',
    validation: { min_date: '2027-01-01', max_date: '2030-01-01' },
  },
  range: { question: 'Από πότε;', input_type: 'date_range' },
  three: {
    questions: [
      { question: 'Πρώτο;', header: 'Ένα', options: ['Άλφα', 'Βήτα'] },
      { question: 'Δεύτερο;', header: 'Δύο', options: ['Άλφα', 'Βήτα'] },
    ],
  },
};
const it = harness({
  script: {
    steps: [
      {
        say: 'Ναι',
        calls: [
          { tool: 'question', input: { question: 'Α;', options: ['α'] } },
          { tool: 'question', input: { question: 'Β;', options: ['β'] } },
        ],
      },
      { say: 'Ναι', calls: [{ tool: 'ask_user', input: kinds.text }] },
    ],
  },
});

/** Words that stay as they are: the names of the program and of an app, and what the model of the language puts into clocks, days and lists. */
const SAME =
  /\b(askback|AM|PM|and)\b|General assistant|\b\w+day \d+ [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]{2} \d+, \d{4}\b/g;

/** All that can be read or heard, the title included. */
const texts = (page) =>
  page.evaluate(() => {
    const found = [document.title];
    const walk = (root) => {
      for (const element of root.querySelectorAll('*')) {
        if (
          ['SCRIPT', 'STYLE'].includes(element.tagName) ||
          (element.lang && element.tagName === 'OPTION')
        )
          continue;
        for (const node of element.childNodes) if (node.nodeType === 3) found.push(node.data);
        for (const name of [
          'aria-label',
          'placeholder',
          'title',
          'alt',
          'aria-valuetext',
          'aria-roledescription',
        ])
          found.push(element.getAttribute(name) ?? '');
        if (element.shadowRoot) walk(element.shadowRoot);
      }
    };
    walk(document.body);
    return found;
  });

/** W28: no untranslated word, and nothing wider than the screen. */
async function isDisguised(page, name) {
  const plain = (await texts(page))
    .map((text) => text.replaceAll(/[\u2066-\u2069]/g, '').trim())
    .filter((text) => {
      // A disguised word has letters with accents; dates and ids have digits.
      const words = text.replaceAll(SAME, '').match(/[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]+/g) ?? [];
      return words.some((word) => /^[A-Za-z]{2,}$/.test(word));
    });
  assert.deepEqual([...new Set(plain)], [], name);
  assert.equal(
    await page.evaluate(() => document.documentElement.scrollWidth),
    320,
    `${name}: wider than the screen`,
  );
}

/** A page in the pseudo-language on a narrow screen. */
async function disguised(path, options = {}) {
  const context = await it.context({ viewport: { width: 320, height: 800 }, ...options });
  await context.addCookies([{ name: 'askback_locale', value: 'en-XA', url: it.server.base }]);
  return it.open(path, { context });
}
const asked = (input, options = {}) => ask(it.server, input, { source: 'Πράκτορας', ...options });
const turn = async (page, inquiry) => {
  await page.evaluate((id) => {
    location.hash = id;
  }, inquiry.id);
  await questionElement(page, inquiry).locator('section').waitFor();
  return questionElement(page, inquiry);
};

/** W28: each kind, while it waits, with everything open, refused, and answered. */
test('no word of a question stays untranslated', async () => {
  const page = await disguised('/inbox');
  for (const [kind, input] of Object.entries(kinds)) {
    const inquiry = await asked(input, { expires_in: '2h' });
    const element = await turn(page, inquiry);
    await element.locator('form').waitFor();
    await isDisguised(page, kind);
    await element.locator('details').evaluateAll((nodes) => {
      for (const node of nodes) node.open = true;
    });
    for (const own of await element.locator('.own > input').all()) await own.check();
    for (const field of await element.locator('textarea:visible').all())
      await field.fill('ω'.repeat(20));
    for (const field of await element.locator('input[type=text]:not([readonly]):visible').all())
      await field.fill('ω');
    await isDisguised(page, `${kind} with everything open`);
    if (kind === 'three') {
      await element.locator('.steps button').last().click();
      await isDisguised(page, 'review');
    }
    await element.locator('button.primary').click();
    await page.waitForFunction((id) => {
      const root = document.querySelector(`askback-question[inquiry="${id}"]`);
      return root?.dataset.state !== 'asked' || root.shadowRoot.querySelector('.summary');
    }, inquiry.id);
    await isDisguised(page, `${kind} sent`);
    await call(it.server, 'POST', `/inquiries/${inquiry.id}/withdraw`, {});
  }
  await page.context().close();
});

/** W28: each end of a question, and what goes wrong on the way. */
test('no word of an outcome stays untranslated', async () => {
  const page = await disguised('/inbox');
  const act = (id, way, body = {}) =>
    call(it.server, 'POST', `/inquiries/${id}/${way}`, body, { 'X-Askback-Surface': 'terminal' });
  const ends = {
    answered: (id) => act(id, 'answer', { answers: { q1: 'Βήτα' }, notes: { q1: 'ναι' } }),
    declined: (id) => act(id, 'decline'),
    cancelled: (id) => act(id, 'cancel'),
    withdrawn: (id) => act(id, 'withdraw'),
    rejected: (id, conversation) =>
      call(it.server, 'POST', `/conversations/${conversation}/reject`, { inquiry_id: id }),
    expired: (id) => waitForInquiry(it.server, id, ({ status }) => status === 'expired'),
  };
  for (const [end, make] of Object.entries(ends)) {
    const inquiry = await asked(choice, { expires_in: end === 'expired' ? '1s' : undefined });
    await make(inquiry.id, inquiry.conversation_id);
    const element = await turn(page, inquiry);
    await element.locator('.outcome').waitFor();
    // What the agent was told is quoted, in the words of the model.
    await element.locator('.agent-result pre').evaluateAll((nodes) => {
      for (const node of nodes) node.textContent = '';
    });
    await isDisguised(page, end);
  }
  const held = await asked(choice);
  const element = await turn(page, held);
  await element.locator('.actions .danger').click();
  await isDisguised(page, 'confirmation');
  await element.locator('.confirm .primary').click();
  await element.locator('.fold').click();
  await isDisguised(page, 'folded');
  await element.locator('.fold').click();
  await element.getByRole('radio').first().check();
  await page.route('**/answer', (route) => route.abort());
  await element.locator('button.primary').click();
  await waitForState(page, held, 'offline');
  await isDisguised(page, 'offline');
  await page.unroute('**/answer');
  await call(it.server, 'POST', `/inquiries/${held.id}/withdraw`, {});
  await page.waitForFunction(
    (id) =>
      document.querySelector(`askback-question[inquiry="${id}"]`)?.dataset.state === 'cancelled',
    held.id,
  );
  await isDisguised(page, 'too late');
  await page.evaluate(() => {
    location.hash = 'inq_01m7h8x0r4emaaef4p2vatz7wc';
  });
  await page.locator('askback-question[data-state=missing]').waitFor();
  await isDisguised(page, 'a question that is not there');
  await page.context().close();
});

/** W28: the pages around a question. */
test('no word of a page stays untranslated', async () => {
  const page = await disguised('/');
  // The apps come with names of their own, in the languages that have them.
  await page.locator('.apps label').first().waitFor();
  await page.locator('.apps .name, .apps .hint').evaluateAll((nodes) => {
    for (const node of nodes) node.textContent = '';
  });
  await isDisguised(page, 'start');
  await page.locator('button.menu').click();
  await page.locator('.settings summary').click();
  await isDisguised(page, 'settings');
  await page.keyboard.press('Escape');
  await page.locator('.composer textarea').fill('Γεια');
  await page.locator('.composer textarea').press('Enter');
  await page.waitForURL(/\/c\//);
  await page.locator('askback-question[data-state=asked]').waitFor();
  // What a wrong call is told is for the model, in English; its block says so in the reader's words.
  await page.locator('.failure').first().waitFor();
  await page.locator('.failure').evaluateAll((nodes) => {
    for (const node of nodes)
      for (const each of node.querySelectorAll('pre, code')) each.textContent = '';
  });
  await isDisguised(page, 'conversation');
  await page.context().close();
});

/** W28: the pages without scripts. */
test('no word of the plain form stays untranslated', async () => {
  const context = await it.context({ viewport: { width: 320, height: 800 } });
  await context.addCookies([{ name: 'askback_locale', value: 'en-XA', url: it.server.base }]);
  await context.route('**/question-page.js', (route) => route.abort());
  const page = await context.newPage();
  for (const [kind, input] of Object.entries(kinds)) {
    const inquiry = await asked(input);
    await page.goto(`${it.server.base}/q/${inquiry.id}`);
    await isDisguised(page, `plain ${kind}`);
    await page.locator('[name=action-send]').click();
    await page.locator('.summary').waitFor();
    await isDisguised(page, `plain ${kind} refused`);
    await page.locator('[name=action-decline]').click();
    await page.locator('[name=confirmed]').waitFor({ state: 'attached' });
    await isDisguised(page, `plain ${kind} asked about`);
    await page.locator('[name=action-decline]').click();
    await page.locator('time').waitFor();
    await page.locator('time').evaluate((node) => {
      node.textContent = '';
    });
    await isDisguised(page, `plain ${kind} ended`);
  }
  await context.close();
});
