// One conversation: its messages, the reply that is being streamed, and the composer.

import { ProblemError } from '../lib/api.js';
import { ChatMessages } from './messages.js';
import { ChatQuestions } from './questions.js';
import { announce, bdi, button, div, h, hasKeyboard } from '../lib/dom.js';
import { feedOf } from '../lib/feed.js';
import { FollowEnd } from './follow-end.js';
import { localAppName, formatTime, t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { Composer } from './composer.js' */
/** @import { FeedEvent } from '../lib/feed.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { ConversationDetail, Message, State } from '../lib/wire.d.ts' */

/** How much of a message is announced to screen readers. */
const ANNOUNCED_CHARS_MAX = 300;

/** How long until a message field that did not load is loaded again, in milliseconds. */
const RELOAD_MS = 2000;

/** What draws the message field, once it is loaded. @type {typeof import('./composer.js') | null} */
let composing = null;
export const loadComposer = async () => {
  composing ??= await import('./composer.js');
};

/** The newest sequence number in what was read. @param {ConversationDetail} read */
const newestOf = (read) =>
  Math.max(read.sequence ?? 0, ...read.messages.map((message) => message.sequence));

export class ChatView {
  /**
   * @param {Store} store
   * @param {string} id
   * @param {(address: string) => unknown} navigate
   */
  constructor(store, id, navigate) {
    this.store = store;
    this.id = id;
    this.navigate = navigate;
    this.heading = h('h1', { tabindex: -1 }, t('chat-connecting'));
    this.log = div('log');
    this.olderButton = button(t('web-older'), this.loadOlder, { hidden: true, class: 'quiet' });
    this.questions = new ChatQuestions(this.store, this.id, {
      onChange: this.updateComposer,
      focusAfterAnswer: this.focusAfterAnswer,
      mayTakeFocus: () => this.follow.isFollowing,
      goToNext: this.goToNext,
    });
    this.messages = new ChatMessages({
      agentName: this.agentName,
      questionSlot: (extra, block) => this.questions.slotFor(extra, block),
    });
    /** Where the reply is drawn while it is streamed. */
    this.streamed = h('div', { class: 'message assistant', hidden: true });
    /** Loaded with the first token. @type {Promise<import('./streamed-reply.js').StreamedReply | null> | null} */
    this.reply = null;
    /** @type {Composer | null} */
    this.messageField = null;
    /** @type {((text: string) => void) | undefined} */
    this.continueTyping = undefined;
    this.deleteButton = button([icon('trash'), t('web-delete')], () => this.confirmDelete(), {
      class: 'quiet danger',
      hidden: true,
    });
    this.latest = button([icon('arrow-down'), t('web-latest')], this.showLatest, {
      class: 'latest',
      hidden: true,
    });
    /** @type {ConversationDetail | null} */
    this.conversation = null;
    /** @type {State | null} */
    this.state = null;
    /** Every event up to this sequence number is in what was read. */
    this.readUpTo = 0;
    /** The newest sequence number of what is shown, read or received. */
    this.shownUpTo = 0;
    /** The cursor of older messages. */
    this.before = null;
    /** Events that arrive while the conversation is loading: they may be newer. @type {FeedEvent[]} */
    this.queuedEvents = [];
    this.feed = feedOf(this.store.client, `/conversations/${this.id}/events`);
    this.stopFollowing = this.feed.subscribe(this.handleEvent);
    /** Tokens from before the reply was cleared are not drawn. */
    this.clears = 0;
    this.loads = 0;
    this.isLoading = false;
    this.dock = div('dock', this.latest, this.questions.dock.node);
    this.node = div(
      'chat',
      div('head', this.heading, this.deleteButton),
      this.olderButton,
      this.log,
      this.streamed,
      this.dock,
    );
    /** Aborted when the page is left: it ends what listens. */
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    const drawLatest = () => {
      this.latest.hidden = this.follow.isFollowing;
    };
    this.follow = new FollowEnd(this.node, this.dock, drawLatest, signal);
    this.store.addEventListener('conversations', this.handleNames, { signal });
    this.store.addEventListener('pending', this.addSubAgents, { signal });
    document.addEventListener('visibilitychange', this.followWhileVisible, { signal });
    this.drawComposer();
    this.load().catch((error) => {
      const isGone = error instanceof ProblemError;
      this.heading.textContent = t(isGone ? 'web-no-conversation' : 'chat-connection-lost');
      if (this.messageField) this.messageField.node.hidden = isGone;
      if (isGone) this.store.removeConversation(this.id);
    });
  }

  /** A message answers the question that waits, or is one of its own. @param {string} text @param {string} message_id */
  send = async (text, message_id) => {
    const id = this.state?.inquiry_id;
    if (id && !this.questions.inquiry(id)?.flags?.takes_message)
      return this.questions.answer(id, text);
    return this.endQuestions('messages', { text, message_id });
  };

  /** Posts what ends the questions that wait. @param {string} path @param {unknown} body */
  endQuestions = (path, body) => {
    this.questions.expectEnd();
    return this.store.client.post(`/conversations/${this.id}/${path}`, body).catch((error) => {
      this.questions.endedHere.clear();
      throw error;
    });
  };

  /** The built-in agent is called as its app. */
  agentName = () => {
    const { app, driver, state, title } = this.conversation ?? {};
    if (driver === 'external') return state?.source ?? title ?? 'askback';
    const named = driver && this.store.apps.find((each) => (app ? each.id === app : each.default));
    return named ? localAppName(named) : 'askback';
  };

  get openField() {
    return this.messageField?.node.hidden === false ? this.messageField : null;
  }

  showLatest = () => {
    this.follow.toEnd();
    if (this.questions.dock.isTaken) this.questions.dock.focus();
    else if (hasKeyboard() && this.openField) this.openField.input.focus();
    else this.heading.focus({ preventScroll: true });
  };

  /** After the last answer: to the message field, or where that would open a keyboard, to the answer. @param {AskbackQuestion} element */
  focusAfterAnswer = (element) => {
    if (hasKeyboard() && this.openField) this.openField.input.focus();
    else if (element.isConnected) element.heading.focus({ preventScroll: true });
    else this.heading.focus({ preventScroll: true });
  };

  /** Goes to what the agent did after an answer. @param {HTMLElement} slot */
  goToNext = (slot) => {
    let next = slot.closest('article')?.nextElementSibling;
    while (next && !next.matches('.assistant')) next = next.nextElementSibling;
    if (!(next instanceof HTMLElement)) return this.showLatest();
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    return next.scrollIntoView({ block: 'start' });
  };

  load = async () => {
    this.loads += 1;
    const thisLoad = this.loads;
    this.isLoading = true;
    try {
      await this.feed.ready;
      const read = await this.store.client.conversation(this.id);
      if (thisLoad === this.loads) this.drawConversation(read);
    } finally {
      if (thisLoad === this.loads) {
        this.isLoading = false;
        if (this.conversation) this.queuedEvents.splice(0).forEach(this.handleEvent);
      }
    }
  };

  /** @param {ConversationDetail} read */
  drawConversation = (read) => {
    this.conversation = read;
    this.readUpTo = this.conversation.sequence ?? 0;
    this.shownUpTo = newestOf(this.conversation);
    this.before = this.conversation.before ?? null;
    this.olderButton.hidden = !this.before;
    this.deleteButton.hidden = false;
    this.heading.replaceChildren(
      bdi(this.conversation.title ?? formatTime(this.conversation.created_at)),
    );
    document.dispatchEvent(
      new CustomEvent('askback-title', { detail: this.conversation.title ?? '' }),
    );
    for (const each of this.conversation.messages ?? []) {
      const message = this.messages.draw(each);
      if (message.parentNode !== this.log) this.log.append(message);
    }
    this.applyState(this.conversation.state);
  };

  loadOlder = async () => {
    const page = await this.store.client.get(
      `/conversations/${this.id}?before=${encodeURIComponent(String(this.before))}`,
    );
    const root = document.documentElement;
    const height = root.scrollHeight;
    this.log.prepend(
      ...page.messages.map((/** @type {Message} */ each) => this.messages.draw(each)),
    );
    root.scrollTop += root.scrollHeight - height;
    this.before = page.before ?? null;
    this.olderButton.hidden = !this.before;
  };

  /** Deleting needs a connection, so what asks for it is loaded when it is wanted. */
  confirmDelete = () =>
    import('./delete-conversation.js').then(
      (module) =>
        module.confirmDelete(this.store, this.id, {
          deleteButton: this.deleteButton,
          navigate: this.navigate,
        }),
      () => announce(t('chat-connection-lost')),
    );

  /** Unless it has to be loaded first. */
  drawComposer = () => {
    if (!composing || this.messageField) return;
    this.messageField = new composing.Composer({
      store: this.store,
      key: this.id,
      send: this.send,
      stop: () => this.endQuestions('cancel', {}),
    });
    this.continueTyping = this.messageField.continueTyping;
    this.dock.append(this.messageField.node);
    this.updateComposer();
  };

  updateComposer = () => {
    if (!this.state) return;
    const driver = this.conversation?.driver ?? 'built_in';
    // Agents elsewhere take answers, but no messages.
    if (!this.messageField && driver !== 'external')
      loadComposer().then(this.drawComposer, () => setTimeout(this.updateComposer, RELOAD_MS));
    this.messageField?.update(this.state, {
      driver,
      agent: this.agentName(),
      inquiry: this.questions.inquiry(this.state.inquiry_id),
      isHeld: this.questions.hasHeld,
      isTaken: this.questions.dock.isTaken,
    });
  };

  /** @param {State} now */
  applyState = (now) => {
    this.state = now;
    this.questions.addSubAgents(now);
    this.updateComposer();
    this.streamed.setAttribute('aria-busy', String(now.type === 'llm_requesting'));
    if (now.type !== 'llm_requesting') this.clearReply();
  };

  /** @param {Message} message */
  receiveMessage = (message) => {
    const isNew = !this.messages.has(message);
    if (message.role === 'assistant') this.clearReply();
    const drawn = this.messages.draw(message);
    if (isNew) this.log.append(drawn);
    const hasQuestion = message.blocks.some(
      (block) => block.type === 'action' && block.status === 'pending',
    );
    if (!isNew || message.role !== 'assistant' || hasQuestion) return;
    const text = message.blocks.map((block) => block.text).join(' ');
    announce(text.slice(0, ANNOUNCED_CHARS_MAX));
  };

  /** @param {FeedEvent} event */
  handleEvent = (event) => {
    const { type, data } = event;
    if (type === 'open' && !data.resumed && this.conversation) this.load().catch(() => {});
    // Tokens are not sent again: a part of the reply may be missing from now on.
    if (type === 'lost') this.clearReply();
    if (['open', 'lost', 'refused'].includes(type)) return;
    if (this.isLoading || !this.conversation) this.queuedEvents.push(event);
    // A message can be read before its tokens arrive: then its text is already here. A reply that began
    // before the page listened would begin in the middle.
    else if (
      type === 'token' &&
      (data.after < this.shownUpTo || data.after < (this.feed.unbrokenFrom ?? 0))
    )
      return;
    else if (type === 'token') this.receiveToken(data);
    else this.applyEvent(type, data);
  };

  /** What draws a reply is loaded with its first token; if that fails, the next one tries again. @param {{ text: string, after?: number }} token */
  receiveToken = async (token) => {
    this.reply ??= import('./streamed-reply.js').then(
      ({ StreamedReply }) => new StreamedReply(this.streamed, this.agentName),
      () => {
        this.reply = null;
        return null;
      },
    );
    const now = this.clears;
    const drawn = await this.reply;
    if (now === this.clears) drawn?.append(token);
  };

  clearReply = () => {
    this.clears += 1;
    this.reply?.then((drawn) => drawn?.clear());
  };

  /** Applies an event unless it is older than what was read. @param {string} type @param {any} data */
  applyEvent = (type, data) => {
    this.shownUpTo = Math.max(this.shownUpTo, data.sequence ?? 0);
    if (type === 'message' && data.sequence > this.readUpTo) this.receiveMessage(data.message);
    if (type === 'state_change' && data.sequence > this.readUpTo) this.applyState(data);
    if (type === 'inquiry') this.store.applyInquiry(data.inquiry);
  };

  /** A browser has few connections to one server: a page that nobody sees needs none. */
  followWhileVisible = () => {
    this.stopFollowing();
    if (document.visibilityState === 'hidden') return;
    this.feed = feedOf(this.store.client, `/conversations/${this.id}/events`);
    this.stopFollowing = this.feed.subscribe(this.handleEvent);
    this.load().catch(() => {});
  };

  handleNames = () => {
    this.messages.renameAgent();
    this.updateComposer();
  };

  addSubAgents = () => this.state && this.questions.addSubAgents(this.state);

  destroy = () => {
    this.leaving.abort();
    this.stopFollowing();
    this.clearReply();
  };
}
