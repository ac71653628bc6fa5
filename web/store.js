// What the app knows: conversations, questions that wait, and how the stream stands. Views listen
// and draw; nothing else keeps a copy.

import { Client } from './api.js';
import { feedOf } from './feed.js';

/** @import { App, Conversation, Inquiry } from './wire.d.ts' */

/**
 * Those that end soonest first, then the oldest: the order of every inbox.
 * @param {Inquiry} one
 * @param {Inquiry} other
 */
export function byUrgency(one, other) {
  const end = (/** @type {Inquiry} */ each) =>
    each.expires_at ? Date.parse(each.expires_at) : Number.POSITIVE_INFINITY;
  if (end(one) !== end(other)) return end(one) - end(other);
  return Date.parse(one.asked_at) - Date.parse(other.asked_at) || (one.id < other.id ? -1 : 1);
}

export class Store extends EventTarget {
  constructor() {
    super();
    this.client = new Client();
    /** @type {Map<string, Inquiry>} */
    this.waiting = new Map();
    /** @type {Map<string, Conversation>} */
    this.conversations = new Map();
    /** @type {App[]} */
    this.apps = [];
    this.isConnected = true;
    this.isLoaded = false;
    /** What is heard of questions while everything is read: it may be newer than what is read. @type {Inquiry[] | null} */
    this.heard = null;
    /** Whether something may have happened unheard since the reading began. */
    this.isStale = false;
    this.feed = feedOf(this.client);
    this.feed.on((event) => this.hear(event));
  }

  /** Questions that wait, in the order of the inbox. */
  get pending() {
    return [...this.waiting.values()].sort(byUrgency);
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Reads everything, again if the stream began meanwhile. */
  async load() {
    this.isStale = true;
    if (this.heard) return;
    try {
      let read;
      do {
        this.isStale = false;
        this.heard = [];
        read = await Promise.all([
          this.all('/inquiries?status=pending&limit=200'),
          this.client.get('/conversations?limit=100'),
          this.client.get('/apps'),
        ]);
      } while (this.isStale);
      const [inquiries, conversations, apps] = read;
      this.waiting = new Map(
        inquiries
          .filter((/** @type {Inquiry} */ each) => !each.held)
          .map((/** @type {Inquiry} */ each) => [each.id, each]),
      );
      this.conversations = new Map(
        conversations.items.map((/** @type {Conversation} */ each) => [each.id, each]),
      );
      this.apps = apps.items ?? apps;
      const heard = this.heard;
      this.heard = null;
      for (const inquiry of heard) this.note(inquiry);
    } finally {
      this.heard = null;
    }
    this.isLoaded = true;
    this.tell('pending');
    this.tell('conversations');
  }

  /** Whether a question waits after this was heard of it. @param {Inquiry} inquiry */
  note(inquiry) {
    this.heard?.push(inquiry);
    const waits = inquiry.status === 'pending' && !inquiry.held;
    if (waits) this.waiting.set(inquiry.id, inquiry);
    else this.waiting.delete(inquiry.id);
    return waits;
  }

  /** All pages of a list. @param {string} path */
  async all(path) {
    const items = [];
    for (let cursor = ''; ; ) {
      const page = await this.client.get(
        path + (cursor && `&cursor=${encodeURIComponent(cursor)}`),
      );
      items.push(...page.items);
      if (!page.next || items.length >= 2000) return items;
      cursor = page.next;
    }
  }

  /** @param {{ type: string, data: any }} event */
  hear({ type, data }) {
    switch (type) {
      case 'open':
      case 'lost':
        this.isConnected = type === 'open';
        this.tell('connection');
        if (type === 'open' && !data.resumed && (this.isLoaded || this.heard))
          this.load().catch(() => {});
        break;
      case 'inquiry_held':
        this.held(data);
        break;
      case 'inquiry_asked':
      case 'inquiry_reminder':
      case 'inquiry_reopened': {
        const isNew = !this.waiting.has(data.id) && type === 'inquiry_asked';
        if (!this.note(data)) break;
        this.tell('pending');
        if (isNew) this.tell('asked', data);
        if (!this.conversations.has(data.conversation_id)) this.learn(data.conversation_id);
        break;
      }
      case 'inquiry_resolved':
        this.resolved(data);
        break;
      case 'state_change': {
        const known = this.conversations.get(data.conversation_id);
        if (known) {
          known.state = data;
          this.tell('conversations');
        } else this.learn(data.conversation_id);
        break;
      }
      default:
    }
    this.tell('feed', { type, data });
  }

  /** An answer that can be taken back: nobody waits for it meanwhile. @param {Inquiry} inquiry */
  held(inquiry) {
    const waited = this.waiting.has(inquiry.id);
    this.note(inquiry);
    if (waited) this.tell('pending');
  }

  /** @param {Inquiry} inquiry */
  resolved(inquiry) {
    const waited = this.waiting.has(inquiry.id);
    this.note(inquiry);
    if (!waited) return;
    this.tell('pending');
    this.tell('resolved', inquiry);
  }

  /** A conversation is gone, with its questions. @param {string} id */
  forget(id) {
    for (const inquiry of this.pending)
      if (inquiry.conversation_id === id) this.resolved({ ...inquiry, status: 'withdrawn' });
    if (this.conversations.delete(id)) this.tell('conversations');
  }

  /** Asks for a conversation that appeared. @param {string} id */
  async learn(id) {
    const conversation = await this.client.conversation(id).catch(() => null);
    if (!conversation || this.conversations.has(id)) return;
    this.conversations = new Map([[id, conversation], ...this.conversations]);
    this.tell('conversations');
  }
}
