// Drives real agents in their own windows, as a person does: node interactive.mjs DIRECTORY [AGENT…]
//
// Each agent gets a home directory of its own, is set up by nothing but `askback install`, and runs in a terminal
// (tmux) with its default permissions. A fake model asks the same question four times, three times in one session
// and once in a new one, and the person answers each time at another place:
// - in `askback inbox`, with a key
// - in the browser, with a click
// - in the agent's own dialog, or from the command line if there is none
// - in the inbox after LATE seconds (600 unless set)
// A round passes if the person was asked anew, the agent waited, the model read the answer of this round once, within
// SECONDS_MAX (2 unless set), and the inbox and the page say how it was answered. Nothing waits for an undo.
// Prints the tables of windows-report.mjs, also of agents that were run before: DIRECTORY/windows has the last run of each.
// With REPORT, it writes them to that file, too. AT_ONCE agents run at a time (2 unless set).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { AGENTS, version } from './agents.mjs';
import { pause } from './window.mjs';
import { report } from './windows-report.mjs';
import { CHOICES, Workplace, until } from './workplace.mjs';

const directory = resolve(process.argv[2]);
const modules = join(directory, 'node_modules');
const chosen = process.argv.slice(3);
const LATE_MS = Number(process.env.LATE ?? 600) * 1000;
const SECONDS_MAX = Number(process.env.SECONDS_MAX ?? 2);
/** Long enough for the second progress notification. */
const WATCH_MS = 12_000;
const START_APART_MS = 12_000;

const require = createRequire(resolve(import.meta.dirname, '../../web/package.json'));
const { chromium } = require('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** Answers with a key in `askback inbox`. */
async function inInbox(workplace, _inquiry, { digit }) {
  // A question that was answered elsewhere stays in view until its reader goes on.
  if (/enter continue/.test(workplace.inbox.screen())) await workplace.inbox.press('Enter');
  await pause(1000);
  await workplace.inbox.press(digit);
}

/** Answers with the mouse in the browser. */
async function inBrowser(workplace, { id }, { label }) {
  const question = workplace.page.locator(`askback-question[inquiry="${id}"]`);
  await question.getByRole('button', { name: label }).click();
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

/** The rounds of an agent: where the person answers, and how the other places call that. */
function roundsOf({ window: { dialog } }) {
  const inbox = { surface: '`askback inbox`', answer: inInbox, here: 'inbox', place: /in the terminal/i };
  const own = { surface: 'own dialog', answer: inDialog, place: /MCP/i };
  const command = { surface: '`askback answer`', answer: inCommand, place: /command line|terminal/i };
  return [
    inbox,
    { surface: 'browser', answer: inBrowser, here: 'page', place: /in the browser/i },
    dialog ? own : command,
    { ...inbox, surface: `\`askback inbox\`, after ${LATE_MS / 1000} s`, isLate: true, isNewSession: true },
  ];
}

/** One round. Returns its row. */
async function play(workplace, round, { surface, answer, here, place, isLate }) {
  const inquiry = await workplace.ask(round);
  await workplace.watch(isLate ? LATE_MS : WATCH_MS);
  const screen = workplace.screen();
  const pending = workplace.pendingResults();
  const choice = CHOICES[round % CHOICES.length];
  await answer(workplace, inquiry, choice);
  const given = await until(`round ${round}: the outcome`, () =>
    workplace.list('all').find(({ id, outcome }) => id === inquiry.id && outcome),
  );
  const { text, seconds, isNextCall } = await workplace.result(round, choice.label, Date.parse(given.resolved_at));
  const said = await workplace.said(inquiry, choice, { here, place });
  const row = { round, surface, pending, seconds, isNextCall, text, said, screen };
  if (seconds > SECONDS_MAX) row.failure = `${seconds.toFixed(1)} s are more than ${SECONDS_MAX} s`;
  else if (here !== 'page' && !place.test(said.page)) row.failure = `the page says only: ${said.page}`;
  return row;
}

/** Runs all rounds of one agent. */
async function drive(name) {
  const agent = AGENTS[name];
  const workplace = new Workplace(name, { modules, browser });
  const run = { name, title: agent.title, version: version(modules, name), rows: [], prompts: workplace.prompts };
  const rounds = roundsOf(agent);
  try {
    await workplace.start();
    for (const [index, round] of rounds.entries()) {
      if (index === 0 || round.isNewSession) await workplace.openAgent(index + 1);
      run.rows.push(await play(workplace, index + 1, round));
      const { screen: _, ...row } = run.rows.at(-1);
      console.error(name, JSON.stringify(row));
    }
    run.asked = workplace.list('all').length;
    if (run.asked !== rounds.length) throw new Error(`${run.asked} questions were asked in ${rounds.length} rounds`);
  } catch (error) {
    const number = run.rows.length + 1;
    run.rows.push({ round: number, surface: rounds[number - 1]?.surface ?? 'all', failure: error.message.split('\n')[0] });
    console.error(`${name}: ${error.message}\n${workplace.window?.lastScreen()}\n${workplace.inbox?.lastScreen()}`);
  } finally {
    await workplace.close();
  }
  return run;
}

const names = Object.keys(AGENTS).filter((name) => AGENTS[name].window);
const recordOf = (name) => join(directory, 'windows', `${name}.json`);
mkdirSync(join(directory, 'windows'), { recursive: true });
let hasFailed = false;
const queue = chosen.length ? [...chosen] : [...names];
// Most of the time they wait, but not while they start.
const workers = Array.from({ length: Number(process.env.AT_ONCE ?? 2) }, async (_, index) => {
  await pause(index * START_APART_MS);
  for (let name = queue.shift(); name; name = queue.shift()) {
    const run = await drive(name);
    hasFailed ||= run.rows.some(({ failure }) => failure);
    writeFileSync(recordOf(name), JSON.stringify(run, null, 2));
  }
});
await Promise.all(workers);
await browser.close();
const runs = names.filter((name) => existsSync(recordOf(name))).map((name) => JSON.parse(readFileSync(recordOf(name), 'utf8')));
const text = report(runs, SECONDS_MAX);
console.log(text);
if (process.env.REPORT) writeFileSync(process.env.REPORT, text);
process.exit(hasFailed ? 1 : 0);
