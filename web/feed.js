// One stream of events for all tabs of a browser. Browsers allow few connections to one server, so
// one tab holds the stream and tells the others; when it goes, another takes over where it was.

/** @import { Client } from './api.js' */
/** @typedef {{ type: string, data: any }} FeedEvent */
/** @typedef {(event: FeedEvent) => void} Listener */

/** First and longest pause before another try, in milliseconds. */
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 15_000;
/** The server replies at once, and then says something every 15 seconds; after this long without, the line is dead. */
const REPLY_MS_MAX = 10_000;
const SILENCE_MS_MAX = 45_000;

/** @type {Map<string, Feed>} */
const feeds = new Map();

/**
 * The feed of a server, shared by everything on the page and by all tabs.
 * @param {Client} client
 */
export function feedOf(client) {
  const name = `askback-feed:${client.base || location.origin}:${client.token ? 'token' : 'cookie'}`;
  let feed = feeds.get(name);
  if (!feed) {
    feed = new Feed(client, name);
    feeds.set(name, feed);
  }
  return feed;
}

export class Feed {
  /** @param {Client} client @param {string} name */
  constructor(client, name) {
    this.client = client;
    this.name = name;
    /** The last record that came whole. @type {number | null} */
    this.last = null;
    this.isOpen = false;
    this.isRefused = false;
    /** @type {Set<Listener>} */
    this.listeners = new Set();
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.take(data);
    this.wake = () => {};
    addEventListener('online', () => this.wake());
    this.lead();
  }

  /**
   * Listens. `open` comes after a connection is made: what was read before may be out of date then,
   * unless the stream went on where it was.
   * @param {Listener} listener
   * @returns {() => void}
   */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param {FeedEvent & { id?: number }} event */
  take(event) {
    if (event.type === 'hello') {
      if (this.isOpen) this.channel.postMessage({ type: 'at', id: this.last });
      return;
    }
    if (event.type === 'reset') {
      // The server has less than was heard here, as after a backup was put back: all is read anew.
      this.last = event.id ?? null;
      this.pass({ type: 'open', data: { resumed: false } });
      return;
    }
    const sequence = event.data?.sequence;
    const isOld = typeof sequence === 'number' && this.last !== null && sequence <= this.last;
    if (event.id !== undefined && event.id !== null) this.last = Math.max(this.last ?? 0, event.id);
    if (event.type === 'at' || isOld) return;
    this.pass(event);
  }

  /** @param {FeedEvent} event */
  pass(event) {
    for (const listener of this.listeners) {
      // One listener that fails must not cut the others off.
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** @param {FeedEvent & { id?: number }} event */
  tell(event) {
    this.channel.postMessage(event);
    this.take(event);
  }

  /** Waits until no other tab holds the stream, then holds it for as long as the page lives. */
  async lead() {
    this.channel.postMessage({ type: 'hello' });
    if (navigator.locks) await navigator.locks.request(this.name, () => this.run());
    else await this.run();
  }

  async run() {
    for (let failures = 0; ; ) {
      await this.connect().catch(() => {});
      if (this.isRefused) return;
      failures = this.isOpen ? 0 : failures + 1;
      if (this.isOpen) this.tell({ type: 'lost', data: {} });
      this.isOpen = false;
      const pause = Math.min(RETRY_MS_MIN * 2 ** failures, RETRY_MS_MAX);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }

  /** Reads one connection to its end. */
  async connect() {
    const headers = this.client.headers();
    const resumed = this.last !== null;
    if (resumed) headers['Last-Event-ID'] = String(this.last);
    const abort = new AbortController();
    let watch = setTimeout(() => abort.abort(), REPLY_MS_MAX);
    try {
      const reply = await fetch(`${this.client.base}/events`, {
        headers,
        signal: abort.signal,
        cache: 'no-store',
      });
      if (!reply.ok || !reply.body) {
        this.isRefused = reply.status === 401 || reply.status === 403;
        if (this.isRefused) this.tell({ type: 'refused', data: { status: reply.status } });
        return;
      }
      this.isOpen = true;
      this.tell({ type: 'open', data: { resumed } });
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      clearTimeout(watch);
      watch = setTimeout(() => abort.abort(), SILENCE_MS_MAX);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), SILENCE_MS_MAX);
        const frames = (rest + value).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) this.read(frame);
      }
    } finally {
      clearTimeout(watch);
      // A connection that is given up must not stay open: a browser has few of them.
      abort.abort();
    }
  }

  /** @param {string} frame */
  read(frame) {
    let type = 'message';
    let id;
    let data = '';
    for (const line of frame.split('\n')) {
      const at = line.indexOf(':');
      const value = line.slice(at + 1).replace(/^ /, '');
      if (line.startsWith('event:')) type = value;
      else if (line.startsWith('id:')) id = Number(value);
      else if (line.startsWith('data:')) data += (data ? '\n' : '') + value;
    }
    if (data) this.tell({ type, id, data: JSON.parse(data) });
    // A stream begins with the place where it begins, so that one that is cut off before the first event goes on there.
    else if (id !== undefined) this.tell({ type: 'at', id, data: null });
  }
}
