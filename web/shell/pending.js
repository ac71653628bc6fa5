// Pending inquiries, by id and in the order of the inbox. With thousands of them, an arrival costs a
// binary search and not a sort.

/** @import { Inquiry } from '../lib/wire.d.ts' */
/** @typedef {{ deadline: number, asked: number }} Times */

/** Parsed once for each inquiry. @type {WeakMap<Inquiry, Times>} */
const parsed = new WeakMap();

/** @param {Inquiry} inquiry @returns {Times} */
function timesOf(inquiry) {
  let times = parsed.get(inquiry);
  if (!times) {
    const { expires_at, asked_at } = inquiry;
    times = {
      deadline: expires_at ? Date.parse(expires_at) : Number.POSITIVE_INFINITY,
      asked: Date.parse(asked_at),
    };
    parsed.set(inquiry, times);
  }
  return times;
}

/** @typedef {(one: Inquiry, other: Inquiry) => number} Order */

/** Oldest first. @type {Order} */
export const byAge = (one, other) =>
  timesOf(one).asked - timesOf(other).asked || (one.id < other.id ? -1 : Number(one.id > other.id));

/** Nearest deadline first, then oldest first: the order of the inbox. @type {Order} */
export function byUrgency(one, other) {
  const [first, second] = [timesOf(one).deadline, timesOf(other).deadline];
  return first === second ? byAge(one, other) : first - second;
}

/** The position of an inquiry in a sorted list, whether or not it is there. @param {Inquiry[]} list @param {Inquiry} inquiry @param {Order} order */
export function positionIn(list, inquiry, order) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(list[middle], inquiry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @extends {Map<string, Inquiry>} */
export class PendingInquiries extends Map {
  constructor() {
    super();
    /** In the order of the inbox. @type {Inquiry[]} */
    this.ordered = [];
  }

  /** @param {string} id @param {Inquiry} inquiry */
  set(id, inquiry) {
    this.delete(id);
    this.ordered.splice(positionIn(this.ordered, inquiry, byUrgency), 0, inquiry);
    return super.set(id, inquiry);
  }

  /** @param {string} id */
  delete(id) {
    const known = this.get(id);
    if (known) this.ordered.splice(positionIn(this.ordered, known, byUrgency), 1);
    return super.delete(id);
  }

  /** Adds or replaces a page of a list, with one sort. @param {Inquiry[]} inquiries */
  addAll(inquiries) {
    for (const inquiry of inquiries) super.set(inquiry.id, inquiry);
    this.ordered = [...this.values()].sort(byUrgency);
  }
}

/** The person who is signed in, and their groups; empty for an administrator. */
export const MINE = (globalThis.document?.documentElement.dataset.person ?? '')
  .split(' ')
  .filter(Boolean);

/** Whom a question names. @param {Inquiry} inquiry */
export const aliasOf = ({ recipient }) => recipient?.split('@')[0] ?? '';

/** Whether a question names this person or a group of theirs. @param {Inquiry} inquiry */
export const isMine = (inquiry) => MINE.includes(aliasOf(inquiry));

// Questions that are hidden from the inbox until a time. The server keeps them, so that they are hidden on every device;
// this is what the page knows of them.

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
