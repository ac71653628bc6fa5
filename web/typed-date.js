// Which day a typed date means, such as "tomorrow" or "27 mar". The server parses it, by the same rules
// as an answer, so that the day that is shown is the day that is stored.

import { formatLongDate, languageTag, today } from './i18n.js';

/** @import { Client } from './api.js' */
/** `date` is an ISO day; `problem` says why there is none. @typedef {{ date: string | null, problem: string | null }} TypedDate */

/** Replies by language, day and text. @type {Map<string, TypedDate>} */
const replies = new Map();
/** More are not kept. */
const REPLIES_MAX = 200;

/** @param {string} text */
const keyOf = (text) => [languageTag(), today(), text].join('\n');

/** What is known without asking: an ISO day, or an earlier reply. @param {string} text @returns {TypedDate | null} */
export function knownDate(text) {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && formatLongDate(text) !== '';
  return isDay ? { date: text, problem: null } : (replies.get(keyOf(text)) ?? null);
}

/** @param {Client} client @param {string} text @returns {Promise<TypedDate | null>} null without a reply */
export async function fetchDate(client, text) {
  const known = knownDate(text);
  if (known) return known;
  const key = keyOf(text);
  const body = { text, locale: languageTag(), today: today() };
  const reply = await client.post('/typed-date', body).catch(() => null);
  if (!reply) return null;
  if (replies.size >= REPLIES_MAX) replies.clear();
  replies.set(key, reply);
  return reply;
}
