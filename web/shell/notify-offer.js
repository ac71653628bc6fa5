// Offers notifications once, after the first answer: whoever has answered here may want to hear of the next question.
// Loaded then.

import { addStylesheet, button, h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { notifyButton } from './notifications.js';
import { preference, setPreference } from './preferences.js';

let isOffered = false;

/** In a corner, where it moves nothing. */
function offer() {
  const close = () => {
    if (!preference('notify')) setPreference('notify', 'off');
    node.remove();
    document.removeEventListener('askback-notify', close);
  };
  const node = h(
    'div',
    { class: 'notify-offer', role: 'group', 'aria-label': t('web-notify') },
    notifyButton(),
    button(t('web-not-now'), close, { class: 'quiet' }),
  );
  document.addEventListener('askback-notify', close);
  return node;
}

export async function offerOnce() {
  if (isOffered || globalThis.Notification?.permission !== 'default') return;
  isOffered = true;
  await addStylesheet('settings');
  document.querySelector('#app')?.append(offer());
}
