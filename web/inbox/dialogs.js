// The dialogs of the inbox: its keys, and until when to snooze.

import { button, div, h, span, uniqueId } from '../lib/dom.js';
import { formatList, formatTime, t } from '../lib/i18n.js';
import { nameOf } from '../shell/inquiry-names.js';

/** @import { Inquiry } from '../lib/wire.d.ts' */

const HOUR_MS = 3_600_000;
/** Hours of the day at which snoozed questions come back. */
const MORNING = 9;
const EVENING = 18;

/**
 * Shows a dialog until it is closed. The browser gives the focus back.
 * @param {HTMLElement} parent
 * @param {string} title
 * @param {...HTMLElement} content
 */
function openDialog(parent, title, ...content) {
  const id = uniqueId();
  const dialog = h(
    'dialog',
    { class: 'sheet', 'aria-labelledby': id, onclose: () => dialog.remove() },
    h('h2', { id }, title),
    ...content,
    button(t('web-close'), () => dialog.close(), { class: 'quiet' }),
  );
  parent.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Keys and what they do. */
const keys = () => [
  ['j k', t('inbox-key-move')],
  ['Enter', t('inbox-key-open')],
  ['1–9', t('inbox-key-choose')],
  ['Ctrl+Enter', t('web-send')],
  ['s', t('inbox-key-skip')],
  ['z', t('inbox-snooze')],
  ['r', t('web-reject')],
  ['x', t('inbox-key-mark')],
  ['a', t('inbox-mark-all')],
  ['u', t('inbox-key-undo')],
  ['/', t('inbox-search')],
  ['Esc', t('inbox-key-back')],
  ['?', t('inbox-keys')],
];

/** @param {HTMLElement} parent */
export function showKeys(parent) {
  const rows = keys().map(([key, text]) =>
    h(
      'div',
      {},
      h(
        'dt',
        { dir: 'ltr' },
        key.split(' ').map((each) => h('kbd', {}, each)),
      ),
      h('dd', {}, text),
    ),
  );
  openDialog(parent, t('inbox-keys'), h('dl', { class: 'keys' }, rows));
}

/** @param {number} days from today @param {number} hour */
function at(days, hour) {
  const day = new Date();
  day.setDate(day.getDate() + days);
  day.setHours(hour, 0, 0, 0);
  return day;
}

/** Times that people mean, the nearest first. */
function presets() {
  const now = new Date();
  return [
    { label: t('inbox-snooze-hour'), until: new Date(now.getTime() + HOUR_MS) },
    ...(now.getHours() < EVENING - 1
      ? [{ label: t('inbox-snooze-evening'), until: at(0, EVENING) }]
      : []),
    { label: t('inbox-snooze-tomorrow'), until: at(1, MORNING) },
    { label: t('inbox-snooze-monday'), until: at((8 - now.getDay()) % 7 || 7, MORNING) },
  ];
}

/** @param {HTMLElement} parent @param {Inquiry[]} inquiries @param {(until: Date) => void} onChoose */
export function chooseSnooze(parent, inquiries, onChoose) {
  const choices = presets().map(({ label, until }, index) =>
    button(
      [
        h('kbd', { 'aria-hidden': 'true' }, index + 1),
        h('span', {}, label),
        span('hint', formatTime(until.toISOString())),
      ],
      () => choose(until),
      { class: 'preset', 'data-key': index + 1 },
    ),
  );
  const id = uniqueId();
  const field = h('input', { type: 'datetime-local', id, required: true });
  const form = h(
    'form',
    {
      class: 'own-time',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const until = new Date(field.value);
        if (until.getTime() > Date.now()) choose(until);
        else field.focus();
      },
    },
    h('label', { for: id }, t('inbox-snooze-own')),
    h('span', {}, field, h('button', { type: 'submit' }, t('inbox-snooze'))),
  );
  const dialog = openDialog(
    parent,
    t('inbox-snooze-title'),
    h('p', { class: 'hint', dir: 'auto' }, formatList(inquiries.map(nameOf))),
    div('presets', choices),
    form,
  );
  /** @param {Date} until */
  function choose(until) {
    dialog.close();
    onChoose(until);
  }
  dialog.addEventListener('keydown', (event) => {
    if (event.target === field || event.repeat) return;
    choices.find((each) => each.dataset.key === event.key)?.click();
  });
}
