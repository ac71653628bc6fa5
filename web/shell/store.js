// The state of the app: conversations, pending questions, and whether the feed is connected. Views
// subscribe to its events and keep no copies.

import { Client, storedActor } from '../lib/api.js';
import { feedOf } from '../lib/feed.js';
import { localAppName } from '../lib/i18n.js';
import { isAnsweredHere } from '../draft/outbox.js';
import { PendingInquiries } from './pending.js';
import { Snoozes } from './snoozes.js';

/** @import { App, Conversation, Inquiry, Message } from '../lib/wire.d.ts' */

/** Questions without the name of their agent whose conversations are read at the start. */
const NAMELESS_MAX = 50;

/**
 * Emits `pending` (with the inquiries that are new or changed), `conversations` and `connection` when
 * that part of the state changed, `asked` and `resolved` with the inquiry, and `feed` for every event.
 */
export class Store extends EventTarget {
  constructor() {
    super();
    this.client = new Client();
    /** Unanswered inquiries, with those that are snoozed. */
    this.pendingById = new PendingInquiries();
    /** Whether every pending inquiry was read. Until then, the count is a part of it. */
    this.isComplete = false;
    this.snoozes = new Snoozes((ids) => this.wake(ids));
    /** Those of the built-in agent, and what was opened of others. @type {Map<string, Conversation>} */
    this.conversations = new Map();
    /** The cursor of more conversations. @type {string | null} */
    this.moreConversations = null;
    /** @type {App[]} */
    this.apps = [];
    this.isConnected = true;
    this.isLoaded = false;
    /** Answers of this browser that could still be undone when the page was loaded. @type {Inquiry[]} */
    this.heldHere = [];
    /** Inquiries from the feed while `load` runs: they may be newer than its replies. @type {Inquiry[] | null} */
    this.receivedWhileLoading = null;
    /** Whether `load` has to read again. */
    this.isStale = false;
    this.feed = feedOf(this.client);
    this.feed.subscribe((event) => this.handleEvent(event));
  }

  /** Pending inquiries in the order of the inbox. */
  get pending() {
    return this.pendingById.ordered;
  }

  /** How many questions wait and are not snoozed. */
  get waitingCount() {
    const snoozed = [...this.snoozes.untilById.keys()].filter(
      (id) => this.snoozes.has(id) && this.pendingById.has(id),
    );
    return this.pendingById.size - snoozed.length;
  }

  /** The count for people: `200+` while more are being read. */
  get waitingText() {
    return `${this.waitingCount}${this.isComplete ? '' : '+'}`;
  }

  /** Who asks: an external agent by its own name, the built-in one by its app. @param {Inquiry} inquiry */
  agentName({ source, conversation_id }) {
    if (source) return source;
    const known = this.conversations.get(conversation_id);
    if (known?.driver === 'external') return known.title ?? 'askback';
    const id = known?.app;
    const app = this.apps.find((each) => (id ? each.id === id : each.default));
    return app ? localAppName(app) : 'askback';
  }

  /** @param {string} type @param {unknown} [detail] */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Reads everything, and again if the feed was reopened meanwhile. */
  async load() {
    this.isStale = true;
    if (this.receivedWhileLoading) return;
    this.receivedWhileLoading = [];
    try {
      let replies;
      await this.feed.ready;
      do {
        this.isStale = false;
        this.receivedWhileLoading = [];
        replies = await Promise.all([
          this.fetchPending(),
          this.client.get('/conversations?driver=built_in&limit=100'),
          this.client.get('/apps'),
        ]);
      } while (this.isStale);
      const [pending, conversations, apps] = replies;
      this.pendingById = pending;
      this.isComplete = true;
      this.conversations = new Map(
        conversations.items.map((/** @type {Conversation} */ each) => [each.id, each]),
      );
      this.moreConversations = conversations.next;
      this.apps = apps.items ?? apps;
      for (const inquiry of this.receivedWhileLoading) this.putInquiry(inquiry);
    } finally {
      this.receivedWhileLoading = null;
    }
    this.isLoaded = true;
    // Who asks without a name: the conversations of other agents are not in the list.
    for (const { source, conversation_id } of this.pending.slice(0, NAMELESS_MAX))
      if (!source && !this.conversations.has(conversation_id))
        this.fetchConversation(conversation_id);
    this.emit('pending', []);
    this.emit('conversations');
  }

