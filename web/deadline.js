// The deadline of a question, as a time of day, and a button for more time. Any edit near the deadline
// extends it.

import { button, h } from './dom.js';
import { formatTime, t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** The deadline is near in the last tenth of the time, or in the last this many milliseconds. */
const NEAR_MS = 60_000;
/** When it is announced. */
const ANNOUNCE_MS = 20_000;
/** The longest delay of setTimeout. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export function deadlineView(element, inquiry) {
  const end = Date.parse(inquiry.expires_at ?? '');
  const near = Math.max(NEAR_MS, (end - Date.parse(inquiry.asked_at)) / 10);
  const left = end - Date.now();
  let isRequested = false;

  async function keepOpen() {
    if (isRequested) return;
    isRequested = true;
    try {
      element.applyInquiry(await element.client.post(`/inquiries/${inquiry.id}/keep-open`));
      element.announce(t('web-deadline-kept'));
    } catch {
      isRequested = false;
    }
  }

  const node = h(
    'div',
    { class: 'deadline' },
    h('p', {}, t('web-deadline', { time: formatTime(inquiry.expires_at ?? '') })),
    button(t('web-more-time'), keepOpen),
  );

  /** @param {number} ms @param {() => void} act */
  const later = (ms, act) => {
    if (ms <= TIMER_MS_MAX)
      setTimeout(
        () => {
          if (node.isConnected) act();
        },
        Math.max(ms, 0),
      );
  };
  later(left - near, () => {
    node.classList.add('near');
    element.addEventListener('askback-edited', keepOpen, { once: true });
  });
  later(left - ANNOUNCE_MS, () =>
    element.announce(t('web-deadline', { time: formatTime(inquiry.expires_at ?? '') }), true),
  );
  return node;
}
