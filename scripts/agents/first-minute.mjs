// The first minute of somebody who uses Claude Code and has just got the binary: node first-minute.mjs DIRECTORY
//
// From a home directory without anything of askback to the answer that the model reads, twice: answered with a key in
// `askback inbox`, and with a tap in a browser of the size of a phone. The person types as fast as 60 words a minute, reads each
// word that askback or Claude Code's question puts on the screen at 250 words a minute, and knows Claude Code: its offers are
// answered, not read. Prints a table of every key and every text on the way, with the seconds by the clock. MINUTE (60 unless
// set) is what may not be exceeded. KEYS (12) is how often something may be pressed, where a line that is typed and sent counts
// as one.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AUTO_MODE_OFFER } from './agents.mjs';
import { startFakeLlm } from './fake-llm.mjs';
import { endLeftovers } from './leftovers.mjs';
import { Window, pause } from './window.mjs';
import { until } from './workplace.mjs';

const modules = join(resolve(process.argv[2]), 'node_modules');
const MINUTE_MS = Number(process.env.MINUTE ?? 60) * 1000;
const KEYS_MAX = Number(process.env.KEYS ?? 12);
const KEY_MS = 200;
const WORD_MS = 240;
const PHONE = { width: 390, height: 844 };
const MESSAGE = 'Ask me something';
const INTRODUCTION = `# The first minute

\`scripts/real-agents --first-minute\` writes this page. Do not edit it.

Somebody who uses Claude Code has just got the binary: from a home directory without anything of askback to the answer that the
model reads, by the clock. They type 60 words a minute, read every word that is new on the screen at 250 words a minute, and
answer offers of Claude Code without reading them. Claude Code is the real one from npm, in a terminal (tmux), with a fake model. The
answer waits five seconds for an undo before the agent gets it; they are part of the time. A line that is typed and sent counts as one press.
`;

const require = createRequire(resolve(import.meta.dirname, '../../web/package.json'));
const { chromium, devices } = require('playwright-core');

/** What a person does at a screen, by the clock. */
class Person {
  rows = [];
  /** Every key and tap, and how many there are if a typed line counts as one. */
  keys = 0;
  presses = 0;
  words = 0;
  #begun = Date.now();
  #read = new Set();
  #typed = [];

