// One event stream (SSE) for all tabs of a browser. Browsers allow few connections to one server, so
// one tab, the leader, holds the stream and broadcasts its events. When that tab closes, another one
// becomes the leader and resumes after the last event.

/** @import { Client } from './api.js' */
/** @typedef {{ type: string, data: any }} FeedEvent */
/** @typedef {(event: FeedEvent) => void} Listener */

/** Shortest and longest pause before reconnecting, in milliseconds. */
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 15_000;
/** The server responds at once and sends something every 15 seconds. Without it the connection is dead. */
const RESPONSE_MS_MAX = 10_000;
const SILENCE_MS_MAX = 45_000;

/** How long a page waits for the stream before it reads without it. */
const READY_MS_MAX = 1000;

/** @type {Map<string, Feed>} */
const feeds = new Map();

/** The feed of all conversations: what changes questions, and the states of conversations. */
const ALL = '/events';

/**
 * A feed of a server, shared by everything on the page and by all tabs. That of one conversation has its messages, and
 * ends when nobody listens to it any more.
 * @param {Client} client
 * @param {string} [path]
 */
export function feedOf(client, path = ALL) {
  const name = `askback-feed:${client.base || location.origin}:${client.token || 'cookie'}:${path}`;
  let feed = feeds.get(name);
  if (!feed) {
    feed = new Feed(client, name, path);
    feeds.set(name, feed);
  }
  return feed;
}

class Feed {
  /** @param {Client} client @param {string} name @param {string} path */
  constructor(client, name, path) {
    this.client = client;
    this.name = name;
    this.path = path;
    /** Aborted when the feed ends. */
    this.closing = new AbortController();
    /** The id of the last event. @type {number | null} */
    this.lastId = null;
    /** Events and tokens after this id were received without a gap. @type {number | null} */
    this.unbrokenFrom = null;
    this.isOpen = false;
    this.isRefused = false;
    /** @type {Set<Listener>} */
    this.listeners = new Set();
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.receive(data);
    this.retryNow = () => {};
    this.setReady = () => {};
    /**
     * Settled when events arrive, from the server or from the tab that leads, or cannot arrive now. What
     * is read after that has no gap to the events.
     * @type {Promise<void>}
     */
    this.ready = new Promise((resolve) => {
      this.setReady = resolve;
      setTimeout(resolve, READY_MS_MAX);
    });
    addEventListener('online', () => this.retryNow(), { signal: this.closing.signal });
    this.becomeLeader().catch(() => {});
  }

  /**
   * Besides the events of the server there are `open`, `lost` and `refused`. After an `open` that is
   * not `resumed`, events may have been missed: read the state again.
   * @param {Listener} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0 && this.path !== ALL) this.close();
    };
  }

  close() {
    feeds.delete(this.name);
    this.closing.abort();
    this.channel.close();
    this.retryNow();
  }

  /** @param {FeedEvent & { id?: number }} event */
  receive(event) {
    if (event.type === 'hello') {
      if (this.isOpen) this.channel.postMessage({ type: 'at', id: this.lastId });
      return;
    }
    this.setReady();
    if (event.type === 'reset') {
      // The server has fewer events than we have seen, as after a restored backup.
      this.lastId = event.id ?? null;
      this.notify({ type: 'open', data: { resumed: false } });
      return;
    }
    const sequence = event.data?.sequence;
    const isOld = typeof sequence === 'number' && this.lastId !== null && sequence <= this.lastId;
    if (event.id !== undefined && event.id !== null)
      this.lastId = Math.max(this.lastId ?? 0, event.id);
    if (event.type === 'lost') this.unbrokenFrom = Number.POSITIVE_INFINITY;
    // The first id after the stream was opened, or the first one that the leading tab names.
    else if (typeof event.id === 'number')
      this.unbrokenFrom = Math.min(this.unbrokenFrom ?? event.id, event.id);
    if (event.type === 'at' || isOld) return;
    this.notify(event);
  }

  /** @param {FeedEvent} event */
  notify(event) {
    for (const listener of this.listeners) {
      // A listener that throws must not stop the others.
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** @param {FeedEvent & { id?: number }} event */
  broadcast(event) {
    this.channel.postMessage(event);
    this.receive(event);
  }

  /** Waits until no other tab leads, then leads for as long as the page lives. */
  async becomeLeader() {
    this.channel.postMessage({ type: 'hello' });
    const { signal } = this.closing;
    if (navigator.locks) await navigator.locks.request(this.name, { signal }, () => this.run());
    else await this.run();
  }

  async run() {
    for (let failures = 0; ; ) {
      await this.connect().catch(() => {});
      if (this.isRefused || this.closing.signal.aborted) return;
      failures = this.isOpen ? 0 : failures + 1;
      if (this.isOpen) this.broadcast({ type: 'lost', data: {} });
      this.isOpen = false;
      const pause = Math.min(RETRY_MS_MIN * 2 ** failures, RETRY_MS_MAX);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.retryNow = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }

  /** Reads one connection to its end. */
  async connect() {
    const headers = this.client.headers();
    const resumed = this.lastId !== null;
    if (resumed) headers['Last-Event-ID'] = String(this.lastId);
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.closing.signal]);
    let watch = setTimeout(() => abort.abort(), RESPONSE_MS_MAX);
    try {
      const response = await fetch(`${this.client.base}${this.path}`, {
        headers,
        signal,
        cache: 'no-store',
      });
      if (!response.ok || !response.body) {
        this.isRefused = response.status === 401 || response.status === 403;
        if (this.isRefused) this.broadcast({ type: 'refused', data: { status: response.status } });
        return;
      }
      this.isOpen = true;
      this.broadcast({ type: 'open', data: { resumed } });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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
        for (const frame of frames) this.readFrame(frame);
      }
    } finally {
      clearTimeout(watch);
      // A browser has few connections to one server: close this one.
      abort.abort();
    }
  }

  /** @param {string} frame */
  readFrame(frame) {
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
    if (data) this.broadcast({ type, id, data: JSON.parse(data) });
    // The stream starts with its current id, so that it can resume even before the first event.
    else if (id !== undefined) this.broadcast({ type: 'at', id, data: null });
  }
}
