// One conversation: its messages, the reply that is being streamed, and the composer.

import { ProblemError } from './api.js';
import { ChatMessages } from './chat-messages.js';
import { ChatQuestions } from './chat-questions.js';
import { composer } from './composer.js';
import { confirmInPlace } from './confirm.js';
import { announce, bdi, button, deepActiveElement, h } from './dom.js';
import { formatTime, t } from './i18n.js';
import { MarkdownStream } from './markdown-stream.js';

/** @import { Store } from './store.js' */
/** @import { ConversationDetail, Message, State } from './wire.d.ts' */

/** How near the end of the page counts as being there, in pixels. */
const END_PX = 48;
/** How long after a key press the focus is not moved, in milliseconds. */
const IDLE_MS = 1000;
/** How much of a message is announced to screen readers. */
const ANNOUNCED_CHARS_MAX = 300;

let lastKeyAt = Number.NEGATIVE_INFINITY;
addEventListener(
  'keydown',
  (event) => {
    lastKeyAt = event.timeStamp;
  },
  true,
);

/** Whether the focus may be moved to a new question. */
const isIdle = () =>
  document.visibilityState === 'visible' &&
  [document.body, null].includes(/** @type {HTMLElement | null} */ (deepActiveElement())) &&
  performance.now() - lastKeyAt > IDLE_MS;

/** The newest sequence number in what was read. @param {ConversationDetail} read */
const newestOf = (read) =>
  Math.max(read.sequence ?? 0, ...read.messages.map((message) => message.sequence));

/** The reply while it is streamed, drawn once per frame. */
class StreamedReply {
  /** @param {{ author: () => string, aroundDraw: (draw: () => void) => void }} options */
  constructor({ author, aroundDraw }) {
    this.author = author;
    this.aroundDraw = aroundDraw;
    this.node = h('div', { class: 'message assistant', hidden: true });
    /** The sequence number after which the reply began. @type {number | undefined} */
    this.after = undefined;
    /** Text since the last frame. */
    this.received = '';
    this.frame = 0;
    /** @type {MarkdownStream | null} */
    this.markdown = null;
  }

  /** @param {{ text: string, after?: number }} token */
  append({ text, after }) {
    if (after !== this.after) this.clear();
    this.after = after;
    this.received += text;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.aroundDraw(() => this.draw());
    });
  }

  draw() {
    this.node.hidden = false;
    if (!this.markdown) {
      this.markdown = new MarkdownStream();
      this.node.replaceChildren(h('p', { class: 'author' }, this.author()), this.markdown.node);
    }
    this.markdown.push(this.received);
    this.received = '';
  }

  clear() {
    cancelAnimationFrame(this.frame);
    this.received = '';
    this.frame = 0;
    this.markdown = null;
    this.node.hidden = true;
    this.node.replaceChildren();
  }
}

/**
 * @param {Store} store
 * @param {string} id
 * @param {(address: string) => void} navigate
 */
