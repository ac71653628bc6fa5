// The settings of this browser: language, theme, name, digits, time to undo, notifications. Loaded when
// they are opened.

import { Client, ProblemError } from '../lib/api.js';
import { button, h, uniqueId } from '../lib/dom.js';
import { notifyButton } from './notifications.js';
import {
  applyPreferences,
  applyTheme,
  hasDigits,
  preference,
  setPreference,
  undoSeconds,
} from './preferences.js';
import { languages, t, languageTag } from '../lib/i18n.js';

/** Times to undo, in seconds. */
const UNDO_CHOICES = [0, 5, 10, 30];

/** The server reads the language of its pages from a cookie. @param {string} language */
function saveLanguage(language) {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in all browsers
  document.cookie = `askback_locale=${language}; path=/; max-age=31536000; samesite=strict`;
}

/**
 * @param {{ changeLanguage: (language: string) => void }} options
 */
export function settings({ changeLanguage }) {
  /** @param {string} label @param {HTMLElement} control */
  const labelled = (label, control) => {
    control.id = uniqueId();
    return h('div', { class: 'setting' }, h('label', { for: control.id }, label), control);
  };
  const names = (/** @type {string} */ each) =>
    new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each;
  const known = languages.includes(languageTag()) ? languages : [...languages, languageTag()];
  const language = h(
    'select',
    {
      onchange: () => {
        saveLanguage(language.value);
        changeLanguage(language.value);
      },
    },
    known.map((each) =>
      h('option', { value: each, lang: each, selected: each === languageTag() }, names(each)),
    ),
  );
  const theme = h(
    'select',
    {
      onchange: () => {
        setPreference('theme', theme.value);
        applyTheme(theme.value);
      },
    },
    ['', 'light', 'dark'].map((each) =>
      h(
        'option',
        { value: each, selected: each === preference('theme') },
        t(`web-theme-${each || 'auto'}`),
      ),
    ),
  );
  const actor = h('input', {
    type: 'text',
    value: preference('actor'),
    maxlength: 100,
    autocomplete: 'name',
    onchange: () => setPreference('actor', actor.value.trim()),
  });
  const digits = h('input', {
    type: 'checkbox',
    '.checked': hasDigits(),
    onchange: () => {
      setPreference('digits', digits.checked ? 'on' : 'off');
      applyPreferences();
    },
  });
  const undo = (/** @type {'inbox' | 'chat'} */ view) => {
    const select = h(
      'select',
      {
        onchange: () => {
          setPreference(`undo-${view}`, select.value);
          applyPreferences();
        },
      },
      UNDO_CHOICES.map((count) =>
        h(
          'option',
          { value: count, selected: count === undoSeconds(view) },
          count ? t('web-seconds', { count }) : t('web-off'),
        ),
      ),
    );
    return labelled(t(`web-undo-${view}`), select);
  };
  const notifyToggle = notifyButton();
  return [
    labelled(t('web-language'), language),
    labelled(t('web-theme'), theme),
    labelled(t('web-your-name'), actor),
    h('label', { class: 'choice' }, digits, t('web-digits')),
    undo('inbox'),
    undo('chat'),
    ...(notifyToggle ? [notifyToggle] : []),
    signOutButton(),
  ];
}

/** Ends the session; the server then shows how to sign in. */
function signOutButton() {
  const failed = h('p', { class: 'notice', role: 'alert', hidden: true });
  const out = button(t('web-sign-out'), async () => {
    try {
      await new Client().post('/sign-out');
    } catch (error) {
      // A refusal means that the session has ended already; without a reply it may still be open.
      if (!(error instanceof ProblemError)) {
        failed.textContent = t('web-failed');
        failed.hidden = false;
        return;
      }
    }
    location.replace('/');
  });
  return h('div', {}, out, failed);
}