  /** Reads all pending inquiries. At the first time each page is shown as it comes. */
  async fetchPending() {
    const all = new PendingInquiries();
    const snoozes = this.client.get('/snoozes');
    for (let cursor = ''; ; ) {
      const page = await this.client.get(
        `/inquiries?status=pending&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      if (!cursor) this.snoozes.replaceAll((await snoozes).items);
      /** @type {Inquiry[]} */
      const items = page.items.filter((/** @type {Inquiry} */ each) => !each.held);
      all.addAll(items);
      if (!this.isLoaded) {
        this.heldHere.push(
          ...page.items.filter(
            (/** @type {Inquiry} */ { id, held }) =>
              held &&
              isAnsweredHere(id) &&
              // It may have been undone, and answered by somebody else since.
              (held.answered_by ?? storedActor()) === storedActor(),
          ),
        );
        this.pendingById.addAll(items);
        // What the feed said meanwhile is newer.
        for (const inquiry of this.receivedWhileLoading ?? []) this.putInquiry(inquiry);
      }
      this.emit('pending', items);
      if (!page.next) return all;
      cursor = page.next;
    }
  }

  /** Adds or removes an inquiry. Returns whether it is pending. @param {Inquiry} inquiry */
  applyInquiry(inquiry) {
    this.receivedWhileLoading?.push(inquiry);
    return this.putInquiry(inquiry);
  }

  /** @param {Inquiry} inquiry */
  putInquiry(inquiry) {
    const isPending = inquiry.status === 'pending' && !inquiry.held;
    if (isPending) this.pendingById.set(inquiry.id, inquiry);
    else this.pendingById.delete(inquiry.id);
    return isPending;
  }

  // Snoozes

  /** Hides questions, or shows them again, in every tab. @param {string[]} ids @param {string | null} until */
  async snooze(ids, until) {
    for (const id of ids) {
      await this.client.request('PUT', `/inquiries/${id}/snooze`, { until });
      this.feed.broadcast({ type: 'inquiry_snoozed', data: { inquiry_id: id, until } });
    }
  }

  /** Snoozes are not sent again to a page that was not connected. */
  async refreshSnoozes() {
    const { items } = await this.client.get('/snoozes');
    this.snoozes.replaceAll(items);
    this.emit('pending', []);
  }

  /** Questions that come back are as good as new. @param {string[]} ids */
  wake(ids) {
    this.emit('pending', []);
    for (const id of ids) {
      const inquiry = this.pendingById.get(id);
      if (inquiry) this.emit('asked', inquiry);
    }
  }

  // Events

  /** @param {{ type: string, data: any }} event */
  handleEvent({ type, data }) {
    switch (type) {
      case 'open':
      case 'lost':
        this.isConnected = type === 'open';
        this.emit('connection');
        if (type === 'open' && !data.resumed && (this.isLoaded || this.receivedWhileLoading))
          this.load().catch(() => {});
        else if (type === 'open' && this.isLoaded) this.refreshSnoozes().catch(() => {});
        break;
      case 'message':
        this.applyDeadlines(data.message);
        break;
      case 'inquiry_held':
        this.applyHeld(data);
        break;
      case 'inquiry_asked':
      case 'inquiry_handed_on':
      case 'inquiry_reminder':
      case 'inquiry_reopened': {
        const isNew = !this.pendingById.has(data.id) && type === 'inquiry_asked';
        if (!this.applyInquiry(data)) break;
        // A deadline that is near ends a snooze.
        if (type === 'inquiry_reminder') this.snoozes.set(data.id, null);
        this.emit('pending', [data]);
        if (isNew) this.emit('asked', data);
        if (!this.conversations.has(data.conversation_id))
          this.fetchConversation(data.conversation_id);
        break;
      }
      case 'inquiry_resolved':
        this.applyResolved(data);
        break;
      case 'inquiry_snoozed':
        this.snoozes.set(data.inquiry_id, data.until ?? null);
        this.emit('pending', []);
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

  /** A deadline that is moved is in the message of its question. @param {Message} message */
  applyDeadlines({ blocks }) {
    for (const { extra } of blocks) {
      const known = extra && this.pendingById.get(extra.inquiryId);
      const expires_at = extra?.expiresAt ?? undefined;
      if (!known || extra.inquiryStatus !== 'pending' || known.expires_at === expires_at) continue;
      const moved = { ...known, expires_at, revision: extra.revision };
      this.applyInquiry(moved);
      this.emit('pending', [moved]);
    }
  }

  /** A held answer can still be undone; its inquiry is not pending meanwhile. @param {Inquiry} inquiry */
  applyHeld(inquiry) {
    const wasPending = this.pendingById.has(inquiry.id);
    this.applyInquiry(inquiry);
    if (wasPending) this.emit('pending', []);
  }

  /** @param {Inquiry} inquiry */
  applyResolved(inquiry) {
    const wasPending = this.pendingById.has(inquiry.id);
    this.applyInquiry(inquiry);
    if (!wasPending) return;
    this.emit('pending', []);
    this.emit('resolved', inquiry);
  }

  /** After a conversation was deleted. Its questions are withdrawn. @param {string} id */
  removeConversation(id) {
    for (const inquiry of [...this.pending])
      if (inquiry.conversation_id === id) this.applyResolved({ ...inquiry, status: 'withdrawn' });
    if (this.conversations.delete(id)) this.emit('conversations');
  }

  /** @param {string} id */
  async fetchConversation(id) {
    const conversation = await this.client.conversation(id).catch(() => null);
    // Sub-agents are not listed: they speak through the conversation that started them.
    if (!conversation || conversation.parent || this.conversations.has(id)) return;
    this.conversations = new Map([[id, conversation], ...this.conversations]);
    this.emit('conversations');
  }
}