export function chatView(store, id, navigate) {
  const heading = h('h1', { tabindex: -1 }, t('chat-connecting'));
  const log = h('div', { class: 'log' });
  const olderButton = button(t('web-older'), loadOlder, { hidden: true, class: 'quiet' });
  const questions = new ChatQuestions(store, id, updateComposer);
  const messages = new ChatMessages({
    agentName,
    questionElement: (extra, block) => questions.elementFor(extra, block),
  });
  const reply = new StreamedReply({ author: agentName, aroundDraw: keepScrolledToEnd });
  const messageField = composer({
    key: id,
    send: (text, message_id) =>
      store.client.post(`/conversations/${id}/messages`, { text, message_id }),
    stop: () => store.client.post(`/conversations/${id}/cancel`, {}).catch(() => {}),
    showQuestion: () => questions.show(),
  });
  const deleteButton = button(t('web-delete'), confirmDelete, {
    class: 'quiet danger',
    hidden: true,
  });
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
  /** Events that arrive while the conversation is loading: they may be newer. @type {Event[]} */
  const queuedEvents = [];
  let loads = 0;
  let isLoading = false;
  const node = h(
    'div',
    { class: 'chat' },
    h('div', { class: 'head' }, heading, deleteButton),
    olderButton,
    log,
    reply.node,
    h('div', { class: 'dock' }, questions.bar, messageField.node),
  );

  function agentName() {
    const { app, driver, state: agent } = conversation ?? {};
    const named = store.apps.find((each) =>
      app ? each.id === app : each.default && driver !== 'external',
    );
    return named?.name ?? agent?.source ?? 'askback';
  }

  /** Draws, and scrolls to the end if the user was there and is not writing. @param {() => void} draw */
  function keepScrolledToEnd(draw) {
    const root = document.documentElement;
    const distance = root.scrollHeight - root.scrollTop - root.clientHeight;
    const wasAtEnd = distance < END_PX && !messageField.isBusy();
    draw();
    if (wasAtEnd) root.scrollTop = root.scrollHeight;
  }

  async function load() {
    loads += 1;
    const thisLoad = loads;
    isLoading = true;
    try {
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

  function confirmDelete() {
    confirmInPlace(deleteButton, {
      question: t('web-delete-ask'),
      keep: t('web-back'),
      confirm: t('web-delete'),
      onConfirm: deleteConversation,
      onKeep: () => deleteButton.focus(),
    });
  }

  async function deleteConversation() {
    try {
      await store.client.request('DELETE', `/conversations/${id}`);
    } catch (error) {
      announce(error instanceof ProblemError ? error.message : t('chat-connection-lost'));
      return;
    }
    store.removeConversation(id);
    navigate('/');
    announce(t('web-deleted'));
  }

  function updateComposer() {
    if (!state) return;
    const driver = conversation?.driver ?? 'built_in';
    messageField.update(state, { driver, agent: agentName(), isHeld: questions.hasHeld });
  }

  /** @param {State} now */
  function applyState(now) {
    state = now;
    updateComposer();
    reply.node.setAttribute('aria-busy', String(now.type === 'llm_requesting'));
    if (now.type !== 'llm_requesting') reply.clear();
  }

  /** @param {Message} message */
  function receiveMessage(message) {
    const isNew = !messages.has(message);
    keepScrolledToEnd(() => {
      if (message.role === 'assistant') reply.clear();
      const drawn = messages.draw(message);
      if (isNew) log.append(drawn);
    });
    const hasQuestion = message.blocks.some(
      (block) => block.type === 'action' && block.status === 'pending',
    );
    if (hasQuestion && isIdle()) questions.show();
    if (!isNew || message.role !== 'assistant' || hasQuestion) return;
    const text = message.blocks.map((block) => block.text).join(' ');
    announce(text.slice(0, ANNOUNCED_CHARS_MAX));
  }

  /** @param {Event} event */
  function handleEvent(event) {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    if (type === 'open' && !data.resumed && conversation) load().catch(() => {});
    // Tokens are not sent again: a part of the reply may be missing from now on.
    if (type === 'lost') reply.clear();
    if (data.conversation_id !== id) return;
    if (isLoading || !conversation) queuedEvents.push(event);
    // A message can be read before its tokens arrive: then its text is already here.
    else if (type === 'token' && data.after < shownUpTo) return;
    else if (type === 'token') reply.append(data);
    else applyEvent(type, data);
  }

  /** Applies an event unless it is older than what was read. @param {string} type @param {any} data */
  function applyEvent(type, data) {
    shownUpTo = Math.max(shownUpTo, data.sequence ?? 0);
    if (type === 'message' && data.sequence > readUpTo) receiveMessage(data.message);
    if (type === 'state_change' && data.sequence > readUpTo) applyState(data);
  }

  store.addEventListener('feed', handleEvent);
  load().catch((error) => {
    heading.textContent = t('web-not-found');
    // It was deleted elsewhere.
    if (error instanceof ProblemError && error.status === 404) store.removeConversation(id);
  });
  return {
    node,
    heading,
    destroy() {
      store.removeEventListener('feed', handleEvent);
      questions.visibility.disconnect();
      reply.clear();
    },
  };
}
