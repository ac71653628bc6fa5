// Web Push: notifications also while no page is open. Loaded by those who want notifications.

import { Client } from '../lib/api.js';
import { preference, setPreference } from './preferences.js';

/** @import { PushSettings } from '../lib/wire.d.ts' */

const WORKER = '/service-worker.js';

/** Pages of other machines have it over https only. */
export const canPush = () =>
  isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis;

/** The policy of the page takes the address of a script from here only, and only once. */
const workerAddress =
  /** @type {any} */ (globalThis).trustedTypes
    ?.createPolicy('askback-worker', { createScriptURL: () => WORKER })
    .createScriptURL(WORKER) ?? WORKER;

async function register() {
  await navigator.serviceWorker.register(workerAddress);
  return navigator.serviceWorker.ready;
}

/** The subscription of this browser, if it has one. */
async function pushSubscription() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Nothing if the server has no Web Push. @returns {Promise<PushSettings | null>} */
export const pushSettings = () =>
  new Client().get('/push').catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });

/** @param {ArrayBuffer | null} key */
const base64url = (key) =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Subscribes this browser to the questions of a recipient. A subscription with another key is replaced.
 * @param {PushSettings} settings
 * @param {string} recipient
 */
export async function subscribe({ key }, recipient) {
  const { pushManager } = await register();
  const known = await pushManager.getSubscription();
  const isOurs = known && base64url(known.options.applicationServerKey) === key;
  if (known && !isOurs) await known.unsubscribe();
  const subscription = isOurs
    ? known
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await new Client().post('/push/subscriptions', { endpoint, keys, recipient });
  setPreference('notify-recipient', recipient);
}

/** Ends the subscription, here and at the server. */
export async function unsubscribe() {
  const known = await pushSubscription();
  if (!known) return;
  await new Client().post('/push/unsubscribe', { endpoint: known.endpoint });
  await known.unsubscribe();
}

/** A server that has lost the subscription, or has another key, gets it again. */
export async function renewSubscription() {
  const settings = await pushSettings();
  const recipient = preference('notify-recipient');
  if (settings?.recipients.some(({ alias }) => alias === recipient))
    await subscribe(settings, recipient);
}
