// Shows notifications about questions, also while no page is open. The server says what is shown; nothing is
// decided here.

/** @import { PushMessage, PushWorker } from './shell/push-message.d.ts' */

const worker = /** @type {PushWorker} */ (/** @type {unknown} */ (globalThis));

/** A notification replaces the one with the same tag. @param {PushMessage} message */
const show = (message) =>
  worker.registration.showNotification(message.title, {
    body: message.body,
    lang: message.lang,
    tag: message.tag,
    silent: message.silent,
    renotify: !message.silent,
    icon: '/web/icons/icon-192.png',
    data: message,
    actions: (message.actions ?? []).map(({ title }, index) => ({ action: String(index), title })),
  });

/** @param {PushMessage} message */
async function receive(message) {
  await show(message);
  // Browsers want to see a notification for each message, also for one that only takes others away.
  for (const tag of message.close ?? [])
    for (const shown of await worker.registration.getNotifications({ tag })) shown.close();
}

/** Presses a button of ours. What came of it is shown by the next message, unless it was refused. @param {string} url @param {PushMessage} message */
async function press(url, message) {
  const { actions, ...rest } = message;
  // One with the same tag could be closed together with the one that was pressed, which takes a moment.
  const tag = `${message.tag.replace(/-reply$/, '')}-reply`;
  try {
    const response = await fetch(url, { method: 'POST', headers: { Accept: 'application/json' } });
    if (response.ok) return;
    const { text } = await response.json();
    await show({ ...rest, tag, body: text, silent: true });
  } catch {
    // Not reached: the buttons stay.
    await show({ ...message, tag, body: message.failed, silent: true });
  }
}

/** Shows the question in the inbox, if one is open, or in a new window. @param {string} url */
async function openQuestion(url) {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const each of windows) {
    // Only there it is no reload, which would lose what somebody types.
    if (new URL(each.url).pathname !== '/inbox') continue;
    try {
      await each.navigate(url);
      return await each.focus();
    } catch {
      // A page that was opened before this worker was installed.
    }
  }
  return worker.clients.openWindow(url);
}

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('push', (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(receive(message));
});
worker.addEventListener('notificationclick', (event) => {
  /** @type {PushMessage} */
  const message = event.notification.data;
  event.notification.close();
  const pressed = event.action ? message.actions?.[Number(event.action)] : undefined;
  event.waitUntil(pressed ? press(pressed.url, message) : openQuestion(message.url));
});
