// Links to one question: made in the browser, shown as a QR code and as text, and limited to that question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import { answersOf, ask, harness, questionElement, waitForState } from './harness.mjs';

const it = harness();
/** Text without isolation marks. */
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/** The dark modules that the paths of a code draw. */
function modulesOf(path, side) {
  const rows = Array.from({ length: side }, () => Array(side).fill('0'));
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    rows[y].fill('1', Number(x), Number(x) + Number(run));
  return rows.map((each) => each.join(''));
}

/** A link made in the browser answers this question, once, and says so everywhere. */
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
  await element.getByText('Only this computer can open this address').waitFor();
  await element.getByText(/Valid until/).waitFor();
  // It stays over a change of the form, and no second one is made.
  await element.getByRole('button', { name: 'Send answer' }).click();
  await element.locator('.error').waitFor();
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
  await there.getByText('Thanks, builder goes on.').waitFor();
  await waitForState(page, inquiry, 'replied');
  assert.match(plain(await element.locator('.verdict').innerText()), /Answered through a link/);
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
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({
      response,
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
