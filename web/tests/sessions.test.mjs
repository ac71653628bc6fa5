// A browser is signed in with a session of its own, and out again, in every tab.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, harness, waitForFocus } from './harness.mjs';

const it = harness();

/** The cookies of a context that hold a session. */
const sessionCookies = async (context) =>
  (await context.cookies()).filter(({ name }) => name.startsWith('askback_session'));

/** Opens the printed address in a browser that has never been here. */
async function signIn(context) {
  const page = await context.newPage();
  await page.goto(`${it.server.base}/?token=${it.server.token}`);
  await page.locator('.settings summary').waitFor();
  assert.equal(page.url(), `${it.server.base}/inbox`);
  return page;
}

test('signing out ends the session in every tab and shows how to sign in', async () => {
  const context = await it.context({ signedIn: false });
  const page = await signIn(context);
  const other = await context.newPage();
  await other.goto(`${it.server.base}/inbox`);
  await other.locator('.settings summary').waitFor();
  const [cookie, ...more] = await sessionCookies(context);
  assert.deepEqual(more, []);
  assert.equal(cookie.name, `askback_session_${new URL(it.server.base).port}`);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
  assert.equal(await page.evaluate(() => document.cookie.includes('askback_session')), false);
  await page.locator('.settings summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const each of [page, other])
    await each
      .getByText('To sign in, open the link that askback printed in the terminal')
      .waitFor();
  assert.deepEqual(await sessionCookies(context), []);
  // Somebody who copied the cookie before has nothing.
  const stolen = await fetch(`${it.server.base}/inquiries`, {
    headers: { Cookie: `${cookie.name}=${cookie.value}` },
  });
  assert.equal(stolen.status, 401);
  await signIn(context);
  await context.close();
});

test('the sign-in page takes the token, without scripts', async () => {
  const context = await it.context({ signedIn: false, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${it.server.base}/inbox`);
  const field = page.getByLabel('Token');
  await waitForFocus(field);
  await field.fill('not-the-token-of-it');
  await field.press('Enter');
  await page.getByRole('alert').getByText('This is not the token of this server.').waitFor();
  await waitForFocus(field);
  assert.equal(await field.inputValue(), '');
  await field.fill(it.server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${it.server.base}/inbox`);
  assert.equal((await sessionCookies(context)).length, 1);
  await context.close();
});

test('a session that is ended elsewhere closes the page', async () => {
  const context = await it.context({ signedIn: false });
  const page = await signIn(context);
  const { body } = await call(it.server, 'GET', '/sessions');
  for (const { id } of body.items)
    assert.equal((await call(it.server, 'DELETE', `/sessions/${id}`)).status, 204);
  await page.getByText('To sign in, open the link that askback printed in the terminal').waitFor();
  await context.close();
});

test('a page of another port reads nothing and changes nothing', async () => {
  const context = await it.context({ signedIn: false });
  await signIn(context);
  const { createServer } = await import('node:http');
  const evil = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>evil</title>');
  });
  await new Promise((resolve) => {
    evil.listen(0, '127.0.0.1', resolve);
  });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  const got = await page.evaluate(async (base) => {
    const attempt = (path, options) =>
      fetch(base + path, { credentials: 'include', ...options }).then(
        (response) => response.type,
        () => 'failed',
      );
    return [
      await attempt('/inquiries'),
      await attempt('/sign-out', { method: 'POST' }),
      await attempt('/sign-out', { method: 'POST', mode: 'no-cors' }),
      await attempt('/q/inq_1', {
        method: 'POST',
        mode: 'no-cors',
        body: new URLSearchParams({ 'action-cancel': 'x' }),
      }),
      await new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('failed');
        image.src = `${base}/inquiries`;
      }),
      await new Promise((resolve) => {
        const source = new EventSource(`${base}/events`, { withCredentials: true });
        source.onopen = () => resolve('open');
        source.onerror = () => {
          source.close();
          resolve('failed');
        };
      }),
    ];
  }, it.server.base);
  assert.deepEqual(
    got.map((each) => each === 'opaque' || each === 'failed'),
    got.map(() => true),
    String(got),
  );
  assert.equal((await sessionCookies(context)).length, 1);
  const { body } = await call(it.server, 'GET', '/sessions');
  assert.equal(body.items.length, 1, 'nobody was signed out');
  evil.close();
  await context.close();
});
