// Tells the server that somebody does something here, so that their phone stays silent. A page that is only open says
// nothing. Loaded with the first key or press.

import { Client } from '../lib/api.js';

/** The least time between two requests, in milliseconds. */
const EVERY_MS = 20_000;
const EVENTS = ['keydown', 'pointerdown', 'wheel'];

let next = 0;

async function note() {
  if (performance.now() < next) return;
  next = performance.now() + EVERY_MS;
  const response = await new Client().post('/presence').catch(() => null);
  if (response?.wanted !== false) return;
  for (const type of EVENTS) removeEventListener(type, note, true);
}

for (const type of EVENTS) addEventListener(type, note, { capture: true, passive: true });
note();
