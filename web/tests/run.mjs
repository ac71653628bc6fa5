// Runs the test files with one browser for all of them: node tests/run.mjs [--full] [file …]
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchServer } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (named.length === 0 || named.some((part) => name.includes(part)))).map((name) => join(here, name));
const server = await launchServer();
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=240000', '--test-reporter=spec', ...files], {
  stdio: 'inherit', env: { ...process.env, ASKBACK_TEST_BROWSER: server.wsEndpoint(), ...(process.argv.includes('--full') ? { ASKBACK_TEST_FULL: '1' } : {}) },
});
const code = await new Promise((resolve) => { child.once('exit', resolve); });
await server.close();
process.exit(code ?? 1);
