// Runs the test files one after the other, each with a browser and a server of its own:
// node tests/run.mjs [--full] [file …]
//
// A failure is a failure: nothing is run a second time.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const full = process.argv.includes('--full');
/** How long a file may take, and how long it gets to say so before it is ended. */
const FILE_MS = full ? 1_200_000 : 600_000;
const GRACE_MS = 15_000;

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isWanted = (name) =>
  name.endsWith('.test.mjs') && (named.length === 0 || named.some((part) => name.includes(part)));

/** Whether all tests of the file passed. */
async function passes(name) {
  const child = spawn(
    process.execPath,
    ['--test', `--test-timeout=${FILE_MS}`, '--test-reporter=spec', join(here, name)],
    {
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, ...(full ? { ASKBACK_TEST_FULL: '1' } : {}) },
    },
  );
  // The whole group: the browser and the server hang on when their test does.
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* all of it is gone */
    }
  };
  const timer = setTimeout(end, FILE_MS + GRACE_MS);
  const code = await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  end();
  return code === 0;
}

const verdicts = [];
for (const name of readdirSync(here).filter(isWanted)) {
  const begin = Date.now();
  const hasPassed = await passes(name);
  verdicts.push({ name, hasPassed, seconds: Math.round((Date.now() - begin) / 1000) });
  console.log(`${name} ${hasPassed ? 'passed' : 'failed'}, ${verdicts.at(-1).seconds} s\n`);
}
const failed = verdicts.filter(({ hasPassed }) => !hasPassed);
for (const { name, hasPassed, seconds } of verdicts.sort(
  (one, other) => other.seconds - one.seconds,
))
  console.log(`${String(seconds).padStart(5)} s  ${hasPassed ? 'passed' : 'FAILED'}  ${name}`);
console.log(`${verdicts.length - failed.length} files passed, ${failed.length} failed`);
process.exit(failed.length === 0 && verdicts.length > 0 ? 0 : 1);
