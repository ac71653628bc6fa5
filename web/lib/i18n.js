// The texts of the page in the user's language, and its formats for dates, times, lists and numbers.

import { createStrings } from './strings.js';

/** @import { App } from './wire.d.ts' */

/** @type {(id: string, args?: Record<string, string | number>) => string} */
let format = (id) => id;
let current = 'en';
/** @type {Promise<void> | null} */
let loading = null;

/** Languages read from right to left. */
const RTL = ['ar', 'he', 'ar-XB'];

export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'zh-CN', 'ja', 'ko', 'ar', 'he'];

export const languageTag = () => current;
export const textDirection = () => (RTL.includes(current) ? 'rtl' : 'ltr');

/** The tag for Intl: pseudo-locales use the formats of the language that they are made from. */
export const intlTag = () => current.replace('-XA', '').replace('-XB', '');

/**
 * @param {string} base
 * @param {string} wanted
 */
export function loadLanguage(base, wanted) {
  loading = fetch(`${base}/strings/${encodeURIComponent(wanted)}.json`).then(async (response) => {
    format = createStrings(await response.json());
    current = wanted;
  });
  return loading;
}

/**
 * The first wanted language that is supported, else English.
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

/** Loads the language of the page, unless that was done. @param {string} base */
export function ensureLanguage(base) {
  loading ??= loadLanguage(
    base,
    chooseLanguage([document.documentElement.lang, ...navigator.languages]),
  );
  return loading;
}

/**
 * The text with this id; the id itself if there is none.
 * @param {string} id
 * @param {Record<string, string | number>} [args]
 */
export const t = (id, args) => format(id, args);

/** Why a request failed: in the words of the server, or because it was not reached. @param {any} error */
export const failureText = (error) => error.message || t('chat-connection-lost');

/** @param {string} iso such as `2027-03-27`; the result is empty if there is no such day */
export function formatLongDate(iso) {
  const day = new Date(`${iso}T12:00:00Z`);
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso);
  return !isReal ? '' : day.toLocaleDateString(intlTag(), { dateStyle: 'full', timeZone: 'UTC' });
}

/** @param {string} iso the date is left out if it is today, and the year if it is this one */
export function formatTime(iso) {
  const at = new Date(iso);
  const now = new Date();
  const time = /** @type {const} */ ({ hour: 'numeric', minute: '2-digit' });
  const day = /** @type {const} */ ({ day: 'numeric', month: 'short', ...time });
  if (at.toDateString() === now.toDateString()) return at.toLocaleString(intlTag(), time);
  const isThisYear = at.getFullYear() === now.getFullYear();
  return at.toLocaleString(intlTag(), isThisYear ? day : { year: 'numeric', ...day });
}

/** @param {string[]} items */
export const formatList = (items) =>
  new Intl.ListFormat(intlTag(), { type: 'conjunction' }).format(items);

/** The local date in ISO form, `offset` days from today. */
export function today(offset = 0) {
  const day = new Date();
  day.setDate(day.getDate() + offset);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}

/** The name of an app in the language of the page. @param {App} app */
export const localAppName = ({ name, names }) =>
  names?.[languageTag()] ?? names?.[languageTag().split('-')[0]] ?? name;
