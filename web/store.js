// The state of the app: conversations, pending questions, and whether the feed is connected. Views
// subscribe to its events and keep no copies.

import { Client } from './api.js';
import { feedOf } from './feed.js';

/** @import { App, Conversation, Inquiry } from './wire.d.ts' */

/** A list is not read further than this. */
const LIST_ITEMS_MAX = 2000;

/**
 * The order of the inbox: nearest deadline first, then oldest first.
 * @param {Inquiry} one
 * @param {Inquiry} other
 */
export function byUrgency(one, other) {
  const deadline = (/** @type {Inquiry} */ each) =>
    each.expires_at ? Date.parse(each.expires_at) : Number.POSITIVE_INFINITY;
  if (deadline(one) !== deadline(other)) return deadline(one) - deadline(other);
  return Date.parse(one.asked_at) - Date.parse(other.asked_at) || (one.id < other.id ? -1 : 1);
}

/**
 * Emits `pending`, `conversations` and `connection` when that part of the state changed, `asked` and
 * `resolved` with the inquiry, `sent` after an answer that can be undone, and `feed` for every event.
 */
export class Store extends EventTarget {
  constructor() {
    super();
    this.client = new Client();
    /** Unanswered inquiries by id. @type {Map<string, Inquiry>} */
    this.pendingById = new Map();
    /** @type {Map<string, Conversation>} */
    this.conversations = new Map();
    /** @type {App[]} */
    this.apps = [];
    this.isConnected = true;
    this.isLoaded = false;
    /** Inquiries from the feed while `load` runs: they may be newer than its replies. @type {Inquiry[] | null} */
    this.receivedWhileLoading = null;
    /** Whether `load` has to read again. */
    this.isStale = false;
    this.feed = feedOf(this.client);
    this.feed.subscribe((event) => this.handleEvent(event));
  }

  /** Pending inquiries in the order of the inbox. */
  get pending() {
    return [...this.pendingById.values()].sort(byUrgency);
  }

  /** @param {string} type @param {unknown} [detail] */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Reads everything, and again if the feed was reopened meanwhile. */
  async load() {
    this.isStale = true;
    if (this.receivedWhileLoading) return;
    try {
      let replies;
      do {
        this.isStale = false;
        this.receivedWhileLoading = [];
        replies = await Promise.all([
          this.fetchAllPages('/inquiries?status=pending&limit=200'),
          this.client.get('/conversations?limit=100'),
          this.client.get('/apps'),
        ]);
      } while (this.isStale);
      const [inquiries, conversations, apps] = replies;
      this.pendingById = new Map(
        inquiries
          .filter((/** @type {Inquiry} */ each) => !each.held)
          .map((/** @type {Inquiry} */ each) => [each.id, each]),
      );
      this.conversations = new Map(
        conversations.items.map((/** @type {Conversation} */ each) => [each.id, each]),
      );
      this.apps = apps.items ?? apps;
      const received = this.receivedWhileLoading;
      this.receivedWhileLoading = null;
      for (const inquiry of received) this.applyInquiry(inquiry);
    } finally {
      this.receivedWhileLoading = null;
    }
    this.isLoaded = true;
    this.emit('pending');
    this.emit('conversations');
  }

  /** Adds or removes an inquiry. Returns whether it is pending. @param {Inquiry} inquiry */
  applyInquiry(inquiry) {
    this.receivedWhileLoading?.push(inquiry);
    const isPending = inquiry.status === 'pending' && !inquiry.held;
    if (isPending) this.pendingById.set(inquiry.id, inquiry);
    else this.pendingById.delete(inquiry.id);
    return isPending;
  }

  /** @param {string} path */
  async fetchAllPages(path) {
    const items = [];
    for (let cursor = ''; ; ) {
      const page = await this.client.get(
        path + (cursor && `&cursor=${encodeURIComponent(cursor)}`),
      );
      items.push(...page.items);
      if (!page.next || items.length >= LIST_ITEMS_MAX) return items;
      cursor = page.next;
    }
  }

  /** @param {{ type: string, data: any }} event */
  handleEvent({ type, data }) {
    switch (type) {
      case 'open':
      case 'lost':
        this.isConnected = type === 'open';
        this.emit('connection');
        if (type === 'open' && !data.resumed && (this.isLoaded || this.receivedWhileLoading))
          this.load().catch(() => {});
        break;
      case 'inquiry_held':
        this.applyHeld(data);
        break;
      case 'inquiry_asked':
      case 'inquiry_reminder':
      case 'inquiry_reopened': {
        const isNew = !this.pendingById.has(data.id) && type === 'inquiry_asked';
        if (!this.applyInquiry(data)) break;
        this.emit('pending');
        if (isNew) this.emit('asked', data);
        if (!this.conversations.has(data.conversation_id))
          this.fetchConversation(data.conversation_id);
        break;
      }
      case 'inquiry_resolved':
        this.applyResolved(data);
        break;
      case 'state_change': {
        const known = this.conversations.get(data.conversation_id);
        if (known) {
          known.state = data;
          this.emit('conversations');
        } else this.fetchConversation(data.conversation_id);
        break;
      }
      default:
    }
    this.emit('feed', { type, data });
  }

  /** A held answer can still be undone; its inquiry is not pending meanwhile. @param {Inquiry} inquiry */
  applyHeld(inquiry) {
    const wasPending = this.pendingById.has(inquiry.id);
    this.applyInquiry(inquiry);
    if (wasPending) this.emit('pending');
  }

  /** @param {Inquiry} inquiry */
  applyResolved(inquiry) {
    const wasPending = this.pendingById.has(inquiry.id);
    this.applyInquiry(inquiry);
    if (!wasPending) return;
    this.emit('pending');
    this.emit('resolved', inquiry);
  }

  /** After a conversation was deleted. Its questions are withdrawn. @param {string} id */
  removeConversation(id) {
    for (const inquiry of this.pending)
      if (inquiry.conversation_id === id) this.applyResolved({ ...inquiry, status: 'withdrawn' });
    if (this.conversations.delete(id)) this.emit('conversations');
  }

  /** @param {string} id */
  async fetchConversation(id) {
    const conversation = await this.client.conversation(id).catch(() => null);
    if (!conversation || this.conversations.has(id)) return;
    this.conversations = new Map([[id, conversation], ...this.conversations]);
    this.emit('conversations');
  }
}
