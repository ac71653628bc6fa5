// What a reader chooses for this browser: language, light or dark, notifications, keys, a name.

import { Client, Problem } from './api.js';
import { button, h, uid } from './dom.js';
import { nameOf } from './inbox-list.js';
import { applyPreferences, hasDigits, keep, stored, undoSeconds } from './preferences.js';
import { languages, t, tag } from './i18n.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** Lengths of time to undo in, in seconds. */
const UNDO_CHOICES = [0, 5, 10, 30];

export function applyTheme(theme = stored('theme')) {
  document.documentElement.dataset.theme = theme;
}

/** @param {string} language kept where the server looks for it */
function keepLanguage(language) {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads the language of its pages from this cookie
  document.cookie = `askback_locale=${language}; path=/; max-age=31536000; samesite=strict`;
}

/**
 * @param {{ changeLanguage: (language: string) => void }} options
 */
export function settingsView({ changeLanguage }) {
  /** @param {string} label @param {HTMLElement} control */
  const labelled = (label, control) => {
    control.id = uid();
    return h('div', { class: 'setting' }, h('label', { for: control.id }, label), control);
  };
  const names = (/** @type {string} */ each) =>
    new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each;
  const known = languages.includes(tag()) ? languages : [...languages, tag()];
  const language = h(
    'select',
    {
      onchange: () => {
        keepLanguage(language.value);
        changeLanguage(language.value);
      },
    },
    known.map((each) =>
      h('option', { value: each, lang: each, selected: each === tag() }, names(each)),
    ),
  );
  const theme = h(
    'select',
    {
      onchange: () => {
        keep('theme', theme.value);
        applyTheme(theme.value);
      },
    },
    ['', 'light', 'dark'].map((each) =>
      h(
        'option',
        { value: each, selected: each === stored('theme') },
        t(`web-theme-${each || 'auto'}`),
      ),
    ),
  );
  const actor = h('input', {
    type: 'text',
    value: stored('actor'),
    maxlength: 100,
    autocomplete: 'name',
    onchange: () => keep('actor', actor.value.trim()),
  });
  const digits = h('input', {
    type: 'checkbox',
    '.checked': hasDigits(),
    onchange: () => {
      keep('digits', digits.checked ? 'on' : 'off');
      applyPreferences();
    },
  });
  const undo = (/** @type {'inbox' | 'chat'} */ place) => {
    const select = h(
      'select',
      {
        onchange: () => {
          keep(`undo-${place}`, select.value);
          applyPreferences();
        },
      },
      UNDO_CHOICES.map((count) =>
        h(
          'option',
          { value: count, selected: count === undoSeconds(place) },
          count ? t('web-seconds', { count }) : t('web-off'),
        ),
      ),
    );
    return labelled(t(`web-undo-${place}`), select);
  };
  return h(
    'details',
    { class: 'settings' },
    h('summary', {}, t('web-settings')),
    labelled(t('web-language'), language),
    labelled(t('web-theme'), theme),
    labelled(t('web-your-name'), actor),
    h('label', { class: 'choice' }, digits, t('web-digits')),
    undo('inbox'),
    undo('chat'),
    notifyButton(),
    signOutButton(),
  );
}

/** Ends the session of this browser. The server then shows how to sign in. */
function signOutButton() {
  const failed = h('p', { class: 'notice', role: 'alert', hidden: true });
  const out = button(t('web-sign-out'), async () => {
    try {
      await new Client().post('/sign-out');
    } catch (error) {
      // A refusal says that the session has ended already; without a reply it may be open still.
      if (!(error instanceof Problem)) {
        failed.textContent = t('web-failed');
        failed.hidden = false;
        return;
      }
    }
    location.replace('/');
  });
  return h('div', {}, out, failed);
}

const mayNotify = () =>
  'Notification' in globalThis &&
  Notification.permission === 'granted' &&
  stored('notify') === 'on';

function notifyButton() {
  if (!('Notification' in globalThis)) return null;
  const toggle = button('', async () => {
    const isOn = mayNotify();
    if (!isOn && Notification.permission !== 'granted') await Notification.requestPermission();
    keep('notify', isOn ? 'off' : 'on');
    draw();
  });
  function draw() {
    toggle.textContent =
      Notification.permission === 'denied'
        ? t('web-notify-blocked')
        : t(mayNotify() ? 'web-notify-on' : 'web-notify');
    toggle.setAttribute('aria-pressed', String(mayNotify()));
  }
  draw();
  return toggle;
}

/**
 * One notification for each question that comes while nobody looks, gone with the question.
 * @param {Store} store
 * @param {(id: string) => void} open
 */
export function notifyOf(store, open) {
  /** @type {Map<string, Notification>} */
  const shown = new Map();
  store.addEventListener('asked', (event) => {
    const inquiry = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    if (!mayNotify() || document.hasFocus()) return;
    // All tabs name it alike, so that the system shows it once; one tab is enough to show it.
    navigator.locks.request(`askback-notify:${inquiry.id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return undefined;
      const made = new Notification(t('asks', { agent: inquiry.source ?? 'askback' }), {
        body: nameOf(inquiry),
        tag: inquiry.id,
      });
      made.onclick = () => {
        focus();
        open(inquiry.id);
        made.close();
      };
      shown.set(inquiry.id, made);
      return new Promise((resolve) => {
        made.addEventListener('askback-done', resolve);
      });
    });
  });
  store.addEventListener('resolved', (event) => {
    const { id } = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    const made = shown.get(id);
    made?.close();
    made?.dispatchEvent(new Event('askback-done'));
    shown.delete(id);
  });
}
