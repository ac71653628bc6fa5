// The browser of the tests: Debian's Chromium, or its headless shell, which draws no windows and needs half the
// processor time.
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
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

/** A slow network: ASKBACK_TEST_DELAY_MS=300 delays all that browsers load, 0-600 by chance, from ASKBACK_TEST_SEED. */
async function slowProxy([least, most = least], seed) {
  console.log(`ASKBACK_TEST_SEED=${seed}`);
  let state = seed;
  const proxy = createServer((incoming, outgoing) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Half on the way to the server, half on the way back, and each record of the feed as long.
    const halfMs = (least + ((most - least) * state) / 2 ** 32) / 2;
    const later = (act) => setTimeout(act, halfMs);
    const { method, headers, url } = incoming;
    const onward = request(url, { method, headers, agent: false }, (reply) => {
      later(() => outgoing.writeHead(reply.statusCode, reply.rawHeaders).flushHeaders());
      reply.on('data', (chunk) => later(() => outgoing.write(chunk)));
      reply.on('end', () => later(() => outgoing.end()));
      reply.on('error', () => outgoing.destroy());
    }).on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    later(() => incoming.pipe(onward));
  }).unref();
  // What a test fetches by itself, in route.fetch, is not delayed.
  proxy.on('connect', ({ url }, socket) => {
    const server = connect(Number(url.split(':').pop()), '127.0.0.1');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    pipeline(socket, server, socket, () => {});
  });
  await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
  return { server: `http://127.0.0.1:${proxy.address().port}` };
}
const delays = process.env.ASKBACK_TEST_DELAY_MS?.split('-').map(Number);
const seed = Number(process.env.ASKBACK_TEST_SEED ?? Date.now() % 2 ** 32);
const proxy = delays && (await slowProxy(delays, seed));

/** A browser of its own. Only the whole one shows notifications. */
export const browser = ({ notifies = false } = {}) =>
  chromium.launch({
    executablePath: notifies ? executablePath : shellPath,
    headless: true,
    args: FLAGS,
    proxy,
  });
