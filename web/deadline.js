// A deadline is shown as a time of day, with a way to get more of it. Doing anything near its end
// keeps the question open.

import { button, h } from './dom.js';
import { clock, t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Inquiry } from './wire.d.ts' */

/** When the end is near: the last tenth, or this many milliseconds. */
const NEAR_MS = 60_000;
/** When it is said aloud. */
const LAST_MS = 20_000;
/** The longest time that a timer of a browser can be set to. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * @param {AskbackQuestion} element
 * @param {Inquiry} inquiry
 */
export function deadlineView(element, inquiry) {
  const end = Date.parse(inquiry.expires_at ?? '');
  const near = Math.max(NEAR_MS, (end - Date.parse(inquiry.asked_at)) / 10);
  const left = end - Date.now();
  let isAsked = false;

  async function keepOpen() {
    if (isAsked) return;
    isAsked = true;
    try {
      element.take(await element.client.post(`/inquiries/${inquiry.id}/keep-open`));
      element.announce(t('web-deadline-kept'));
    } catch {
      isAsked = false;
    }
  }

  const node = h(
    'div',
    { class: 'deadline' },
    h('p', {}, t('web-deadline', { time: clock(inquiry.expires_at ?? '') })),
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
    // From here on any edit says that somebody is there.
    element.addEventListener('askback-edited', keepOpen, { once: true });
  });
  later(left - LAST_MS, () =>
    element.announce(t('web-deadline', { time: clock(inquiry.expires_at ?? '') }), true),
  );
  return node;
}
