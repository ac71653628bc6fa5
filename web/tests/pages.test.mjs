// The pages as a whole: sizes, other origins, print, zoom, languages, no script, other people's pages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as questions from './questions.mjs';
import { answersOf, ask, block, call, inState, stage } from './stage.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const HOST_PORT = 20_000 + (process.pid % 20_000);
const it = stage({ more: ['--allow-origin', `http://127.0.0.1:${HOST_PORT}`] });
const examples = join(here, '..', '..', 'examples', 'web');

/** Somebody else's site, with the examples on it. */
const types = { '.html': 'text/html', '.js': 'text/javascript' };
const host = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://host');
  const file = join(examples, pathname.slice(1));
  if (!/^\/[\w.-]+$/.test(pathname) || !existsSync(file)) return response.writeHead(404).end();
  return response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
});
before(() => new Promise((resolve) => { host.listen(HOST_PORT, '127.0.0.1', resolve); }));
after(() => { host.closeAllConnections(); host.close(); });

/** W29: the first load stays within its budget, and nothing leaves the origin. */
test('the first load is small and stays at home', async () => {
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context();
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const sizes = new Map();
  const urls = new Map();
  cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  // What the bodies weigh on the way; headers are apart.
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => sizes.set(urls.get(requestId), (sizes.get(urls.get(requestId)) ?? 0) + encodedDataLength));
  await page.goto(`${it.server.base}/c/${inquiry.conversation_id}`);
  await block(page, inquiry).locator('form').waitFor();
  assert.deepEqual([...urls.values()].filter((url) => !url.startsWith(it.server.base)), []);
  const files = [...sizes].filter(([url]) => /\/web\/|\/strings\/|\/c\//.test(url));
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(files.length > 20 && total > 20_000, 'the sizes were seen');
  assert.ok(total <= 45 * 1024, `${total} bytes`);
  const locale = files.find(([url]) => url.includes('/strings/'));
  assert.ok(locale[1] <= 4 * 1024, `the locale has ${locale[1]} bytes`);
  await context.close();
});

/** W29: in another site, with one module and a token, a question is answered. */
test('the element works in a page of another site', async () => {
  const inquiry = await ask(it.server, questions.single);
  const context = await it.context({ signedIn: false });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${HOST_PORT}/plain.html?server=${it.server.base}&inquiry=${inquiry.id}&token=${it.server.token}`);
  await block(page, inquiry).getByLabel('MongoDB').check();
  await block(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  assert.deepEqual((await answersOf(it.server, inquiry.id))[0].values, ['MongoDB']);
  await inState(page, inquiry, 'replied');
  await page.waitForFunction(() => document.title === 'Done: answered');
  const other = await ask(it.server, questions.single);
  await block(page, inquiry).evaluate((node, id) => node.setAttribute('inquiry', id), other.id);
  await block(page, other).locator('form').waitFor();
  await call(it.server, 'POST', `/inquiries/${other.id}/decline`, {});
  await inState(page, other, 'declined');
  await context.close();
});

/** W23: on paper there are the question, its options and the answer, and no buttons. */
test('print has the question and no buttons', async () => {
  const inquiry = await ask(it.server, questions.single);
  const page = await it.show(inquiry);
  await page.emulateMedia({ media: 'print' });
  const text = await block(page, inquiry).evaluate((node) => node.shadowRoot.querySelector('section').innerText);
  for (const word of ['Which database', 'PostgreSQL', 'MongoDB', 'SQLite']) assert.ok(text.includes(word), word);
  assert.equal(await block(page, inquiry).locator('button:visible').count(), 0);
  assert.equal(await page.locator('nav:visible, .dock:visible').count(), 0);
  assert.ok((await page.pdf()).length > 1000);
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/answer`, { answers: { q1: 'MongoDB' } });
  await inState(page, inquiry, 'replied');
  assert.match(await block(page, inquiry).locator('.answer').innerText(), /MongoDB/);
  await page.context().close();
});

/** W19: 400 % zoom is a screen of 320 px; nothing scrolls sideways and nothing is cut off. */
test('four hundred per cent zoom reflows', async () => {
  const inquiry = await ask(it.server, questions.three);
  const page = await it.show(inquiry, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  const clipped = await block(page, inquiry).evaluate((node) => [...node.shadowRoot.querySelectorAll('*')].filter((each) => each.checkVisibility() && !each.closest('.unseen') && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1).map((each) => each.className || each.tagName));
  assert.deepEqual(clipped, []);
  await page.context().close();
});

/** W27: right to left, the marks are on the right and numbers keep their direction. */
test('Arabic and Hebrew run from right to left', async () => {
  for (const locale of ['ar', 'he']) {
    const inquiry = await ask(it.server, questions.single);
    const page = await it.show(inquiry, { locale });
    assert.equal(await page.evaluate(() => `${document.documentElement.dir} ${document.documentElement.lang}`), `rtl ${locale}`);
    const places = await block(page, inquiry).evaluate((node) => {
      const card = node.shadowRoot.querySelector('.card');
      return { radio: card.querySelector('input').getBoundingClientRect().right, label: card.querySelector('bdi').getBoundingClientRect().right, isolated: card.querySelector('bdi') !== null, code: node.shadowRoot.querySelector('pre').dir };
    });
    assert.ok(places.radio > places.label, `${locale}: the radio is to the right of its label`);
    assert.equal(places.code, 'ltr');
    await page.context().close();
  }
});

/** W28: in the pseudo-language every word of ours is disguised, and nothing overflows. */
test('no word stays untranslated', async () => {
  const inquiry = await ask(it.server, questions.three);
  const context = await it.context({ locale: 'en-US', viewport: { width: 320, height: 800 } });
  await context.addCookies([{ name: 'askback_locale', value: 'en-XA', url: it.server.base }]);
  const page = await it.open(`/c/${inquiry.conversation_id}`, { context });
  await block(page, inquiry).locator('form').waitFor();
  const texts = await block(page, inquiry).evaluate((node) => [...node.shadowRoot.querySelectorAll('button, summary, .who, .optional')].map((each) => [...each.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join('').trim()).filter(Boolean));
  const plain = texts.filter((text) => /^[\u2068\u2069 -~·✔○–]*$/.test(text) && /[a-z]{3}/i.test(text));
  assert.deepEqual(plain, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await context.close();
});

/** W04: the policy of the specification comes with every page, and nothing breaks it. */
test('the policy is strict and kept', async () => {
  const inquiry = await ask(it.server, questions.date);
  const page = await it.show(inquiry);
  const policy = (await fetch(`${it.server.base}/`, { headers: { Authorization: `Bearer ${it.server.token}` } })).headers.get('content-security-policy');
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), part);
  await block(page, inquiry).getByRole('button', { name: 'Tomorrow' }).click();
  await block(page, inquiry).getByRole('button', { name: 'Send answer' }).click();
  await inState(page, inquiry, 'replied');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
