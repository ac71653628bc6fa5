// The page behind a link to one question, as somebody with a phone meets it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit, auditBoth } from './axe.mjs';
import * as questions from './example-questions.mjs';
import { answersOf, ask, call, harness, waitForInquiry, waitForEqual } from './harness.mjs';

const it = harness();
const PHONE = { width: 390, height: 844 };

const four = (question, header) => ({
  question,
  header,
  options: [
    { label: 'PostgreSQL', description: 'Relational, good at complex queries' },
    { label: 'MongoDB', description: 'Documents, flexible schema' },
    { label: 'SQLite (Recommended)', description: 'Embedded, nothing to configure' },
    { label: 'DuckDB', description: 'Analytics on files' },
  ],
});
const one = { questions: [four('Which database should we use?', 'Database')] };
const two = {
  questions: [
    four('Which database should we use?', 'Database'),
    four('Which one for the tests?', 'Tests'),
  ],
};

/** A link to a new question, which permits everything. */
async function linkTo(input, options) {
  const inquiry = await ask(it.server, input, options);
  const made = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, { allow: 'stop' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { inquiry, url: made.body.url };
}

/** A browser that has nothing but the link. */
const guest = async (options = {}) => {
  const context = await it.context({ signedIn: false, viewport: PHONE, ...options });
  return context.newPage();
};

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const openRefusals = (page) => page.getByText('Not answering?').click();

test('one or two questions with four choices fit one phone screen', async () => {
  const page = await guest({ javaScriptEnabled: false });
  for (const input of [one, two]) {
    const { url } = await linkTo(input);
    await page.goto(url);
    const layout = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      width: document.documentElement.scrollWidth,
      send: document.querySelector('[name=action-send]').getBoundingClientRect().toJSON(),
      targets: [...document.querySelectorAll('.choice, summary, [type=submit]')]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.className || each.localName, each.getBoundingClientRect().height])
        .filter(([, height]) => height < 44),
    }));
    assert.ok(layout.height <= PHONE.height, `${layout.height} px are more than one screen`);
    assert.ok(layout.width <= PHONE.width, `${layout.width} px`);
    // Within reach of a thumb: at the lower edge, as wide as it can be.
    assert.ok(layout.send.bottom > PHONE.height * 0.85, `send ends at ${layout.send.bottom}`);
    assert.deepEqual(layout.targets, [], 'everything is large enough to tap');
    assert.equal(await page.getByRole('button').count(), 1, 'the refusals are folded');
  }
  await page.context().close();
});

test('send stays in view in a long form, and covers no focused field', async () => {
  const page = await guest();
  const { url } = await linkTo({
    questions: [1, 2, 3, 4].map((at) => four(`Which one for case ${at}?`, `Case ${at}`)),
  });
  await page.goto(url);
  const send = page.getByRole('button', { name: 'Send answers' });
  await send.waitFor();
  const inView = () => send.evaluate((node) => node.getBoundingClientRect().bottom <= innerHeight);
  assert.ok(await inView(), 'before scrolling');
  for (let at = 0; at < 16; at += 1) {
    await page.keyboard.press('Tab');
    const { hidden, name } = await page.evaluate(() => {
      const box = document.activeElement.getBoundingClientRect();
      const bar = document.querySelector('.bar');
      const isInBar =
        bar.contains(document.activeElement) || document.activeElement === document.body;
      const top = bar.getBoundingClientRect().top;
      return {
        hidden: !isInBar && box.bottom > top,
        name: document.activeElement.outerHTML.slice(0, 80),
      };
    });
    assert.ok(!hidden, `${name} is below the buttons`);
    assert.ok(await inView());
  }
  await page.context().close();
});

