// Which day a typed date means, such as "tomorrow" or "27 mar". The server parses it, by the same rules
// as an answer, so that the day that is shown is the day that is stored.

import { formatLongDate, languageTag, today } from '../lib/i18n.js';

/** @import { Client } from '../lib/api.js' */
/** @import { Entry } from './draft.js' */
/** @import { Question } from '../lib/wire.d.ts' */
/** `date` is an ISO day, with `end` the first one of a range; `problem` says why there is none. @typedef {{ date: string | null, end?: string, problem: string | null }} TypedDate */

/** Responses by language, day and text. @type {Map<string, TypedDate>} */
const responses = new Map();
/** More are not kept. */
const RESPONSES_MAX = 200;

/** @param {string} text */
const keyOf = (text) => [languageTag(), today(), text].join('\n');

/** What is known without asking: an ISO day, or an earlier response. @param {string} text @returns {TypedDate | null} */
export function knownDate(text) {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && formatLongDate(text) !== '';
  return isDay ? { date: text, problem: null } : (responses.get(keyOf(text)) ?? null);
}

/** The days as they are shown, and as they are sent instead of the text. @param {TypedDate | null | undefined} meaning */
export function shownAndSent(meaning) {
  const days = [meaning?.date, meaning?.end].filter((day) => day != null);
  return { shown: days.map(formatLongDate).join(' – '), sent: days.join('/') };
}

/** @param {Client} client @param {string} text @returns {Promise<TypedDate | null>} null without a response */
export async function fetchDate(client, text) {
  const known = knownDate(text);
  if (known) return known;
  const key = keyOf(text);
  const body = { text, locale: languageTag(), today: today() };
  const response = await client.post('/typed-date', body).catch(() => null);
  if (!response) return null;
  if (responses.size >= RESPONSES_MAX) responses.clear();
  responses.set(key, response);
  return response;
}

/**
 * Writes the days that the typed dates of an answer mean.
 * @param {HTMLElement} node
 * @param {{ parseDate: (text: string) => Promise<TypedDate | null>, shownDays: Map<string, string> }} host
 * @param {Question} question
 * @param {Entry} entry
 */
export async function showDays(node, { parseDate, shownDays }, { id }, entry) {
  if (entry.skipped) return;
  const texts = [entry.typed, entry.typed_end].map((text) => text?.trim() ?? '').filter(Boolean);
  const dates = await Promise.all(texts.map(parseDate));
  const shown = dates.map((each, at) => {
    const { shown, sent } = shownAndSent(each);
    if (sent) shownDays.set(`${id} ${texts[at]}`, sent);
    return shown;
  });
  node.textContent = shown.filter(Boolean).join(' – ');
}
