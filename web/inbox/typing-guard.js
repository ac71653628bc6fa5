// Keeps letters that were meant for a field from acting as keys of the inbox: after a key that went into a
// field, and after somebody else ended the question, no key acts before a pause in typing (rule A5 of
// docs/answering.md).

import { QUIET_MS, takesText } from '../lib/input-guard.js';

/** @param {AbortSignal} signal ends it */
export function typingGuard(signal) {
  let lastKeyAt = Number.NEGATIVE_INFINITY;
  const pause = () => {
    lastKeyAt = Number.NEGATIVE_INFINITY;
  };

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    // These leave a field on purpose.
    if (event.key === 'Escape' || event.key === 'Tab') pause();
    else if (takesText(event.composedPath()[0])) lastKeyAt = event.timeStamp;
  }

  addEventListener('keydown', handleKey, { capture: true, signal });
  addEventListener('pointerdown', pause, { capture: true, signal });
  return {
    /** Call it when somebody else ended or changed what the user works on. */
    noteChange: () => {
      lastKeyAt = performance.now();
    },
    /** Whether a key continues what was being typed. Such a key does nothing, and the pause begins again. @param {KeyboardEvent} event */
    isTyping({ key, timeStamp }) {
      if (key.length > 1 && key !== 'Enter') return false;
      if (timeStamp - lastKeyAt >= QUIET_MS) return false;
      lastKeyAt = timeStamp;
      return true;
    },
  };
}