test('after the form the page says what the agent does, and that it can be closed', async () => {
  const page = await guest({ javaScriptEnabled: false });
  for (const [source, input, act, thanks] of [
    [
      'builder',
      one,
      async () => {
        // A tap beside the label counts, here on the description.
        await page.getByText('Documents, flexible schema').click({ force: true });
        await press(page, 'Send answer');
      },
      'Thanks, builder goes on.',
    ],
    [
      undefined,
      one,
      async () => {
        await page.getByLabel('MongoDB').check();
        await press(page, 'Send answer');
      },
      'Thanks, the agent goes on.',
    ],
    [
      'builder',
      questions.text,
      async () => {
        await openRefusals(page);
        await press(page, 'Skip');
      },
      'Thanks, builder goes on.',
    ],
    [
      'builder',
      one,
      async () => {
        await openRefusals(page);
        await page.getByText('The agent is told that you chose nothing, and goes on.').waitFor();
        await press(page, 'Let the agent decide');
        await press(page, 'Let the agent decide');
      },
      'Thanks, builder decides and goes on.',
    ],
    [
      'builder',
      one,
      async () => {
        await openRefusals(page);
        await page.getByText('The agent is told to stop, without an answer.').waitFor();
        await press(page, 'Stop the agent');
        await press(page, 'Stop the agent');
      },
      'builder was told to stop.',
    ],
  ]) {
    const { url } = await linkTo(input, { source });
    await page.goto(url);
    await act();
    await page.getByRole('heading', { name: thanks, exact: true }).waitFor();
    await page.getByText('You can close this page.').waitFor();
    // The link itself tells whoever opens it later how it ended, and thanks nobody.
    await page.goto(url);
    assert.equal(await page.getByText('You can close this page.').count(), 0, thanks);
    await page.locator('time').waitFor();
  }
  await page.context().close();
});

test('what is typed and not shown is never sent', async () => {
  const page = await guest({ javaScriptEnabled: false });
  const { inquiry, url } = await linkTo(one);
  await page.goto(url);
  const own = page.getByLabel('Your own answer');
  assert.ok(!(await own.isVisible()), 'folded until it is wanted');
  await page.getByLabel('Other').check();
  await own.fill('bun');
  await page.getByLabel('MongoDB').check();
  assert.ok(await own.isVisible(), 'a text that would be sent is shown');
  await press(page, 'Send answer');
  await page.getByText('takes one choice only').first().waitFor();
  await own.fill('');
  await page.getByLabel('MongoDB').check();
  await press(page, 'Send answer');
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['MongoDB']);
  await page.context().close();
});

