// The browser of the tests: Debian's Chromium, or its headless shell, which draws no windows and needs half the
// processor time.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const find = (paths) => process.env.CHROMIUM ?? paths.find((path) => existsSync(path));

/** Where the whole Chromium is. */
export const executablePath = find(WHOLE);
const shellPath = find(['/usr/bin/chromium-headless-shell', ...WHOLE]);

/** A browser of its own. Only the whole one shows notifications. */
export const browser = ({ notifies = false } = {}) =>
  chromium.launch({
    executablePath: notifies ? executablePath : shellPath,
    headless: true,
    args: FLAGS,
  });
