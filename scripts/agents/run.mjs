// Drives real agents through a whole question, with a fake model: node run.mjs DIRECTORY [AGENT…]
//
// DIRECTORY has the agents in node_modules. ASKBACK_BIN is the askback binary. Each agent runs in a home directory
// of its own, is set up by `askback install`, and is run several times:
// - at once: the question is answered as soon as it is asked.
// - after the hold window: askback returns `pending` first, the model calls `wait_for_answer`, then the answer comes.
// - after the time-out: the agent gives up the call first, then the answer comes, and the model's next call gets it.
// - as a plugin: at once, but askback is set up by the agent's own plugin commands, and is found on PATH, without npx.
// - as a plugin through npx: the same with npx on PATH, without askback. The registry has the packages of $NPM_PACKAGES.
// - over HTTP, and over HTTP after the time-out: the same, but the agent connects to `askback serve`.
// In each run the agent must print the answer that was given, and exactly one question may have been asked.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { isAbsolute, join, resolve } from 'node:path';
import { AGENTS, REPOSITORY, version } from './agents.mjs';
import { isPending, startFakeLlm } from './fake-llm.mjs';
import { endLeftovers } from './leftovers.mjs';

const modules = resolve(process.argv[2], 'node_modules');
const chosen = process.argv.slice(3);
const askback = process.env.ASKBACK_BIN;
const RUN_MAX = Number(process.env.RUN_MAX ?? 180_000);

// Over HTTP, this has to get through addresses or headers. opencode fails in such a directory by itself.
const HARD_NAME = 'web shop #1 & 100%41 c++ ż';

