// Questions that are hidden from the inbox until a time. The server keeps them, so that they are hidden
// on every device; this is what the page knows of them.

/** The longest delay of setTimeout. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export class Snoozes {
  /** @param {(ids: string[]) => void} onWake called with the questions that come back */
  constructor(onWake) {
    this.onWake = onWake;
    /** Times in milliseconds, by inquiry id. @type {Map<string, number>} */
    this.untilById = new Map();
    this.timer = 0;
  }

  /** @param {string} id */
  has(id) {
    return (this.untilById.get(id) ?? 0) > Date.now();
  }

  /** @param {string} id @param {string | null} until null shows it again */
  set(id, until) {
    const time = until ? Date.parse(until) : undefined;
    if (this.untilById.get(id) === time) return;
    if (time) this.untilById.set(id, time);
    else this.untilById.delete(id);
    this.schedule();
  }

  /** Waits for the first one that comes back. */
  schedule() {
    clearTimeout(this.timer);
    if (this.untilById.size === 0) return;
    const delay = Math.min(...this.untilById.values()) - Date.now();
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(delay, 0), TIMER_MS_MAX));
  }

  wake() {
    const due = [...this.untilById.keys()].filter((id) => !this.has(id));
    for (const id of due) this.untilById.delete(id);
    this.schedule();
    if (due.length > 0) this.onWake(due);
  }
}
