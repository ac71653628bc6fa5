// The browser of the tests: Debian's Chromium, one process for all files.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--font-render-hinting=none',
];

/** Where Chromium is. */
export const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const launchServer = () => chromium.launchServer({ executablePath, headless: true, args: FLAGS });

/** The shared browser if the runner started one, else one of its own. */
export async function browser() {
  const shared = process.env.ASKBACK_TEST_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch({ executablePath, headless: true, args: FLAGS });
}
