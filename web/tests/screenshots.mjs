// Draws pictures of the pages: node tests/screenshots.mjs DIRECTORY [--all]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser } from './chromium.mjs';
import * as questions from './example-questions.mjs';
import { ask, questionElement, call, startServer } from './harness.mjs';

const directory = process.argv[2];
const all = process.argv.includes('--all');
mkdirSync(directory, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'askback-pictures-'));
const script = {
  steps: [
    {
      say: 'I looked at both options for the storage layer:\n\n- **PostgreSQL** grows with you, and is one more thing to run.\n- **SQLite** is a single file.\n\nBefore I write the schema, one decision is yours.',
      calls: [{ tool: 'ask_user_question', input: questions.single }],
    },
    { say: 'Done.' },
  ],
};
const server = await startServer({ data, script });
const chromium = await browser();
const response = await fetch(`${server.base}/?token=${server.token}`, { redirect: 'manual' });
const [name, value] = response.headers.get('set-cookie').split(';')[0].split('=');

/** A choice that a click sends. */
const choice = (page, inquiry, name) =>
  questionElement(page, inquiry).getByRole('button', { name });

/** Draws one picture. */
async function draw(
  file,
  {
    path,
    locale = 'en',
    colorScheme = 'light',
    width = 1180,
    height = 760,
    act = async () => {},
    only = false,
  },
) {
  const context = await chromium.newContext({
    locale,
    colorScheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
  });
  await context.addCookies([{ name, value, url: server.base }]);
  const page = await context.newPage();
  await page.goto(server.base + path);
  await page.locator('askback-question section, .apps label').first().waitFor();
  await act(page);
  const target = only ? page.locator('askback-question').first() : page;
  await target.screenshot({ path: join(directory, `${file}.png`) });
  await context.close();
}

const agents = [
  await ask(server, questions.single, { source: 'Claude Code in webshop' }),
  await ask(server, questions.kinds.several, { source: 'Codex in importer' }),
];
await draw('web-inbox', {
  path: `/inbox#${agents[0].id}`,
  height: 640,
  act: (page) => choice(page, agents[0], 'SQLite').hover(),
});
for (const { id } of agents) await call(server, 'POST', `/inquiries/${id}/withdraw`, {});

const { body } = await call(server, 'POST', '/conversations', {
  message: 'Set up storage for the service',
});
let waiting = [];
while (waiting.length === 0)
  waiting = (await call(server, 'GET', `/inquiries?status=pending`)).body.items;
const inquiries = {};
for (const [kind, input] of Object.entries(questions.kinds))
  if (all || ['several', 'three', 'range'].includes(kind))
    inquiries[kind] = await ask(server, input, {
      source: { several: 'builder', three: 'planner', range: 'reporter' }[kind] ?? 'builder',
    });

await draw('web-chat', {
  path: `/c/${body.id}`,
  act: (page) => choice(page, waiting[0], 'MongoDB').hover(),
});
await draw('web-chat-dark', {
  path: `/c/${body.id}`,
  colorScheme: 'dark',
  act: (page) => choice(page, waiting[0], 'SQLite').hover(),
});
await draw('web-narrow', {
  path: `/inbox#${inquiries.several.id}`,
  width: 360,
  height: 720,
  act: (page) => questionElement(page, inquiries.several).getByLabel('TypeScript').check(),
});
await draw('web-arabic', { path: `/inbox#${inquiries.range.id}`, locale: 'ar' });
if (all) {
  for (const [kind, inquiry] of Object.entries(inquiries)) {
    await draw(`kind-${kind}`, { path: `/inbox#${inquiry.id}` });
    await draw(`kind-${kind}-narrow-dark`, {
      path: `/inbox#${inquiry.id}`,
      width: 320,
      height: 700,
      colorScheme: 'dark',
    });
  }
  await draw('start', { path: '/' });
  const narrow = { width: 360, height: 1000 };
  for (const [kind, inquiry] of Object.entries(inquiries))
    await draw(`kind-${kind}-rtl`, { path: `/inbox#${inquiry.id}`, locale: 'ar', ...narrow });
  const share = (page) =>
    page
      .locator('askback-question .share summary')
      .click()
      .then(() => page.locator('svg.code').waitFor());
  await draw('link', { path: `/inbox#${inquiries.text.id}`, height: 1000, act: share });
  await draw('link-narrow-dark', {
    path: `/inbox#${inquiries.text.id}`,
    ...narrow,
    height: 1200,
    colorScheme: 'dark',
    act: share,
  });
  await draw('settings', {
    path: `/inbox#${inquiries.text.id}`,
    height: 1500,
    act: (page) => page.getByText('Settings').click(),
  });
  await draw('delete', {
    path: `/c/${body.id}`,
    act: (page) => page.getByRole('button', { name: 'Delete' }).click(),
  });
  const send = async (page) => {
    await choice(page, inquiries.single, 'SQLite').click();
    await page.locator('main .undo-bar button').waitFor();
  };
  await draw('undo', { path: `/inbox#${inquiries.single.id}`, act: send });
  const over = { gone: ['withdraw', {}], declined: ['decline', {}], cancelled: ['cancel', {}] };
  for (const [state, [way, params]] of Object.entries(over)) {
    const inquiry = await ask(server, questions.single);
    await call(server, 'POST', `/inquiries/${inquiry.id}/${way}`, params);
    await draw(`state-${state}`, { path: `/c/${inquiry.conversation_id}` });
  }
  const late = await ask(server, questions.single, { expires_in: '1s' });
  while ((await call(server, 'GET', `/inquiries/${late.id}?wait=2s`)).body.status === 'pending');
  await draw('state-expired-dark', {
    path: `/c/${late.conversation_id}`,
    colorScheme: 'dark',
    act: (page) => page.getByText('What the agent received').click(),
  });
  const plain = await chromium.newContext({
    javaScriptEnabled: false,
    viewport: { width: 700, height: 1100 },
  });
  await plain.addCookies([{ name, value, url: server.base }]);
  for (const kind of ['several', 'range', 'three']) {
    const page = await plain.newPage();
    await page.goto(`${server.base}/q/${inquiries[kind].id}`);
    await page.screenshot({ path: join(directory, `plain-${kind}.png`), fullPage: true });
    await page.close();
  }
  await plain.close();
}
await chromium.close();
await server.stop();
rmSync(data, { recursive: true, force: true });
