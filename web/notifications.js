// System notifications about new questions. Loaded by those who want them.

import { button } from './dom.js';
import { t } from './i18n.js';
import { nameOf } from './pending.js';
import { setPreference, preference } from './preferences.js';

/** @import { Store } from './store.js' */
/** @import { Inquiry } from './wire.d.ts' */

const mayNotify = () =>
  'Notification' in globalThis &&
  Notification.permission === 'granted' &&
  preference('notify') === 'on';

export function notifyButton() {
  if (!('Notification' in globalThis)) return null;
  const toggle = button('', async () => {
    const isOn = mayNotify();
    if (!isOn && Notification.permission !== 'granted') await Notification.requestPermission();
    setPreference('notify', isOn ? 'off' : 'on');
    document.dispatchEvent(new Event('askback-notify'));
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
 * Shows a notification for each question that arrives while the page has no focus, and closes it when
 * the question ends.
 * @param {Store} store
 * @param {(id: string) => void} open
 */
export function notifyAboutQuestions(store, open) {
  /** @type {Map<string, Notification>} */
  const shown = new Map();
  store.addEventListener('asked', (event) => {
    const inquiry = /** @type {CustomEvent<Inquiry>} */ (event).detail;
    if (!mayNotify() || document.hasFocus()) return;
    // The lock and the tag make sure that only one tab shows it.
    navigator.locks.request(`askback-notify:${inquiry.id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return undefined;
      const notification = new Notification(t('asks', { agent: inquiry.source ?? 'askback' }), {
        body: nameOf(inquiry),
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
