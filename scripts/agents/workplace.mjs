// One agent in its window, and the server, inbox and browser page to which its questions go.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { AGENTS } from './agents.mjs';
import { isPending, startFakeLlm } from './fake-llm.mjs';
import { endLeftovers } from './leftovers.mjs';
import { Window, pause } from './window.mjs';

const askback = process.env.ASKBACK_BIN;
const WAIT_MAX_MS = Number(process.env.RUN_MAX ?? 180_000);
const QUESTION = /Which database should the service use/;
export const CHOICES = [
  { label: 'PostgreSQL', digit: '1' },
  { label: 'SQLite', digit: '2' },
];

/** Waits until `look()` returns something. */
export async function until(what, look) {
  const end = Date.now() + WAIT_MAX_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await pause(100);
  }
}

export class Workplace {
  /** The results that the model has read in this round, with the times of its requests. */
  results = [];
  /** The permission prompts that had to be answered, by session. */
  prompts = [];
  #files = mkdtempSync(join(tmpdir(), 'askback-window-'));
  #windows = [];

  /** `modules` has the agent, and `browser` shows the page. */
  constructor(name, { modules, browser }) {
    this.name = name;
    this.modules = modules;
    this.browser = browser;
    this.agent = AGENTS[name];
    this.home = join(this.#files, 'home');
    this.project = join(this.#files, 'webshop');
    mkdirSync(this.home);
    mkdirSync(this.project);
    execFileSync('git', ['init', '-q', this.project]);
  }

  async start() {
    this.fake = await startFakeLlm({
      tool: this.agent.tool,
      answer: new RegExp(CHOICES.map(({ label }) => label).join('|')),
      reply: (given) => `Read in round ${this.round}: ${given}`,
      since: () => `Round ${this.round}: ask me`,
      onResult: (text) => {
        this.results.push({ text, at: Date.now() });
      },
    });
    this.env = {
      PATH: `${join(this.modules, '.bin')}:${process.env.PATH}`,
      HOME: this.home,
      ...this.agent.env(this.fake.url),
    };
    this.agent.prepare?.(this.home, this.fake.url);
    this.agent.window.prepare?.(this.home);
    for (const [program, ...args] of this.agent.login?.(this.fake.url) ?? [])
      execFileSync(join(this.modules, '.bin', program), args, { env: this.env, cwd: this.project, stdio: 'ignore' });
    this.server = spawn(askback, ['serve', '--listen', '127.0.0.1:0'], { env: this.env });
    const [address] = await once(createInterface({ input: this.server.stdout }), 'line');
    this.address = new URL(address).origin;
    this.cli('install', ...(this.agent.install ?? [this.name]), '--yes');
    this.inbox = this.#open('inbox', [askback, 'inbox', '--undo', '0']);
    this.page = await this.#openPage();
  }

  /** Starts the agent and gets through what it asks before it takes a message. */
  async openAgent(session) {
    this.window?.close();
    const { command, ready, start } = this.agent.window;
    const [program, ...args] = command;
    const path = isAbsolute(program) ? program : join(this.modules, '.bin', program);
    this.window = this.#open(`agent${session}`, [path, ...args]);
    this.prompts.push([]);
    // Some look ready for a moment before they ask whether to trust the directory.
    do {
      await this.window.waitFor(ready, (screen) => this.#pressFor(screen, start));
      await pause(4000);
    } while (!ready.test(this.window.screen()));
  }

  /** Tells the agent to ask, and waits until the question is there. */
  async ask(round) {
    this.round = round;
    this.results = [];
    this.fake.forget();
    await this.#say(`Round ${round}: ask me which database to use`);
    const inquiry = await until(`round ${round}: the question`, async () => {
      await this.#pressFor(this.window.screen(), this.agent.window.start);
      await this.#allow();
      if (this.results.length)
        throw new Error(`nobody was asked in round ${round}, and the model read: ${this.results.at(-1).text}`);
      return this.list('pending')[0];
    });
    await this.page.goto(`${this.address}/inbox#${inquiry.id}`);
    await this.inbox.waitFor(QUESTION);
    return inquiry;
  }

  /** Lets time pass. Some agents ask for permission again, to wait longer. */
  async watch(ms) {
    const end = Date.now() + ms;
    for (let left = ms; left > 0; left = end - Date.now()) {
      await pause(Math.min(left, 5000));
      await this.#allow();
    }
  }

  /** How often the model has read in this round that there is no answer yet. Anything else is an error. */
  pendingResults() {
    const wrong = this.results.find(({ text }) => !isPending(text));
    if (wrong) throw new Error(`the agent did not wait, and the model read: ${wrong.text}`);
    return this.results.length;
  }

  /** What the model read after the answer, and how long that took. */
  async result(round, answer, given) {
    let asked = given;
    if (this.fake.hasEndedTurn()) {
      // The model was told to end its turn. Its next call gets the answer.
      this.fake.resume();
      await this.#say('I have answered.');
      asked = await until(`round ${round}: the next call`, () => this.fake.calledAt() > given && this.fake.calledAt());
    }
    const isAnswer = ({ text }) => text.includes(answer);
    const read = await until(`round ${round}: the result`, () => this.results.find(isAnswer));
    await this.window.waitFor(new RegExp(`Read in round ${round}`));
    const readings = this.results.filter(isAnswer);
    if (readings.length !== 1) throw new Error(`the answer of round ${round} was read ${readings.length} times`);
    return { text: read.text, seconds: (read.at - asked) / 1000, isNextCall: asked !== given };
  }

  /** What the inbox and the page say about an answer that was given elsewhere. */
  async said({ id }, { label }, { here, place }) {
    const verdict = this.page.locator(`askback-question[inquiry="${id}"] .verdict`);
    await verdict.waitFor({ timeout: WAIT_MAX_MS });
    const page = (await verdict.innerText()).replaceAll(/[\u2066-\u2069]/g, '');
    const isIt = (row) => row.includes('✔') && row.includes(label) && (here === 'inbox' || place.test(row));
    const row = await until(`what the inbox says about ${label}`, () => this.inbox.screen().split('\n').findLast(isIt));
    return { page: page.replaceAll(/\s+/g, ' ').trim(), inbox: row.slice(row.indexOf('✔')).trim() };
  }

  cli(...args) {
    return execFileSync(askback, args, { env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  list(status) {
    const lines = this.cli('list', '--status', status, '--json').split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line));
  }

  /** What the agent's window shows, without the directory of this run. */
  screen() {
    return this.window.screen().replaceAll(this.#files, '~');
  }

  async close() {
    await this.page?.context().close();
    if (process.env.KEEP) console.error(this.#files, this.inbox?.screen());
    for (const window of this.#windows) window.close();
    this.server?.kill();
    endLeftovers(this.home);
    this.fake?.close();
    if (!process.env.KEEP) rmSync(this.#files, { recursive: true, force: true });
  }

  async #say(text) {
    // A window that is still being drawn takes no keys.
    await until(`the text "${text}" in the window`, async () => {
      this.window.type(text);
      await pause(1500);
      return this.window.screen().includes(text);
    });
    await this.window.press('Enter');
  }

  #open(name, command) {
    const socket = `askback-${process.pid}-${this.name.replaceAll(/\W+/g, '-')}-${name}`;
    const window = new Window(socket, command, { env: this.env, cwd: this.project });
    this.#windows.push(window);
    return window;
  }

  async #openPage() {
    const token = readFileSync(join(this.home, '.local/share/askback/token'), 'utf8').trim();
    const context = await this.browser.newContext({ locale: 'en-US' });
    await context.addInitScript(() => localStorage.setItem('askback-undo', '0'));
    const page = await context.newPage();
    await page.goto(`${this.address}/?token=${token}`);
    await page.goto(`${this.address}/inbox`);
    return page;
  }

  /** Answers a permission prompt if there is one, and notes it. */
  async #allow() {
    const prompt = await this.#pressFor(this.window.screen(), this.agent.window.permission);
    if (prompt) this.prompts.at(-1).push(prompt.name);
  }

  /** Presses the keys for the first of the prompts that the screen shows. */
  async #pressFor(screen, prompts = []) {
    const prompt = prompts.find(({ shows }) => shows.test(screen));
    if (!prompt) return undefined;
    // A prompt that is just being drawn takes no keys yet.
    await pause(700);
    if (!prompt.shows.test(this.window.screen())) return undefined;
    await this.window.press(...prompt.keys);
    await pause(1500);
    return prompt;
  }
}
