// Notifications about new questions. Loaded by those who want them. With Web Push they come also while no page is
// open; where a browser has none, an open page shows them.

import { button, div, h } from '../lib/dom.js';
import { optionList } from '../lib/option-list.js';
import { t } from '../lib/i18n.js';
import { askerName } from '../question/outcome.js';
import { setPreference, preference } from './preferences.js';
import { canPush, pushSettings, renewSubscription, subscribe, unsubscribe } from './push.js';
import { askedOf } from './inquiry-names.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** @param {string[]} ways `on`: by an open page; `push`: by the service worker */
const isGranted = (...ways) =>
  'Notification' in globalThis &&
  Notification.permission === 'granted' &&
  ways.includes(preference('notify'));

/** The button that turns notifications on and off, and a menu if several people get questions here. */
export function notifyButton() {
  if (!('Notification' in globalThis)) return null;
  const whom = h('select', {
    hidden: true,
    'aria-label': t('web-notify-whom'),
    onchange: () => attempt(() => turnOn(whom.value)),
  });
  const failed = h('p', { class: 'notice', role: 'alert', hidden: true });
  const toggle = button('', () =>
    attempt(() => (isGranted('on', 'push') ? turnOff() : turnOn(null))),
  );
  let isBusy = false;

  /** One at a time, however often somebody presses. @param {() => Promise<void>} change */
  async function attempt(change) {
    if (isBusy) return;
    isBusy = true;
    failed.hidden = true;
    try {
      await change();
    } catch {
      failed.textContent = t('web-failed');
      failed.hidden = false;
    }
    isBusy = false;
    // There may be another such button on the page.
    document.dispatchEvent(new Event('askback-notify'));
  }

  async function turnOff() {
    if (isGranted('push')) await unsubscribe();
    setPreference('notify', 'off');
  }

  /** @param {string | null} recipient */
  async function turnOn(recipient) {
    if (Notification.permission !== 'granted') await Notification.requestPermission();
    if (Notification.permission !== 'granted') return;
    setPreference('notify', (await turnOnPush(recipient)) ?? 'on');
  }

  /** What notifies from now on; nothing if this browser or this server has no Web Push. @param {string | null} recipient */
  async function turnOnPush(recipient) {
    if (!canPush()) return null;
    const settings = await pushSettings();
    if (!settings) return null;
    const people = settings.recipients;
    if (recipient === null && people.length > 1) {
      whom.hidden = false;
      whom.replaceChildren(
        h('option', { value: '', disabled: true, selected: true }, t('web-notify-whom')),
        ...optionList(people.map(({ alias, name }) => [alias, name || alias])),
      );
      return 'off';
    }
    try {
      await subscribe(settings, recipient ?? people[0].alias);
    } catch (error) {
      // The browser has no push service, or cannot reach it.
      if (error instanceof DOMException) return null;
      throw error;
    }
    whom.hidden = true;
    return 'push';
  }

  function draw() {
    const isOn = isGranted('on', 'push');
    toggle.textContent =
      Notification.permission === 'denied'
        ? t('web-notify-blocked')
        : t(isOn ? 'web-notify-on' : 'web-notify');
    toggle.setAttribute('aria-pressed', String(isOn));
  }
  draw();
  document.addEventListener('askback-notify', draw);
  return div('notify', toggle, whom, failed);
}

/**
 * Shows a notification for each question that arrives while the page has no focus, and closes it when
 * the question ends.
 * @param {Store} store
 * @param {(id: string) => void} open
 */
export function notifyAboutQuestions(store, open) {
  if (isGranted('push')) renewSubscription().catch(() => {});
  /** @type {Map<string, Notification>} */
  const shown = new Map();
  store.addEventListener('asked', (event) => {
    const inquiry = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    if (!isGranted('on') || document.hasFocus()) return;
    // The lock and the tag make sure that only one tab shows it.
    navigator.locks.request(`askback-notify:${inquiry.id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return undefined;
      const notification = new Notification(t('asks', { agent: askerName(inquiry) }), {
        body: askedOf(inquiry),
        tag: inquiry.id,
      });
      notification.onclick = () => {
        focus();
        open(inquiry.id);
        notification.close();
      };
      shown.set(inquiry.id, notification);
      return new Promise((resolve) => {
        notification.addEventListener('askback-closed', resolve);
      });
    });
  });
  store.addEventListener('resolved', (event) => {
    const { id } = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    const notification = shown.get(id);
    notification?.close();
    notification?.dispatchEvent(new Event('askback-closed'));
    shown.delete(id);
  });
}