/** Runs an agent's command to its end. Its whole process group ends with it. */
function run(command, { env, cwd }) {
  const [program, ...args] = command;
  const child = spawn(isAbsolute(program) ? program : join(modules, '.bin', program), args, {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(end, RUN_MAX);
  const ended = new Promise((done) => {
    child.on('exit', () => {
      clearTimeout(timer);
      end();
      done(output);
    });
  });
  return { ended, end, output: () => output };
}

/** Links to every program on PATH but those that can start askback, of which there is the one that is named. */
function linkPrograms(bin, starter) {
  const linked = new Map();
  for (const directory of [join(modules, '.bin'), ...process.env.PATH.split(':')].filter(existsSync)) {
    for (const name of readdirSync(directory)) if (!linked.has(name)) linked.set(name, join(directory, name));
  }
  linked.set('askback', askback);
  for (const name of ['askback', 'npx', 'uvx']) if (name !== starter) linked.delete(name);
  for (const [name, file] of linked) symlinkSync(file, join(bin, name));
}

/** Whether one question was asked and answered in this way, and the agent got the answer. */
function checkRun(way, { asked, output, answer, results, project }) {
  const fail = (why) => {
    throw new Error(`${why}\nresults: ${JSON.stringify(results, null, 1)}\noutput: ${output}`);
  };
  if (asked.length !== 1) fail(`${asked.length} questions were asked`);
  const [{ status, asker }] = asked;
  if (status !== 'answered') fail(`the question is ${status}`);
  if (!output.includes(`The user answered: ${answer}`)) fail('the agent did not print the answer');
  // An agent that ends at once may kill `askback mcp` before it reports that the answer was written.
  if (!asker.delivery_attempts) fail('the answer was not delivered by askback');
  if (project && asker.project !== project) fail(`the project is ${asker.project}`);
  if (way === 'after the hold window' && !isPending(results[0])) fail('nothing was pending');
  if (way.endsWith('after the time-out') && /pending|answer-/.test(results[0])) fail('there was no time-out');
}

/** One agent, one way of answering. Returns the seconds it took, or throws. */
async function drive(name, way) {
  const agent = AGENTS[name];
  const root = mkdtempSync(join(tmpdir(), 'askback-agent-'));
  const home = join(root, 'home');
  const project = join(root, agent.namesProject ? HARD_NAME : 'webshop');
  // A plugin names no directory, and Codex passes no variables on.
  const isPlugin = way.startsWith('as a plugin');
  const data = isPlugin ? join(home, '.local/share/askback') : join(root, 'data');
  mkdirSync(home);
  mkdirSync(project);
  const bin = join(root, 'bin');
  mkdirSync(bin);
  if (isPlugin) linkPrograms(bin, way.endsWith('npx') ? 'npx' : 'askback');
  else symlinkSync(askback, join(bin, 'askback'));
  execFileSync('git', ['init', '-q', project]);
  const answer = `answer-${randomBytes(4).toString('hex')}`;
  const state = { results: [], answered: undefined };
  const cli = (...args) =>
    execFileSync(askback, [...args, '--data', data], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const questions = () =>
    cli('list', '--status', 'all', '--json')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const give = () => {
    const [question] = questions();
    cli('answer', question.id, '--text', answer);
  };
  const fake = await startFakeLlm({
    tool: agent.tool,
    onResult(text) {
      state.results.push(text);
      // The model is about to react to a pending result or to a time-out: now the answer comes.
      if (way.includes('after') && state.results.length === 1) {
        if (way.endsWith('after the time-out')) give();
        else setTimeout(give, 1000);
      }
    },
  });
  const env = {
    PATH: isPlugin ? bin : `${join(modules, '.bin')}:${bin}:${process.env.PATH}`,
    HOME: home,
    PWD: project,
    ASKBACK: askback,
    ASKBACK_DATA: data,
    TERM: 'dumb',
    NO_COLOR: '1',
    ...agent.env(fake.url),
  };
  let running;
  let server;
  let registry;
  const started = Date.now();
  try {
    agent.prepare?.(home, fake.url);
    for (const command of agent.login?.(fake.url) ?? []) await run(command, { env, cwd: project }).ended;
    const hold = { 'after the hold window': ['--hold', '5s'], 'after the time-out': ['--hold', '1h'] }[way] ?? [];
    const install = agent.install ?? [name];
    if (way.startsWith('over HTTP')) {
      server = spawn(askback, ['serve', '--listen', '127.0.0.1:0', '--data', data], { env });
      const [address] = await once(createInterface({ input: server.stdout }), 'line');
      cli('install', ...install, '--yes', '--http', '--url', new URL(address).origin);
    } else if (isPlugin) {
      if (way.endsWith('npx')) {
        registry = spawn('python3', [join(REPOSITORY, 'scripts/npm-registry.py'), process.env.NPM_PACKAGES]);
        const [address] = await once(createInterface({ input: registry.stdout }), 'line');
        writeFileSync(join(home, '.npmrc'), `registry=${address}\n`);
        // Claude Code does not wait for a server that is still being downloaded, and its model would be asked without it.
        env.MCP_CONNECTION_NONBLOCKING = 'false';
      }
      for (const command of agent.plugin) {
        const said = await run(command, { env, cwd: project }).ended;
        if (process.env.KEEP) console.error(said);
      }
      if (agent.connected) {
        const said = await run(agent.connected, { env, cwd: project }).ended;
        if (!/askback.*Connected/.test(said)) throw new Error(`it is not connected: ${said}`);
      }
    } else if (install.length) cli('install', ...install, '--yes', ...hold);
    if (way.endsWith('after the time-out')) agent.shortTimeout(home);
    running = run(agent.run, { env, cwd: project });
    if (isPlugin || ['at once', 'over HTTP'].includes(way)) {
      const until = Date.now() + RUN_MAX;
      while (questions().length === 0) {
        if (Date.now() > until) throw new Error(`no question was asked\noutput: ${running.output()}`);
        await new Promise((wake) => setTimeout(wake, 300));
      }
      give();
    }
    const output = await running.ended;
    const isNamed = !way.startsWith('over HTTP') || agent.namesProject;
    checkRun(way, { asked: questions(), output, answer, results: state.results, project: isNamed && project });
    return (Date.now() - started) / 1000;
  } finally {
    running?.end();
    server?.kill();
    registry?.kill();
    endLeftovers(home);
    fake.close();
    if (!process.env.KEEP) rmSync(root, { recursive: true, force: true });
    else console.error(root);
  }
}

const WAYS = [
  'at once',
  'as a plugin',
  ...(process.env.NPM_PACKAGES ? ['as a plugin through npx'] : []),
  'after the hold window',
  'after the time-out',
  'over HTTP',
  'over HTTP after the time-out',
];
const ways = process.env.WAYS?.split(',') ?? WAYS;
const rows = [];
let failed = false;
for (const name of chosen.length ? chosen : Object.keys(AGENTS)) {
  const row = [name, version(modules, name)];
  for (const way of ways) {
    const { shortTimeout, onlyAtOnce, plugin } = AGENTS[name];
    const skipped = (way.endsWith('after the time-out') && !shortTimeout) || (way.startsWith('as a plugin') && !plugin);
    if (skipped || (onlyAtOnce && !/^(at once|as a plugin)/.test(way))) {
      row.push('–');
      continue;
    }
    try {
      row.push(`OK, ${(await drive(name, way)).toFixed(0)} s`);
    } catch (error) {
      failed = true;
      row.push('FAILED');
      console.error(`${name}, ${way}: ${error.message}`);
    }
  }
  rows.push(row);
  console.error(row.join(' | '));
}
console.log(`| agent | version | ${ways.map((way) => `answered ${way}`).join(' | ')} |`);
console.log(`|---|---|${'---|'.repeat(ways.length)}`);
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
process.exit(failed ? 1 : 0);
