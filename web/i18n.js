// The words of the page in the reader's language, and how that language writes days and times.

import { createStrings } from './strings.js';

/** @type {(id: string, args?: Record<string, string | number>) => string} */
let say = (id) => id;
let current = 'en';
/** @type {Promise<void> | null} */
let loading = null;

/** Languages read from right to left. */
const RTL = ['ar', 'he', 'ar-XB'];

export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'zh-CN', 'ja', 'ko', 'ar', 'he'];

export const tag = () => current;
export const dir = () => (RTL.includes(current) ? 'rtl' : 'ltr');

/** What Intl is asked for: pseudo-languages write days as their model does. */
const intl = () => current.replace('-XA', '').replace('-XB', '');

/**
 * Fetches the words of a language.
 * @param {string} base
 * @param {string} wanted
 */
export function loadWords(base, wanted) {
  loading = fetch(`${base}/strings/${encodeURIComponent(wanted)}.json`).then(async (reply) => {
    say = createStrings(await reply.json());
    current = wanted;
  });
  return loading;
}

/**
 * The language to use: the first of the wanted ones that there is.
 * @param {readonly (string | null | undefined)[]} wanted
 */
export function chooseLanguage(wanted) {
  const all = [...languages, 'en-XA', 'ar-XB'];
  for (const each of wanted) {
    if (!each) continue;
    const low = each.toLowerCase();
    const hit =
      all.find((one) => one.toLowerCase() === low) ??
      languages.find((one) => one.split('-')[0] === low.split('-')[0]);
    if (hit) return hit;
  }
  return 'en';
}

/**
 * Fetches words for an element that stands alone, unless the page has some already.
 * @param {string} base
 * @param {string} [lang]
 */
export function ensureWords(base, lang) {
  loading ??= loadWords(
    base,
    chooseLanguage([lang, document.documentElement.lang, ...navigator.languages]),
  );
  return loading;
}

/**
 * One text. An id that is not known shows itself, so that it is found.
 * @param {string} id
 * @param {Record<string, string | number>} [args]
 */
export const t = (id, args) => say(id, args);

/** @param {string} iso a day, `2027-03-27`; nothing for one that the calendar does not have */
export function longDay(iso) {
  const day = new Date(`${iso}T12:00:00Z`);
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso);
  return !isReal ? '' : day.toLocaleDateString(intl(), { dateStyle: 'full', timeZone: 'UTC' });
}

/** @param {string} iso a time; today without its day */
export function clock(iso) {
  const at = new Date(iso);
  const sameDay = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(
    intl(),
    sameDay ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}

/** @param {string} iso how long ago, in the largest fitting unit */
export function ago(iso) {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 60_000));
  if (minutes < 1) return t('age-now');
  const format = new Intl.RelativeTimeFormat(intl(), { numeric: 'always', style: 'short' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  return minutes < 1440
    ? format.format(-Math.round(minutes / 60), 'hour')
    : format.format(-Math.round(minutes / 1440), 'day');
}

/** @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(intl(), { type: 'conjunction' }).format(items);

/** @param {number | string | null | undefined} value a number or a day of a rule */
export const shown = (value) =>
  typeof value === 'number'
    ? new Intl.NumberFormat(intl(), { maximumFractionDigits: 20 }).format(value)
    : String(value ?? '');

/** The day it is here, as the server reads it. */
export function today(offset = 0) {
  const day = new Date();
  day.setDate(day.getDate() + offset);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}

/** Days from today to the next Monday, never none. */
export const toMonday = () => (8 - new Date().getDay()) % 7 || 7;
