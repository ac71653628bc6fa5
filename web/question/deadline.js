// The deadline of a question, as a time of day, and a button for more time. The button, and the first edit near the
// deadline, ask the server to keep the question open.

import { button, div, h, span } from '../lib/dom.js';
import { formatTime, t } from '../lib/i18n.js';
import { formatUntil } from '../lib/relative-time.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Inquiry } from '../lib/wire.d.ts' */

/** The deadline is near in the last tenth of the time, or in the last this many milliseconds. */
const NEAR_MS = 60_000;
/** When it is announced. */
const ANNOUNCE_MS = 20_000;
/** How often the remaining time is drawn: often in the last minute. */
const TICK_MS = 20_000;
const LAST_TICK_MS = 1000;
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
    // A view that was replaced has nothing to extend.
    if (isRequested || !node.isConnected) return;
    isRequested = true;
    try {
      const now = await element.client.post(`/inquiries/${inquiry.id}/keep-open`);
      element.applyInquiry(now);
      element.showNotice(
        now.expires_at
          ? t('web-deadline', { time: formatTime(now.expires_at) })
          : t('web-deadline-kept'),
      );
    } catch {
      isRequested = false;
    }
  }

  const remaining = span('remaining');
  const node = div(
    'deadline',
    h('p', {}, t('web-deadline', { time: formatTime(inquiry.expires_at ?? '') }), ' · ', remaining),
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
  /** Counts down. The first time it is not in the page yet. */
  const tick = () => {
    // Only the server ends a question.
    const isOver = Date.now() >= end;
    remaining.textContent = isOver ? t('deadline-over') : formatUntil(inquiry.expires_at ?? '');
    const isLast = end - Date.now() < 2 * NEAR_MS;
    later(isLast ? LAST_TICK_MS : TICK_MS, tick);
  };
  tick();
  later(left - near, () => {
    node.classList.add('near');
    element.addEventListener('askback-edited', keepOpen, { once: true });
  });
  later(left - ANNOUNCE_MS, () =>
    element.announce(t('web-deadline', { time: formatTime(inquiry.expires_at ?? '') }), true),
  );
  return node;
}
