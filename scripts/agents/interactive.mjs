// Drives real agents in their own windows, as a person does: node interactive.mjs DIRECTORY [AGENT…]
//
// Each agent gets a home directory of its own, is set up by nothing but `askback install`, and runs in a terminal
// (tmux) with its default permissions. A fake model asks the same question four times, three times in one session
// and once in a new one, and the person answers each time at another place:
// - in `askback inbox`, with a key
// - in the browser, with clicks
// - in the agent's own dialog, or from the command line if the agent has none
// - in the inbox after LATE seconds (600 unless set)
// A round passes if the person was asked anew, the agent waited, and the model read the answer of this round, once.
// Prints a table with what the model read, and the seconds from the stored answer to the model's next request.
// What each window showed while it waited is written to DIRECTORY/windows.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { AGENTS, version } from './agents.mjs';
import { startFakeLlm } from './fake-llm.mjs';
import { endLeftovers } from './leftovers.mjs';
import { Window, pause } from './window.mjs';

const directory = resolve(process.argv[2]);
const modules = join(directory, 'node_modules');
const chosen = process.argv.slice(3);
const askback = process.env.ASKBACK_BIN;
const LATE_MS = Number(process.env.LATE ?? 600) * 1000;
const WAIT_MAX_MS = Number(process.env.RUN_MAX ?? 180_000);
const CHOICES = [
  { label: 'PostgreSQL', digit: '1' },
  { label: 'SQLite', digit: '2' },
];

const require = createRequire(resolve(import.meta.dirname, '../../web/package.json'));
const { chromium } = require('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** Waits until `look()` returns something. */
async function until(what, look) {
  const end = Date.now() + WAIT_MAX_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await pause(100);
  }
}

/** One agent, and the server, inbox and browser to which its questions go. */
class Workplace {
  /** The results that the model has read, with the times of its requests. */
  results = [];
  /** How many permission prompts had to be answered. */
  prompts = 0;
  #files = mkdtempSync(join(tmpdir(), 'askback-window-'));
  #windows = [];
  /** How many results belong to earlier rounds. */
  #before = 0;

