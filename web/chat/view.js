// One conversation: its messages, the reply that is being streamed, and the composer.

import { ProblemError } from '../lib/api.js';
import { ChatMessages } from './messages.js';
import { ChatQuestions } from './questions.js';
import { composer } from './composer.js';
import { announce, bdi, button, h, hasKeyboard } from '../lib/dom.js';
import { feedOf } from '../lib/feed.js';
import { FollowEnd } from './follow-end.js';
import { localAppName, formatTime, t } from '../lib/i18n.js';
import { icon } from '../lib/icons.js';

/** @import { AskbackQuestion } from '../element.js' */
/** @import { FeedEvent } from '../lib/feed.js' */
/** @import { Store } from '../shell/store.js' */
/** @import { ConversationDetail, Message, State } from '../lib/wire.d.ts' */

/** How much of a message is announced to screen readers. */
const ANNOUNCED_CHARS_MAX = 300;

/** The newest sequence number in what was read. @param {ConversationDetail} read */
const newestOf = (read) =>
  Math.max(read.sequence ?? 0, ...read.messages.map((message) => message.sequence));

/**
 * @param {Store} store
 * @param {string} id
 * @param {(address: string) => unknown} navigate
 */
export function chatView(store, id, navigate) {
  const heading = h('h1', { tabindex: -1 }, t('chat-connecting'));
  const log = h('div', { class: 'log' });
  const olderButton = button(t('web-older'), loadOlder, { hidden: true, class: 'quiet' });
  const questions = new ChatQuestions(store, id, {
    onChange: updateComposer,
    focusAfterAnswer,
    mayTakeFocus: () => follow.isFollowing,
    goToNext,
  });
  const messages = new ChatMessages({
    agentName,
    questionSlot: (extra, block) => questions.slotFor(extra, block),
  });
  /** Where the reply is drawn while it is streamed. */
  const streamed = h('div', { class: 'message assistant', hidden: true });
  /** Loaded with the first token. @type {Promise<import('./streamed-reply.js').StreamedReply | null> | null} */
  let reply = null;
  const messageField = composer({
    store,
    key: id,
    send: async (text, message_id) => {
      if (state?.inquiry_id && !questions.inquiry(state.inquiry_id)?.flags?.takes_message)
        return questions.answer(state.inquiry_id, text);
      questions.expectEnd();
      return store.client
        .post(`/conversations/${id}/messages`, { text, message_id })
        .catch((error) => {
          questions.endedHere.clear();
          throw error;
        });
    },
    stop: () => {
      questions.expectEnd();
      return store.client.post(`/conversations/${id}/cancel`, {}).catch((error) => {
        questions.endedHere.clear();
        throw error;
      });
    },
  });
  const deleteButton = h(
    'button',
    {
      type: 'button',
      class: 'quiet danger',
      hidden: true,
      onclick: () => confirmDelete(),
    },
    icon('trash'),
    t('web-delete'),
  );
  const latest = h(
    'button',
    { type: 'button', class: 'latest', hidden: true, onclick: showLatest },
    icon('arrow-down'),
    t('web-latest'),
  );
  /** @type {ConversationDetail | null} */
  let conversation = null;
  /** @type {State | null} */
  let state = null;
  /** Every event up to this sequence number is in what was read. */
  let readUpTo = 0;
  /** The newest sequence number of what is shown, read or received. */
  let shownUpTo = 0;
  /** The cursor of older messages. */
  let before = /** @type {string | number | null} */ (null);
  /** Events that arrive while the conversation is loading: they may be newer. @type {FeedEvent[]} */
  const queuedEvents = [];
  let feed = feedOf(store.client, `/conversations/${id}/events`);
  let stopFollowing = feed.subscribe(handleEvent);
  /** Tokens from before the reply was cleared are not drawn. */
  let clears = 0;
  let loads = 0;
  let isLoading = false;
  const dock = h('div', { class: 'dock' }, latest, questions.dock.node, messageField.node);
  const node = h(
    'div',
    { class: 'chat' },
    h('div', { class: 'head' }, heading, deleteButton),
    olderButton,
    log,
    streamed,
    dock,
  );
  const follow = new FollowEnd(node, dock, () => {
    latest.hidden = follow.isFollowing;
  });

  function agentName() {
    const { app, driver, state: agent } = conversation ?? {};
    const named = store.apps.find((each) =>
      app ? each.id === app : each.default && driver !== 'external',
    );
    const other = driver === 'external' ? conversation?.title : null;
    return named ? localAppName(named) : (agent?.source ?? other ?? 'askback');
  }

  function showLatest() {
    follow.toEnd();
    if (questions.dock.isTaken) questions.dock.focus();
    else if (hasKeyboard() && !messageField.node.hidden) messageField.input.focus();
    else heading.focus({ preventScroll: true });
  }

  /** After the last answer: to the message field, or where that would open a keyboard, to the answer. @param {AskbackQuestion} element */
  function focusAfterAnswer(element) {
    if (hasKeyboard() && !messageField.node.hidden) messageField.input.focus();
    else if (element.isConnected) element.heading.focus({ preventScroll: true });
    else heading.focus({ preventScroll: true });
  }

  /** Goes to what the agent did after an answer. @param {HTMLElement} slot */
  function goToNext(slot) {
    let next = slot.closest('article')?.nextElementSibling;
    while (next && !next.matches('.assistant')) next = next.nextElementSibling;
    if (!(next instanceof HTMLElement)) return showLatest();
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    return next.scrollIntoView({ block: 'start' });
  }

  async function load() {
    loads += 1;
    const thisLoad = loads;
    isLoading = true;
    try {
      await feed.ready;
      const read = await store.client.conversation(id);
      if (thisLoad === loads) drawConversation(read);
    } finally {
      if (thisLoad === loads) {
        isLoading = false;
        if (conversation) queuedEvents.splice(0).forEach(handleEvent);
      }
    }
  }

  /** @param {ConversationDetail} read */
  function drawConversation(read) {
    conversation = read;
    readUpTo = conversation.sequence ?? 0;
    shownUpTo = newestOf(conversation);
    before = conversation.before ?? null;
    olderButton.hidden = !before;
    deleteButton.hidden = false;
    heading.replaceChildren(bdi(conversation.title ?? formatTime(conversation.created_at)));
    document.dispatchEvent(new CustomEvent('askback-title', { detail: conversation.title ?? '' }));
    for (const message of (conversation.messages ?? []).map((each) => messages.draw(each)))
      if (message.parentNode !== log) log.append(message);
    applyState(conversation.state);
  }

  async function loadOlder() {
    const page = await store.client.get(
      `/conversations/${id}?before=${encodeURIComponent(String(before))}`,
    );
    const root = document.documentElement;
    const height = root.scrollHeight;
    log.prepend(...page.messages.map((/** @type {Message} */ each) => messages.draw(each)));
    root.scrollTop += root.scrollHeight - height;
    before = page.before ?? null;
    olderButton.hidden = !before;
  }

  /** Deleting needs a connection, so what asks for it is loaded when it is wanted. */
  const confirmDelete = () =>
    import('./delete-conversation.js').then(
      (module) => module.confirmDelete(store, id, { deleteButton, navigate }),
      () => announce(t('chat-connection-lost')),
    );

  function updateComposer() {
    if (!state) return;
    const driver = conversation?.driver ?? 'built_in';
    messageField.update(state, {
      driver,
      agent: agentName(),
      inquiry: questions.inquiry(state.inquiry_id),
      isHeld: questions.hasHeld,
      isTaken: questions.dock.isTaken,
    });
  }

  /** @param {State} now */
  function applyState(now) {
    state = now;
    questions.addSubAgents(now);
    updateComposer();
    streamed.setAttribute('aria-busy', String(now.type === 'llm_requesting'));
    if (now.type !== 'llm_requesting') clearReply();
  }

  /** @param {Message} message */
  function receiveMessage(message) {
    const isNew = !messages.has(message);
    if (message.role === 'assistant') clearReply();
    const drawn = messages.draw(message);
    if (isNew) log.append(drawn);
    const hasQuestion = message.blocks.some(
      (block) => block.type === 'action' && block.status === 'pending',
    );
    if (!isNew || message.role !== 'assistant' || hasQuestion) return;
    const text = message.blocks.map((block) => block.text).join(' ');
    announce(text.slice(0, ANNOUNCED_CHARS_MAX));
  }

  /** @param {FeedEvent} event */
  function handleEvent(event) {
    const { type, data } = event;
    if (type === 'open' && !data.resumed && conversation) load().catch(() => {});
    // Tokens are not sent again: a part of the reply may be missing from now on.
    if (type === 'lost') clearReply();
    if (['open', 'lost', 'refused'].includes(type)) return;
    if (isLoading || !conversation) queuedEvents.push(event);
    // A message can be read before its tokens arrive: then its text is already here. A reply that began
    // before the page listened would begin in the middle.
    else if (type === 'token' && (data.after < shownUpTo || data.after < (feed.unbrokenFrom ?? 0)))
      return;
    else if (type === 'token') receiveToken(data);
    else applyEvent(type, data);
  }

  /** What draws a reply is loaded with its first token; if that fails, the next one tries again. @param {{ text: string, after?: number }} token */
  async function receiveToken(token) {
    reply ??= import('./streamed-reply.js').then(
      ({ StreamedReply }) => new StreamedReply(streamed, agentName),
      () => {
        reply = null;
        return null;
      },
    );
    const now = clears;
    const drawn = await reply;
    if (now === clears) drawn?.append(token);
  }

  function clearReply() {
    clears += 1;
    reply?.then((drawn) => drawn?.clear());
  }

  /** Applies an event unless it is older than what was read. @param {string} type @param {any} data */
  function applyEvent(type, data) {
    shownUpTo = Math.max(shownUpTo, data.sequence ?? 0);
    if (type === 'message' && data.sequence > readUpTo) receiveMessage(data.message);
    if (type === 'state_change' && data.sequence > readUpTo) applyState(data);
    if (type === 'inquiry') store.applyInquiry(data.inquiry);
  }

  /** A browser has few connections to one server: a page that nobody sees needs none. */
  function followWhileVisible() {
    stopFollowing();
    if (document.visibilityState === 'hidden') return;
    feed = feedOf(store.client, `/conversations/${id}/events`);
    stopFollowing = feed.subscribe(handleEvent);
    load().catch(() => {});
  }

  const handleNames = () => {
    messages.renameAgent();
    updateComposer();
  };
  const addSubAgents = () => state && questions.addSubAgents(state);
  store.addEventListener('conversations', handleNames);
  store.addEventListener('pending', addSubAgents);
  document.addEventListener('visibilitychange', followWhileVisible);
  load().catch((error) => {
    const isGone = error instanceof ProblemError;
    heading.textContent = t(isGone ? 'web-no-conversation' : 'chat-connection-lost');
    messageField.node.hidden = isGone;
    if (isGone) store.removeConversation(id);
  });
  return {
    node,
    heading,
    continueTyping: messageField.continueTyping,
    destroy() {
      document.removeEventListener('visibilitychange', followWhileVisible);
      stopFollowing();
      store.removeEventListener('pending', addSubAgents);
      store.removeEventListener('conversations', handleNames);
      follow.destroy();
      clearReply();
    },
  };
}