  note(does) {
    this.rows.push({ does, seconds: (Date.now() - this.#begun) / 1000 });
  }

  /** Types a text, one key after the other. */
  async type(window, text, then) {
    for (const key of text) {
      window.type(key);
      await pause(KEY_MS);
    }
    if (then) await window.press(then);
    this.#typed.push(text);
    this.#count(text.length + (then ? 1 : 0));
    this.note(`typed \`${text}\`${then ? `, ${then}` : ''} (${text.length + (then ? 1 : 0)} keys)`);
  }

  async press(window, key, why) {
    await window.press(key);
    this.#count(1);
    this.note(`pressed \`${key}\`${why}`);
  }

  async tap(locator, what) {
    await locator.tap();
    this.#count(1);
    this.note(`tapped ${what}`);
  }

  #count(keys) {
    this.keys += keys;
    this.presses += 1;
  }

  /** A line of the screen without what was typed behind it. */
  #withoutTyped(line) {
    const text = this.#typed.find((typed) => line.endsWith(` ${typed}`));
    return text ? line.slice(0, -text.length).trim() : line;
  }

  /** Reads what is new on a screen. */
  async read(screen) {
    const rows = screen.split('\n').map((row) => row.replaceAll(/[╭╰─│╮╯┃█▀▄>•❯○]/g, ' ').trim());
    // Nobody reads what they have typed.
    const lines = rows.map((row) => this.#withoutTyped(row));
    const fresh = lines.filter((line) => /^[^$]*\p{L}/u.test(line) && !/^\$ /.test(line) && !this.#read.has(line));
    for (const line of fresh) this.#read.add(line);
    // An address is recognised, not read.
    const words = fresh.join(' ').split(/\s+/).filter((word) => /\p{L}/u.test(word) && !/^http/.test(word));
    this.words += words.length;
    await pause(words.length * WORD_MS);
    this.note(`read ${words.length} words: ${words.join(' ')}`);
  }
}

/** Home, project and the two windows of one run. */
class Desk {
  #windows = [];
  // Not below /tmp: the binary would say that it may be removed there.
  #files = mkdtempSync(join(homedir(), '.askback-first-minute-'));
  home = join(this.#files, 'home');

  async prepare() {
    const bin = join(this.home, 'bin');
    const project = join(this.home, 'webshop');
    mkdirSync(bin, { recursive: true });
    mkdirSync(project);
    copyFileSync(process.env.ASKBACK_BIN, join(bin, 'askback'));
    execFileSync('git', ['init', '-q', project]);
    this.project = project;
    // What the model read of the answer, and when.
    this.fake = await startFakeLlm({
      tool: 'AskUserQuestion',
      answer: /PostgreSQL|SQLite/,
      since: () => MESSAGE,
      onResult: (text) => {
        this.given = text;
      },
    });
    this.env = {
      PATH: `${bin}:${join(modules, '.bin')}:/usr/bin:/bin`,
      HOME: this.home,
      PS1: '$ ',
      ANTHROPIC_BASE_URL: this.fake.url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    // Somebody who has worked with Claude Code in this project before.
    const used = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['dummy'], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(join(this.home, '.claude.json'), JSON.stringify(used));
    mkdirSync(join(this.home, '.claude'));
    const settings = { permissions: { defaultMode: 'default' } };
    writeFileSync(join(this.home, '.claude/settings.json'), JSON.stringify(settings));
  }

  async shell(name) {
    const command = ['bash', '--norc', '--noprofile'];
    const window = new Window(`first-minute-${process.pid}-${name}`, command, { env: this.env, cwd: this.project });
    this.#windows.push(window);
    await window.waitFor(/\$/);
    return window;
  }

  close() {
    for (const window of this.#windows) window.close();
    endLeftovers(this.home);
    this.fake?.close();
    rmSync(this.#files, { recursive: true, force: true });
  }
}

/** Sets up Claude Code in a shell. */
async function install(person, shell) {
  await person.type(shell, 'askback install', 'Enter');
  await person.read(await shell.waitFor(/Write this\?/));
  await person.type(shell, 'y', 'Enter');
  await person.read(await shell.waitFor(/Done\.[\s\S]*\n\$/));
}

/** Lets Claude Code ask. */
async function letAsk(person, claude) {
  await person.type(claude, 'claude', 'Enter');
  const started = /shift\+tab to cycle|for shortcuts/;
  await claude.waitFor(started, async (screen) => {
    if (!AUTO_MODE_OFFER.shows.test(screen)) return;
    for (const key of AUTO_MODE_OFFER.keys) await person.press(claude, key, ': no auto mode, which Claude Code offers');
    await claude.waitFor(started);
  });
  person.note('Claude Code has started');
  await person.type(claude, MESSAGE, 'Enter');
}

async function waitForModel(person, desk, claude) {
  await until('what the model read', () => desk.given);
  await claude.waitFor(/The user answered: (PostgreSQL|SQLite)/);
  person.note(`the model has read: ${desk.given}`);
}

async function inTerminal(desk) {
  const person = new Person();
  const shell = await desk.shell('shell');
  await install(person, shell);
  await person.type(shell, 'askback inbox', 'Enter');
  await person.read(await shell.waitFor(/No questions waiting/));
  const claude = await desk.shell('claude');
  await letAsk(person, claude);
  await shell.waitFor(/SQLite/);
  await person.read(shell.screen());
  await person.press(shell, '2', ', which answers');
  await waitForModel(person, desk, claude);
  return person;
}

async function onPhone(desk) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const context = await browser.newContext({ ...devices['Pixel 5'], viewport: PHONE, locale: 'en-US' });
    const phone = await context.newPage();
    const person = new Person();
    const shell = await desk.shell('shell');
    await install(person, shell);
    await person.type(shell, 'askback serve --phone', 'Enter');
    const shown = await shell.waitFor(/sign-in=\S+[\s\S]*It signs in/);
    await person.read(shown);
    await phone.goto(shown.match(/http\S+sign-in=\S+/)[0]);
    await phone.getByRole('heading', { name: 'Inbox' }).first().waitFor();
    person.note('scanned the code: the phone is signed in');
    await phone.getByRole('heading', { name: 'All caught up' }).waitFor();
    await person.read(await phone.locator('main').innerText());
    const claude = await desk.shell('claude');
    await letAsk(person, claude);
    const row = phone.getByText('Which database should the service use?').first();
    await row.waitFor({ timeout: 120_000 });
    person.note('the question is on the phone');
    const choice = phone.locator('askback-question').getByRole('button', { name: 'SQLite' });
    if (!(await choice.isVisible())) {
      await person.tap(row, 'the question');
    }
    await choice.waitFor();
    // What is only for screen readers is not on the screen.
    const onScreen = (section) => [...section.querySelectorAll('header .chip, form, .share summary')].map((it) => it.innerText).join('\n');
    await person.read(await phone.locator('askback-question section').first().evaluate(onScreen));
    await person.tap(choice, '`SQLite`, which answers');
    await waitForModel(person, desk, claude);
    if (process.env.SHOT) await phone.screenshot({ path: process.env.SHOT });
    return person;
  } finally {
    await browser.close();
  }
}

let hasFailed = false;
const sections = [];
for (const [title, act] of Object.entries({ 'With a key in `askback inbox`': inTerminal, 'With a tap on a phone': onPhone })) {
  const desk = new Desk();
  try {
    await desk.prepare();
    const { rows, keys, presses, words } = await act(desk);
    const total = rows.at(-1).seconds;
    hasFailed ||= total * 1000 > MINUTE_MS || presses > KEYS_MAX;
    // A long path may be wrapped on the screen.
    const cell = (text) => text.replaceAll(/[^\s"]*\.askback-first\s*-minute-\w+\/home/g, '~').replaceAll('|', '\\|');
    const table = rows.map(({ does, seconds }) => `| ${seconds.toFixed(1)} | ${cell(does)} |`);
    const sum = `${total.toFixed(1)} s, ${presses} presses (${keys} keys), ${words} words`;
    const section = `## ${title}: ${sum}\n\n| second | what the person did or saw |\n|---|---|\n${table.join('\n')}\n`;
    console.log(`\n${section}`);
    sections.push(section);
  } finally {
    desk.close();
  }
}
if (process.env.REPORT && !hasFailed) writeFileSync(process.env.REPORT, [INTRODUCTION, ...sections].join('\n'));
process.exit(hasFailed ? 1 : 0);
