// How long ago something was, and how long something lasts.

import { intlTag, t } from './i18n.js';

/** @param {number} count @param {Intl.RelativeTimeFormatUnit} unit */
const relative = (count, unit) =>
  new Intl.RelativeTimeFormat(intlTag(), { numeric: 'always', style: 'short' }).format(count, unit);

/** In the largest unit that fits. @param {number} minutes negative for the past */
function relativeMinutes(minutes) {
  if (Math.abs(minutes) < 60) return relative(minutes, 'minute');
  return Math.abs(minutes) < 1440
    ? relative(Math.round(minutes / 60), 'hour')
    : relative(Math.round(minutes / 1440), 'day');
}

/** @param {string} iso */
export function formatAge(iso) {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 60_000));
  return minutes < 1 ? t('age-now') : relativeMinutes(-minutes);
}

/** How long until a time: at least a second. @param {string} iso */
export function formatUntil(iso) {
  const seconds = Math.max(1, Math.round((Date.parse(iso) - Date.now()) / 1000));
  return seconds < 60 ? relative(seconds, 'second') : relativeMinutes(Math.round(seconds / 60));
}