test('times are in the zone of the browser, and name their zone without scripts', async () => {
  const { inquiry, url } = await linkTo(one, { expires_in: '2d' });
  const zone = 'Pacific/Kiritimati';
  const scripted = await guest({ timezoneId: zone });
  await scripted.goto(url);
  const { body } = await call(it.server, 'GET', `/inquiries/${inquiry.id}`);
  const local = new Date(body.expires_at).toLocaleString('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  });
  await scripted.getByText(`Closes at ${local}`).waitFor();
  const plain = await guest({ javaScriptEnabled: false });
  await plain.goto(url);
  assert.match(
    await plain.locator('time').innerText(),
    /^\w+day \d+ \w+ \d{4}, \d\d:\d\d ([A-Z]{2,5}|[+-]\d\d)/,
  );
  await scripted.context().close();
  await plain.context().close();
});

test('a link to an ended question says who and when, an expired one what to do', async () => {
  const page = await guest();
  const { inquiry, url } = await linkTo(one);
  await call(
    it.server,
    'POST',
    `/inquiries/${inquiry.id}/answer`,
    { answers: { q1: 'MongoDB' } },
    { 'X-Askback-Actor': 'ana' },
  );
  await waitForInquiry(it.server, inquiry.id, ({ status }) => status === 'answered');
  await page.goto(url);
  const said = (await page.locator('main').innerText()).replaceAll(/[\u2068\u2069]/g, '');
  assert.match(said, /builder asks/);
  assert.match(said, /Answered by ana .* · \d/);
  const open = await ask(it.server, one);
  const short = await call(it.server, 'POST', `/inquiries/${open.id}/links`, { expires_in: '1s' });
  for (let gone = false; !gone; ) {
    const response = await page.goto(short.body.url);
    gone = response.status() === 401;
  }
  const closed = await page.locator('main').innerText();
  assert.match(closed, /builder asks/);
  assert.match(closed, /This link expired: \d/);
  assert.match(closed, /Ask the person who sent it to you for a new one/);
  assert.doesNotMatch(closed, /database/, 'the question is not shown any more');
  await page.context().close();
});

test('axe finds nothing on any page of a link', async () => {
  const page = await guest();
  const { url } = await linkTo(two);
  const clean = async (state) => {
    const { violations } = await auditBoth(page);
    assert.deepEqual(violations, [], state);
  };
  await page.goto(url);
  await clean('form');
  await openRefusals(page);
  await clean('refusals');
  await press(page, 'Send answers');
  await page.locator('.summary').waitFor();
  await clean('errors');
  await openRefusals(page);
  await press(page, 'Let the agent decide');
  await page.getByText('Not answering?').waitFor({ state: 'detached' });
  await clean('confirmation');
  await press(page, 'Let the agent decide');
  await page.getByText('You can close this page.').waitFor();
  await clean('thanks');
  await page.goto(url);
  await clean('ended');
  await page.context().close();
});

test('zoomed in, right to left and in forced colours nothing is lost', async () => {
  const { url } = await linkTo(two);
  for (const options of [
    { viewport: { width: 320, height: 256 } },
    { locale: 'ar' },
    { forcedColors: 'active' },
    { locale: 'de', viewport: { width: 320, height: 568 } },
  ]) {
    const page = await guest(options);
    await page.goto(url);
    const layout = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth - innerWidth,
      bar: document.querySelector('.bar').getBoundingClientRect().height / innerHeight,
      position: getComputedStyle(document.querySelector('.bar')).position,
      dir: document.documentElement.dir,
    }));
    const name = JSON.stringify(options);
    assert.ok(layout.width <= 0, `${name}: scrolls sideways`);
    assert.ok(layout.position === 'static' || layout.bar < 0.25, `${name}: ${layout.bar}`);
    assert.equal(layout.dir, options.locale === 'ar' ? 'rtl' : 'ltr');
    // A checked choice differs by more than its colour.
    await page.locator('#q1-2').check();
    assert.ok(await page.locator('#q1-2').isChecked(), name);
    assert.deepEqual((await audit(page)).violations, [], name);
    await page.context().close();
  }
});

/** Without a connection, what was entered stays in the form, and is there again after the page was left. */
test('what was entered behind a link is kept while there is no connection', async () => {
  const page = await guest();
  const { inquiry, url } = await linkTo(questions.text);
  const other = await linkTo(one);
  await page.goto(url);
  const field = page.getByRole('textbox').first();
  await field.fill('typed on a train');
  const offline = page.getByText('No connection. Your answer is kept; press Send again.');
  assert.ok(await offline.isHidden());
  await page.context().setOffline(true);
  await press(page, 'Send answer');
  await offline.waitFor();
  await audit(page);
  assert.equal(await field.inputValue(), 'typed on a train');
  await page.context().setOffline(false);
  await page.reload();
  await waitForEqual(() => field.inputValue(), 'typed on a train');
  // Nothing of it is in another form, which keeps what is chosen in it.
  await page.goto(other.url);
  assert.equal(await page.locator('input:checked').count(), 0);
  await page.getByLabel('MongoDB').check();
  await page.reload();
  await waitForEqual(() => page.getByLabel('MongoDB').isChecked(), true);
  await page.goto(url);
  await waitForEqual(() => field.inputValue(), 'typed on a train');
  await press(page, 'Send answer');
  assert.equal((await answersOf(it.server, inquiry.id))[0].text, 'typed on a train');
  const kept = () => page.evaluate(() => Object.keys(sessionStorage));
  await page.waitForFunction(() => Object.keys(sessionStorage).length === 1);
  assert.deepEqual(await kept(), [`askback-form:/q/${other.inquiry.id}`]);
  await page.context().close();
});
