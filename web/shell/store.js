// The state of the app: conversations, pending questions, and whether the feed is connected. Views
// subscribe to its events and keep no copies.

import { Client, storedActor } from '../lib/api.js';
import { feedOf } from '../lib/feed.js';
import { isAnsweredHere } from '../draft/outbox.js';
import { isGone } from '../question/state.js';
import { MINE, PendingInquiries, Snoozes, isMine } from './pending.js';

/** @import { App, Conversation, Inquiry } from '../lib/wire.d.ts' */

/** Whether somebody can answer it now. What was handed on to somebody else is not a person's any more. @param {Inquiry} inquiry */
const isOpen = (inquiry) =>
  inquiry.status === 'pending' &&
  !inquiry.held &&
  !isGone(inquiry) &&
  (MINE.length === 0 || !inquiry.recipient || isMine(inquiry));

/** Whether this browser gave the answer. It may have been undone, and answered by somebody else since. @param {Inquiry} inquiry */
const isHeldHere = ({ id, held }) =>
  Boolean(held) && isAnsweredHere(id) && (held?.answered_by ?? storedActor()) === storedActor();

/**
 * Emits `pending` (with the inquiries that are new or changed), `conversations` and `connection` when
 * that part of the state changed, `inquiry` with each inquiry that was applied, `asked` and `resolved` with one that is
 * new or has ended, and `feed` for every event.
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
    /** The newest version of each inquiry: what is older changes nothing. @type {Map<string, number>} */
    this.versions = new Map();
    this.isLoading = false;
    /** Whether `load` has to read again. */
    this.isStale = false;
    this.feed = feedOf(this.client);
    this.feed.subscribe((event) => this.handleEvent(event));
  }

  /** Pending inquiries in the order of the inbox. */
  get pending() {
    return this.pendingById.ordered;
  }

  /** Whether conversations may be read. Somebody who is no administrator sees what is for them, and nothing else. */
  get canChat() {
    return document.documentElement.dataset.person === undefined;
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

  /** @param {string} type @param {unknown} [detail] */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Reads everything, and again if the feed was reopened meanwhile. */
  async load() {
    this.isStale = true;
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      let responses;
      await this.feed.ready;
      do {
        this.isStale = false;
        const paths = this.canChat ? ['/conversations?driver=built_in&limit=100', '/apps'] : [];
        responses = await Promise.all([
          this.fetchPending(),
          ...paths.map((path) => this.client.get(path)),
        ]);
      } while (this.isStale);
      const [, conversations = { items: [] }, apps = { items: [] }] = responses;
      this.isComplete = true;
      this.conversations = new Map(
        conversations.items.map((/** @type {Conversation} */ each) => [each.id, each]),
      );
      this.moreConversations = conversations.next;
      this.apps = apps.items;
    } finally {
      this.isLoading = false;
    }
    this.isLoaded = true;
    this.emit('pending', []);
    this.emit('conversations');
  }

  /** Reads all pending inquiries and shows each page as it comes. What is not among them has ended. */
  async fetchPending() {
    const before = new Map(this.versions);
    /** @type {Set<string>} */
    const listed = new Set();
    for (let cursor = ''; ; ) {
      const page = await this.client.get(
        `/inquiries?status=pending&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      /** What the feed said meanwhile is newer. @type {Inquiry[]} */
      const items = page.items.filter((/** @type {Inquiry} */ each) => this.isNews(each));
      for (const { id } of page.items) listed.add(id);
      for (const { id, version = 0 } of items) this.versions.set(id, version);
      const open = items.filter(isOpen);
      this.pendingById.addAll(open);
      for (const { id, snoozed_until } of items) this.snoozes.set(id, snoozed_until ?? null);
      for (const each of items)
        if (!isOpen(each)) {
          this.pendingById.delete(each.id);
          if (!this.isLoaded && isHeldHere(each)) this.heldHere.push(each);
        }
      this.emit('pending', open);
      if (!page.next) break;
      cursor = page.next;
    }
    for (const [id, version] of before) {
      // Neither listed nor heard of since: it ended while the page was not connected.
      if (listed.has(id) || this.versions.get(id) !== version) continue;
      this.versions.delete(id);
      this.pendingById.delete(id);
    }
  }

  /** Whether an inquiry is as new as what is known of it. @param {Inquiry} inquiry */
  isNews({ id, version = 0 }) {
    return version >= (this.versions.get(id) ?? 0);
  }

  /**
   * Applies an inquiry as the server has it, from the feed, a list or the response to a request. Applied twice, it changes
   * nothing.
   * @param {Inquiry} inquiry
   */
  applyInquiry(inquiry) {
    if (!this.isNews(inquiry)) return;
    const isNew = !this.versions.has(inquiry.id);
    const wasPending = this.pendingById.has(inquiry.id);
    const isPending = isOpen(inquiry);
    this.versions.set(inquiry.id, inquiry.version ?? 0);
    this.snoozes.set(inquiry.id, (isPending && inquiry.snoozed_until) || null);
    if (isPending) this.pendingById.set(inquiry.id, inquiry);
    else this.pendingById.delete(inquiry.id);
    if (isPending || wasPending) this.emit('pending', isPending ? [inquiry] : []);
    if (isPending && isNew) this.emit('asked', inquiry);
    if (wasPending && inquiry.status !== 'pending') this.emit('resolved', inquiry);
    this.emit('inquiry', inquiry);
    if (isPending && this.canChat && !this.conversations.has(inquiry.conversation_id))
      this.fetchConversation(inquiry.conversation_id);
  }

  // Snoozes

  /** Hides questions, or shows them again, in every tab. @param {string[]} ids @param {string | null} until */
  async snooze(ids, until) {
    for (const id of ids)
      this.applyInquiry(await this.client.request('PUT', `/inquiries/${id}/snooze`, { until }));
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
        // Snoozes, and whether an agent waits, are not sent again to a page that was not connected.
        if (type === 'open' && (this.isLoaded || this.isLoading)) this.load().catch(() => {});
        break;
      case 'inquiry':
        this.applyInquiry(data.inquiry);
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

  /** After a conversation was deleted. Its questions are withdrawn. @param {string} id */
  removeConversation(id) {
    for (const inquiry of [...this.pending])
      if (inquiry.conversation_id === id) this.applyInquiry({ ...inquiry, status: 'withdrawn' });
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
