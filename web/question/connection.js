// Loads the inquiry of an element and keeps it up to date: by the event feed, or by polling where the
// feed may not be read.

import { elementStylesheets, ignore } from '../lib/dom.js';
import { Client, OfflineError, ProblemError } from '../lib/api.js';
import { feedOf } from '../lib/feed.js';
import { fetchFields } from './fields.js';
import { isGone } from './state.js';
import { ensureLanguage } from '../lib/i18n.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { FeedEvent } from '../lib/feed.js' */

/** How long until a failed load is repeated, in milliseconds. */
export const RELOAD_MS = 2000;

/** A wrong token is not a missing question. @param {unknown} error */
const phaseAfter = (error) =>
  error instanceof OfflineError
    ? 'unreachable'
    : error instanceof ProblemError && [401, 403].includes(error.status)
      ? 'refused'
      : 'missing';

export class InquiryConnection {
  /** @param {AskbackQuestion} element */
  constructor(element) {
    this.element = element;
    this.client = new Client();
    this.reloadTimer = 0;
    /** Whether the texts and styles are there: what is drawn sooner is seen without them. */
    this.canDraw = false;
    /** @type {() => void} */
    this.unsubscribe = () => {};
  }

  get id() {
    return this.element.getAttribute('inquiry');
  }

  close() {
    this.unsubscribe();
    clearTimeout(this.reloadTimer);
  }

  async open() {
    const { element, id } = this;
    this.close();
    this.client = new Client({
      base: element.getAttribute('src') ?? '',
      token: element.getAttribute('token'),
      actor: element.getAttribute('actor'),
    });
    if (!id) return;
    const feed = feedOf(this.client);
    /** Events that arrive before the texts are loaded. @type {FeedEvent[] | null} */
    let queue = [];
    this.unsubscribe = feed.subscribe((event) => {
      if (queue) queue.push(event);
      else this.handleEvent(event);
    });
    await Promise.all([
      ensureLanguage(this.client.base),
      this.loadStylesheets(),
      fetchFields(element.data),
    ]);
    this.canDraw = true;
    if (!element.isConnected || this.id !== id) return;
    if (element.data) element.render();
    const queued = queue;
    queue = null;
    for (const event of queued) this.handleEvent(event);
    if (feed.isRefused) this.poll(id);
    if (!element.data) await this.load(id);
    else if (element.data.status === 'pending') await element.restoreDraft();
  }

  /** Loads them unless it has them. */
  async loadStylesheets() {
    const { root } = this.element;
    if (root.adoptedStyleSheets.length === 0)
      root.adoptedStyleSheets = await elementStylesheets(this.client.base);
  }

  /** @param {string} id */
  async load(id) {
    const { element } = this;
    try {
      const inquiry = await this.client.inquiry(id);
      await this.loadStylesheets();
      await fetchFields(inquiry);
      if (this.id !== id) return;
      element.applyInquiry(inquiry);
      if (inquiry.status === 'pending') await element.restoreDraft();
    } catch (error) {
      if (this.id !== id) return;
      element.dispatch({ type: 'phase', phase: phaseAfter(error) });
      element.render();
      if (error instanceof OfflineError)
        this.reloadTimer = setTimeout(() => this.load(id), RELOAD_MS);
    }
  }

  /** Reads the inquiry again. A failure is ignored: the feed or the next action reports it. */
  refresh() {
    const { id } = this;
    if (!id) return;
    this.client.inquiry(id).then((inquiry) => this.element.applyInquiry(inquiry), ignore);
  }

  /** Behind a link to one question the feed is refused: long polling instead. @param {string} id */
  async poll(id) {
    const { element } = this;
    while (element.isConnected && this.id === id && element.state !== 'replied') {
      const inquiry = await this.client
        .get(`/inquiries/${encodeURIComponent(id)}?wait=30s`)
        .catch(() => null);
      if (!inquiry) return;
      element.applyInquiry(inquiry);
      if (inquiry.status !== 'pending') return;
    }
  }

  /** @param {FeedEvent} event */
  handleEvent({ type, data }) {
    const { element, id } = this;
    if (!id) return;
    if (type === 'inquiry' && data.inquiry.id === id) {
      // The server says what is left of it for whoever looks at it.
      if (isGone(data.inquiry)) this.load(id);
      else element.applyInquiry(data.inquiry);
    } else if (type === 'open' && (!data.resumed || element.phase)) {
      element.sender.retryNow();
      if (element.state === 'asked') this.refresh();
    } else if (type === 'refused') this.poll(id);
    // Whether a late answer can be sent depends on the state of the conversation.
    else if (
      type === 'state_change' &&
      element.state === 'expired' &&
      data.conversation_id === element.data?.conversation_id
    )
      element.render();
  }
}