  constructor(name) {
    this.name = name;
    this.agent = AGENTS[name];
    this.home = join(this.#files, 'home');
    this.project = join(this.#files, 'webshop');
    this.data = join(this.#files, 'data');
    mkdirSync(this.home);
    mkdirSync(this.project);
    execFileSync('git', ['init', '-q', this.project]);
  }

  async start() {
    this.fake = await startFakeLlm({
      tool: this.agent.tool,
      answer: new RegExp(CHOICES.map(({ label }) => label).join('|')),
      reply: (given) => `Read in round ${this.round}: ${given}`,
      earlier: () => this.#before,
      onResult: (text) => {
        this.results.push({ text, at: Date.now() });
      },
    });
    this.env = {
      PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
      HOME: this.home,
      ASKBACK_DATA: this.data,
      ...this.agent.env(this.fake.url),
    };
    this.agent.prepare?.(this.home, this.fake.url);
    this.agent.window.prepare?.(this.home, this.project);
    for (const [program, ...args] of this.agent.login?.(this.fake.url) ?? [])
      execFileSync(join(modules, '.bin', program), args, { env: this.env, cwd: this.project, stdio: 'ignore' });
    this.server = spawn(askback, ['serve', '--listen', '127.0.0.1:0'], { env: this.env });
    const [address] = await once(createInterface({ input: this.server.stdout }), 'line');
    this.address = new URL(address).origin;
    this.cli('install', ...(this.agent.install ?? [this.name]), '--yes');
    this.inbox = this.#open('inbox', [askback, 'inbox', '--undo', '0']);
    this.page = await this.#openPage();
  }

  /** Starts the agent and gets through what it asks before it takes a message. */
  async openAgent(number) {
    this.window?.close();
    const { command, ready, start = [] } = this.agent.window;
    const [program, ...args] = command;
    this.window = this.#open(`agent${number}`, [isAbsolute(program) ? program : join(modules, '.bin', program), ...args]);
    this.#before = 0;
    this.results = [];
    this.fake.forget();
    await this.window.waitFor(ready, (screen) => this.#pressFor(screen, start));
    await pause(1000);
  }

  /** Tells the agent to ask, and waits until the question is there. */
  async ask(round) {
    this.#before = this.results.length;
    this.round = round;
    const { submit = ['Enter'], permission = [] } = this.agent.window;
    this.window.type(`Round ${round}: ask me which database to use`);
    await pause(700);
    await this.window.press(...submit);
    return until(`round ${round}: the question`, async () => {
      this.prompts += (await this.#pressFor(this.window.screen(), permission)) ? 1 : 0;
      if (this.results.length > this.#before)
        throw new Error(`nobody was asked in round ${round}, and the model read: ${this.results.at(-1).text}`);
      return this.list('pending')[0];
    });
  }

  /** What the model read after the answer, and how long that took. */
  async result(round, answer, given) {
    const read = await until(`round ${round}: the result`, () =>
      this.results.slice(this.#before).find(({ text }) => text.includes(answer)),
    );
    await this.window.waitFor(new RegExp(`Read in round ${round}`));
    const readings = this.results.slice(this.#before).filter(({ text }) => text.includes(answer));
    if (readings.length !== 1) throw new Error(`the answer of round ${round} was read ${readings.length} times`);
    return { text: read.text, seconds: (read.at - given) / 1000 };
  }

  cli(...args) {
    return execFileSync(askback, args, { env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  list(status) {
    const lines = this.cli('list', '--status', status, '--json').split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line));
  }

  /** What the agent's window shows, for the record. */
  keepScreen(round) {
    mkdirSync(join(directory, 'windows'), { recursive: true });
    writeFileSync(join(directory, 'windows', `${this.name} ${round}.txt`), `${this.window.screen()}\n`);
  }

  async close() {
    await this.page?.context().close();
    for (const window of this.#windows) window.close();
    this.server?.kill();
    endLeftovers(this.home);
    this.fake?.close();
    if (process.env.KEEP) console.error(this.#files);
    else rmSync(this.#files, { recursive: true, force: true });
  }

  #open(name, command) {
    const socket = `askback-${process.pid}-${this.name.replaceAll(/\W+/g, '-')}-${name}`;
    const window = new Window(socket, command, { env: this.env, cwd: this.project });
    this.#windows.push(window);
    return window;
  }

  async #openPage() {
    const token = readFileSync(join(this.data, 'token'), 'utf8').trim();
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await page.goto(`${this.address}/?token=${token}`);
    await page.goto(`${this.address}/inbox`);
    return page;
  }

  /** Presses the keys for the first of the prompts that the screen shows. */
  async #pressFor(screen, prompts) {
    const prompt = prompts.find(({ shows }) => shows.test(screen));
    if (!prompt) return false;
    await this.window.press(...prompt.keys);
    await pause(1500);
    return true;
  }
}

/** Answers with a key in `askback inbox`. */
async function inInbox(workplace, _inquiry, { digit }) {
  await workplace.inbox.waitFor(/Which database should the service use/);
  await pause(1000);
  await workplace.inbox.press(digit);
}

/** Answers with clicks in the browser. */
async function inBrowser(workplace, { id }, { label }) {
  await workplace.page.goto(`${workplace.address}/inbox#${id}`);
  const question = workplace.page.locator(`askback-question[inquiry="${id}"]`);
  await question.getByText(label, { exact: true }).click();
  const send = question.getByRole('button', { name: 'Send' });
  if (await send.isVisible()) await send.click();
}

/** Answers in the agent's own dialog. */
async function inDialog(workplace, _inquiry, choice) {
  const { dialog } = workplace.agent.window;
  await workplace.window.waitFor(dialog.shows);
  await workplace.window.press(...dialog.keys(choice));
}

/** Answers with a command. */
async function inCommand(workplace, { id }, { label }) {
  workplace.cli('answer', id, '--choose', label);
}

/** Runs all rounds of one agent. */
async function drive(name) {
  const workplace = new Workplace(name);
  const rounds = [
    { surface: 'inbox', answer: inInbox },
    { surface: 'browser', answer: inBrowser },
    workplace.agent.window.dialog
      ? { surface: 'own dialog', answer: inDialog }
      : { surface: 'command line', answer: inCommand },
    { surface: `inbox after ${LATE_MS / 1000} s`, answer: inInbox, isLate: true },
  ];
  const rows = [];
  try {
    await workplace.start();
    for (const [index, { surface, answer, isLate }] of rounds.entries()) {
      const round = index + 1;
      if (round === 1 || isLate) await workplace.openAgent(round);
      const inquiry = await workplace.ask(round);
      await pause(isLate ? LATE_MS : 3000);
      workplace.keepScreen(round);
      const choice = CHOICES[round % CHOICES.length];
      await answer(workplace, inquiry, choice);
      const given = await until(`round ${round}: the outcome`, () =>
        workplace.list('all').find(({ id, outcome }) => id === inquiry.id && outcome),
      );
      const { text, seconds } = await workplace.result(round, choice.label, Date.parse(given.resolved_at));
      rows.push([name, version(modules, name), surface, `${seconds.toFixed(1)} s`, quote(text)]);
      console.error(rows.at(-1).join(' | '));
    }
    const asked = workplace.list('all').length;
    if (asked !== rounds.length) throw new Error(`${asked} questions were asked in ${rounds.length} rounds`);
    rows.push([name, '', 'permission prompts', String(workplace.prompts), '']);
  } catch (error) {
    rows.push([name, version(modules, name), `round ${rows.length + 1}`, 'FAILED', error.message.split('\n')[0]]);
    console.error(`${name}: ${error.message}\n${workplace.window?.screen() ?? ''}`);
  } finally {
    await workplace.close();
  }
  return rows;
}

/** A text as a cell of a table. */
const quote = (text) => `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'").slice(0, 240)}\``;

const names = chosen.length ? chosen : Object.keys(AGENTS).filter((name) => AGENTS[name].window);
const tables = [];
// Two at a time: most of the time they wait.
const queue = [...names];
await Promise.all(
  Array.from({ length: Number(process.env.AT_ONCE ?? 2) }, async () => {
    for (let name = queue.shift(); name; name = queue.shift()) tables.push(...(await drive(name)));
  }),
);
await browser.close();
console.log('| agent | version | answered in | after | what the model read |\n|---|---|---|---|---|');
for (const row of tables.sort(([one], [other]) => names.indexOf(one) - names.indexOf(other)))
  console.log(`| ${row.join(' | ')} |`);
process.exit(tables.some((row) => row[3] === 'FAILED') ? 1 : 0);
