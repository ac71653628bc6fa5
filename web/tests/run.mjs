// Runs the test files, a few at a time, each with a browser and a server of its own:
// node tests/run.mjs [--full] [file …]
//
// A failure is a failure: nothing is run a second time.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const full = process.argv.includes('--full');
/** How long a file may take, and how long it gets to say so before it is ended. */
const FILE_MS = full ? 1_200_000 : 600_000;
const GRACE_MS = 15_000;
/** Files at the same time: a page waits half of the time. Where promised times count, nothing else runs. */
const AT_ONCE = full ? 1 : Math.min(1 + 2 * availableParallelism(), 8);

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
/** What looks at promised times alone. */
const FULL_ONLY = ['lighthouse.test.mjs'];
const isWanted = (name) =>
  name.endsWith('.test.mjs') &&
  (named.length === 0
    ? full || !FULL_ONLY.includes(name)
    : named.some((part) => name.includes(part)));

/** Runs a file to its end: whether all of its tests passed, and what it printed. */
async function run(name) {
  const child = spawn(
    process.execPath,
    ['--test', `--test-timeout=${FILE_MS}`, '--test-reporter=spec', join(here, name)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...(full ? { ASKBACK_TEST_FULL: '1' } : {}) },
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  // The whole group: the browser and the server hang on when their test does.
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* all of it is gone */
    }
  };
  const timer = setTimeout(end, FILE_MS + GRACE_MS);
  const closed = new Promise((resolve) => {
    child.once('close', resolve);
  });
  const code = await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  end();
  await closed;
  return { hasPassed: code === 0, printed };
}

// The largest take longest, but for the demo, which waits until each answer cannot be undone any more.
const size = (name) =>
  name === 'demo-by-keyboard.test.mjs' ? Number.POSITIVE_INFINITY : statSync(join(here, name)).size;
const waiting = readdirSync(here)
  .filter(isWanted)
  .sort((one, other) => size(other) - size(one));
const verdicts = [];
async function runAll() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    const begin = Date.now();
    const { hasPassed, printed } = await run(name);
    const seconds = Math.round((Date.now() - begin) / 1000);
    verdicts.push({ name, hasPassed });
    // What several files print at the same time can be read by nobody.
    const details = hasPassed ? '' : `${printed}\n`;
    console.log(`${details}${name} ${hasPassed ? 'passed' : 'FAILED'} after ${seconds} s`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, runAll));
const failed = verdicts.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name);
const names = failed.length === 0 ? '' : `: ${failed.join(', ')}`;
console.log(
  `${verdicts.length - failed.length} browser files passed, ${failed.length} failed${names}`,
);
process.exit(failed.length === 0 && verdicts.length > 0 ? 0 : 1);
