// Handing a question on in the browser: to a person, with a reason, without losing what was typed.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as questions from './example-questions.mjs';
import {
  ask,
  call,
  harness,
  questionElement,
  waitForInquiry,
  waitForEqual,
  waitForFocus,
} from './harness.mjs';

const config = join(mkdtempSync(join(tmpdir(), 'askback-hand-on-')), 'askback.toml');
writeFileSync(config, "[recipients.zoe]\nname = 'Zoë'\n[recipients.ben]\nname = 'Ben'\n");
const it = harness({ more: ['--config', config] });
/** Text without isolation marks. */
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

test('a question is handed on to a person, with a reason', async () => {
  const inquiry = await ask(it.server, questions.single, { recipient: 'zoe' });
  const context = await it.context();
  await context.addInitScript(() => localStorage.setItem('askback-actor', 'Mia'));
  const page = await it.open(`/inbox`, { context });
  const element = questionElement(page, inquiry);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await element.getByText('Hand on…').waitFor();
  await page
    .locator('.context')
    .getByText(/for .?Zoë/)
    .waitFor();
  assert.ok(!asked.includes('/recipients'), 'nobody is read before it is wanted');
  await element.getByLabel('MongoDB').check();
  await element.getByText('Hand on…').click();
  await element.getByLabel('Reason (optional)').fill('Ben knows it.');
  const offered = element.getByRole('button', { name: /Hand on to/ });
  await waitForEqual(async () => (await offered.allInnerTexts()).map(plain), ['Hand on to Ben']);
  await element.getByRole('button', { name: /Hand on to/ }).click();
  const now = await waitForInquiry(it.server, inquiry.id, ({ handed_on }) => handed_on);
  assert.equal(now.recipient_name, 'Ben');
  assert.equal(now.handed_on.reason, 'Ben knows it.');
  assert.equal(now.handed_on.surface, 'web');
  // Who has it now is said above the question, and why, where it was handed on.
  await page
    .locator('.context')
    .getByText(/for .?Ben/)
    .waitFor();
  await element.getByText(/Handed on to .?Ben.?: Ben knows it\./).waitFor();
  assert.ok(await element.getByLabel('MongoDB').isChecked(), 'the draft is kept');
  assert.deepEqual(page.complaints, []);
  // Whoever opens it later, here, in the conversation or through a link, reads who handed it on and why.
  const line = /Handed on to .?Ben.? by .?Mia.?: .?Ben knows it\./;
  for (const path of ['/inbox', `/c/${inquiry.conversation_id}`]) {
    await page.goto(it.server.base + path);
    await element.getByText(line).waitFor();
  }
  const { body } = await call(it.server, 'POST', `/inquiries/${inquiry.id}/links`, {});
  const guest = await (await it.context({ signedIn: false })).newPage();
  await guest.goto(body.url);
  await guest.getByText(line).waitFor();
});

/** Whoever hands on with Enter, and presses it again, does not send what is in the form; and the focus stays. */
test('Enter three times on a person does not send the draft', async () => {
  const inquiry = await ask(it.server, questions.text, { recipient: 'zoe' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const element = questionElement(page, inquiry);
  await element.getByRole('textbox').first().fill('draft only');
  await element.getByText('Hand on…').click();
  await element.getByRole('button', { name: /Hand on to .?Ben/ }).focus();
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Enter');
  const notice = element.locator('.share').getByText(/^Handed on to .?Ben/);
  await notice.waitFor();
  await waitForFocus(notice);
  await page.keyboard.press('Enter');
  const { held, status } = await waitForInquiry(it.server, inquiry.id, (now) => now.handed_on);
  assert.deepEqual([held, status], [undefined, 'pending']);
  assert.equal(await element.getAttribute('data-state'), 'asked');
  assert.equal(await element.getByRole('textbox').first().inputValue(), 'draft only');
  await page.context().close();
});

/** Whoever has the question open when it is handed on elsewhere is told, and keeps what they write. */
test('a hand-on elsewhere is shown in an open question', async () => {
  const inquiry = await ask(it.server, questions.text, { recipient: 'zoe' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const element = questionElement(page, inquiry);
  const field = element.getByRole('textbox').first();
  await field.fill('half a thought');
  const body = { recipient: 'ben', reason: 'Ben knows it.', revision: inquiry.revision };
  const path = `/inquiries/${inquiry.id}/hand-on`;
  const { status } = await call(it.server, 'POST', path, body, { 'X-Askback-Actor': 'Mia' });
  assert.ok(status < 300);
  await element.getByText(/Handed on to .?Ben.? by .?Mia.?: .?Ben knows it\./).waitFor();
  assert.equal(await field.inputValue(), 'half a thought');
  await waitForFocus(field);
  await page.context().close();
});

/** Whoever goes on writing while the question is handed on keeps the focus. */
test('a hand-on that takes long does not take the focus away', async () => {
  const inquiry = await ask(it.server, questions.text, { recipient: 'zoe' });
  const page = await it.open(`/inbox#${inquiry.id}`);
  const element = questionElement(page, inquiry);
  const field = element.getByRole('textbox').first();
  await field.waitFor();
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  await page.route('**/hand-on', async (route) => {
    await gate;
    await route.continue();
  });
  await element.getByText('Hand on…').click();
  await element.getByRole('button', { name: /Hand on to .?Ben/ }).click();
  await field.focus();
  release();
  await element
    .locator('.share')
    .getByText(/^Handed on to .?Ben/)
    .waitFor();
  await waitForFocus(field);
  await page.context().close();
});

/** A person for whom a question does not exist any more has neither its row nor an empty one, and the open question says so. */
test('a question that went to somebody else leaves the inbox of its person', async () => {
  const inquiry = await ask(it.server, questions.text, { recipient: 'zoe' });
  const other = await ask(it.server, questions.single, { recipient: 'zoe' });
  const { body } = await call(it.server, 'POST', '/sign-in-codes', { person: 'zoe' });
  const context = await it.context({ signedIn: false });
  const page = await context.newPage();
  await page.goto(body.url);
  await page.goto(`${it.server.base}/inbox#${inquiry.id}`);
  const element = questionElement(page, inquiry);
  await element.getByRole('textbox').first().waitFor();
  const row = (id) => page.locator(`li[data-id="${id}"]`);
  await row(inquiry.id).waitFor();
  await call(it.server, 'POST', `/inquiries/${inquiry.id}/hand-on`, { recipient: 'ben' });
  await row(inquiry.id).waitFor({ state: 'detached' });
  await page.locator(`askback-question[inquiry="${inquiry.id}"][data-state="missing"]`).waitFor();
  await row(other.id).waitFor();
  await context.close();
});
