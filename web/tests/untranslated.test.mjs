// In the pseudo-locale en-XA every text has accents and is 40 % longer. A word without accents was not
// translated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  questionElement,
  call,
  waitForState,
  harness,
  waitForInquiry,
  pageWidth,
  waitForEqual,
} from './harness.mjs';

// The agent writes Greek, so that Latin letters are ours.
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

/** Words without accents: names, what Intl puts into times, dates and lists, and what a date field takes. */
const SAME =
  /\baskback (install|ask .*|serve --\w+( anthropic)?)|\b(askback|AM|PM|and|tomorrow)\b|General assistant|\b\w+day \d+ [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]{2} \d+(, \d{4})?\b/g;

/** All texts and labels of the page, without those inside of `ignored`. The page may draw at any time, so nothing in it is changed. */
const texts = (page, ignored) =>
  page.evaluate((selector) => {
    const found = [document.title];
    const walk = (root) => {
      for (const element of root.querySelectorAll('*')) {
        if (
          ['SCRIPT', 'STYLE'].includes(element.tagName) ||
          (element.lang && element.tagName === 'OPTION') ||
          element.closest('pre.command') ||
          (selector && element.closest(selector))
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
  }, ignored);

/** No untranslated word, and nothing wider than the screen. */
async function isTranslated(page, name, { ignored = '' } = {}) {
  const plain = (await texts(page, ignored))
    .map((text) => text.replaceAll(/[\u2066-\u2069]/g, '').trim())
    .filter((text) => {
      // Dates and ids have digits; Intl knows no pseudo-locale, so times are English.
      const words =
        text
          .replaceAll(SAME, '')
          .replace(/^in \d+ (sec|min|hr|days?)\.?$/, '')
          .match(/[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]+/g) ?? [];
      return words.some((word) => /^[A-Za-z]{2,}$/.test(word));
    });
  assert.deepEqual([...new Set(plain)], [], name);
  await waitForEqual(() => pageWidth(page), 320, `${name}: wider than the screen`);
}

/** A page in the pseudo-locale on a narrow screen. */
async function openPseudo(path, options = {}) {
  const context = await it.context({ viewport: { width: 320, height: 800 }, ...options });
  await context.addCookies([{ name: 'askback_locale', value: 'en-XA', url: it.server.base }]);
  return it.open(path, { context });
}
const asked = (input, options = {}) => ask(it.server, input, { source: 'Πράκτορας', ...options });
const select = async (page, inquiry) => {
  await page.evaluate((id) => {
    location.hash = id;
  }, inquiry.id);
  await questionElement(page, inquiry).locator('section').waitFor();
  return questionElement(page, inquiry);
};

/** Each kind, while it waits, with everything open, refused, and answered. */
test('no word of a question stays untranslated', async () => {
  const page = await openPseudo('/inbox');
  for (const [kind, input] of Object.entries(kinds)) {
    const inquiry = await asked(input, { expires_in: '2h' });
    const element = await select(page, inquiry);
    await element.locator('form').waitFor();
    await isTranslated(page, kind);
    await element.locator('details').evaluateAll((nodes) => {
      for (const node of nodes) node.open = true;
    });
    for (const own of await element.locator('.own > input').all()) await own.check();
    for (const field of await element.locator('textarea:visible').all())
      await field.fill('ω'.repeat(20));
    for (const field of await element.locator('input[type=text]:not([readonly]):visible').all())
      await field.fill('ω');
    await isTranslated(page, `${kind} with everything open`);
    if (kind === 'three') {
      await element.locator('.steps button').last().click();
      await isTranslated(page, 'review');
    }
    await element.locator('button.primary').click();
    await page.waitForFunction((id) => {
      const root = document.querySelector(`askback-question[inquiry="${id}"]`);
      return root?.dataset.state !== 'asked' || root.shadowRoot.querySelector('.error');
    }, inquiry.id);
    await isTranslated(page, `${kind} sent`);
    await call(it.server, 'POST', `/inquiries/${inquiry.id}/withdraw`, {});
  }
  await page.context().close();
});

/** Each end of a question, and what goes wrong on the way. */
test('no word of an outcome stays untranslated', async () => {
  const page = await openPseudo('/inbox');
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
    const element = await select(page, inquiry);
    await element.locator('.outcome').waitFor();
    // The text for the model is English.
    await isTranslated(page, end, { ignored: '.agent-result pre' });
  }
  const held = await asked(choice);
  const element = await select(page, held);
  await element.locator('.actions .danger').click();
  await isTranslated(page, 'confirmation');
  await element.locator('.confirm .primary').click();
  await element.locator('.fold').click();
  await isTranslated(page, 'folded');
  await element.locator('.fold').click();
  await element.getByRole('radio').first().check();
  await page.route('**/answer', (route) => route.abort());
  await element.locator('button.primary').click();
  await waitForState(page, held, 'offline');
  await isTranslated(page, 'offline');
  await page.unroute('**/answer');
  await call(it.server, 'POST', `/inquiries/${held.id}/withdraw`, {});
  await page.waitForFunction(
    (id) =>
      document.querySelector(`askback-question[inquiry="${id}"]`)?.dataset.state === 'cancelled',
    held.id,
  );
  await isTranslated(page, 'too late');
  await page.evaluate(() => {
    location.hash = 'inq_01m7h8x0r4emaaef4p2vatz7wc';
  });
  await page.locator('askback-question[data-state=missing]').waitFor();
  await isTranslated(page, 'a question that is not there');
  await page.context().close();
});

/** The pages around a question. */
test('no word of a page stays untranslated', async () => {
  const page = await openPseudo('/new');
  await page.locator('.apps label').first().waitFor();
  // Apps bring their own names.
  const ignored = '.apps .name, .apps .hint';
  await isTranslated(page, 'start', { ignored });
  await page.locator('button.menu').click();
  await page.locator('.settings summary').click();
  await isTranslated(page, 'settings', { ignored });
  await page.keyboard.press('Escape');
  await page.locator('.composer textarea').fill('Γεια');
  await page.locator('.composer textarea').press('Enter');
  await page.waitForURL(/\/c\//);
  await page.locator('askback-question[data-state=asked]').waitFor();
  await page.locator('.failure').first().waitFor();
  // What the agent sent and received is English.
  await isTranslated(page, 'conversation', { ignored: '.failure pre, .failure code' });
  await page.context().close();
});

/** The pages without scripts. */
test('no word of the plain form stays untranslated', async () => {
  const context = await it.context({ viewport: { width: 320, height: 800 } });
  await context.addCookies([{ name: 'askback_locale', value: 'en-XA', url: it.server.base }]);
  await context.route('**/web/form/question-page.js', (route) => route.abort());
  const page = await context.newPage();
  for (const [kind, input] of Object.entries(kinds)) {
    const inquiry = await asked(input);
    await page.goto(`${it.server.base}/q/${inquiry.id}`);
    await isTranslated(page, `plain ${kind}`);
    await page.locator('[name=action-send]').click();
    await page.locator('.summary').waitFor();
    // What is folded away has words too, and the ways to leave the question.
    await page.locator('details').evaluateAll((all) => {
      for (const each of all) each.open = true;
    });
    await isTranslated(page, `plain ${kind} refused`);
    await page.locator('[name=action-decline]').click();
    await page.locator('[name=confirmed]').waitFor({ state: 'attached' });
    await isTranslated(page, `plain ${kind} asked about`);
    await page.locator('[name=action-decline]').click();
    await page.locator('time').waitFor();
    await isTranslated(page, `plain ${kind} ended`, { ignored: 'time' });
  }
  await context.close();
});
