// The settings of this browser: language, theme, name, how choices are sent, time to undo, notifications; and how to
// use the app on a phone. Loaded when they are opened.

import { Client, ProblemError } from '../lib/api.js';
import { button, div, h, lazyDetails, p, uniqueId } from '../lib/dom.js';
import { optionList } from '../lib/option-list.js';
import { notifyButton } from './notifications.js';
import {
  applyPreferences,
  applyTheme,
  hasDigits,
  hasTwoSteps,
  preference,
  setPreference,
  undoSeconds,
} from './preferences.js';
import { languages, t, languageTag } from '../lib/i18n.js';
import { isLoopback, PHONE_COMMAND, qrCode, textWithCommand } from '../question/share-link.js';

/** Times to undo, in seconds. */
const UNDO_CHOICES = [0, 5, 10, 30];

/** The server reads what its pages without scripts follow from cookies. @param {string} name @param {string} value */
function saveCookie(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in all browsers
  document.cookie = `askback_${name}=${value}; path=/; max-age=31536000; samesite=strict`;
}

/** @param {string} label @param {HTMLElement} control */
function labelled(label, control) {
  control.id = uniqueId();
  return div('setting', h('label', { for: control.id }, label), control);
}

/** @param {string} label @param {string} key @param {boolean} isOn @param {(value: string) => void} [onChange] */
function checkbox(label, key, isOn, onChange) {
  const input = h('input', {
    type: 'checkbox',
    '.checked': isOn,
    onchange: () => {
      const value = input.checked ? 'on' : 'off';
      setPreference(key, value);
      onChange?.(value);
      applyPreferences();
    },
  });
  return h('label', { class: 'choice' }, input, label);
}

/**
 * @param {{ changeLanguage: (language: string) => void }} options
 */
export function settings({ changeLanguage }) {
  const names = (/** @type {string} */ each) =>
    new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each;
  const known = languages.includes(languageTag()) ? languages : [...languages, languageTag()];
  const language = h(
    'select',
    {
      onchange: () => {
        saveCookie('locale', language.value);
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
    optionList(
      ['', 'light', 'dark'].map((each) => [each, t(`web-theme-${each || 'auto'}`)]),
      preference('theme'),
    ),
  );
  const actor = h('input', {
    type: 'text',
    value: preference('actor'),
    maxlength: 100,
    autocomplete: 'name',
    onchange: () => setPreference('actor', actor.value.trim()),
  });
  const undo = h(
    'select',
    {
      onchange: () => {
        setPreference('undo', undo.value);
        applyPreferences();
      },
    },
    optionList(
      UNDO_CHOICES.map((count) => [
        String(count),
        count ? t('web-seconds', { count }) : t('web-off'),
      ]),
      String(undoSeconds()),
    ),
  );
  const notifyToggle = notifyButton();
  return [
    labelled(t('web-language'), language),
    labelled(t('web-theme'), theme),
    labelled(t('web-your-name'), actor),
    checkbox(t('web-digits'), 'digits', hasDigits()),
    checkbox(t('web-two-steps'), 'two-steps', hasTwoSteps(), (value) =>
      saveCookie('two_steps', value),
    ),
    labelled(t('web-undo-time'), undo),
    ...(notifyToggle ? [notifyToggle] : []),
    phone(),
    ...(document.documentElement.dataset.person === undefined ? [peopleSettings()] : []),
    signOutButton(),
  ];
}

/** A code that signs a phone in, made when it is opened; or how to let a phone reach this server. */
function phone() {
  return lazyDetails({ class: 'phone' }, t('web-phone'), async (content) => {
    const code = await new Client().post('/sign-in-codes', {}).catch(() => null);
    const url = code?.url ?? location.origin;
    content.replaceChildren(
      ...(isLoopback(url)
        ? [p('hint', textWithCommand('web-link-local', PHONE_COMMAND))]
        : [
            code?.qr_rows ? qrCode(code.qr_rows, t('web-phone')) : '',
            p('hint', code ? t('web-phone-scan') : url),
          ]),
    );
  });
}

/** The people whom agents can ask, for administrators. */
const peopleSettings = () =>
  lazyDetails({}, t('web-people'), async (content) => {
    const { people } = await import('./people.js');
    content.replaceChildren(people());
  });

/** Ends the session; the server then shows how to sign in. */
function signOutButton() {
  const failed = h('p', { class: 'notice', role: 'alert', hidden: true });
  const out = button(t('web-sign-out'), async () => {
    try {
      await new Client().post('/sign-out');
    } catch (error) {
      // A refusal means that the session has ended already; without a response it may still be open.
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
