// One conversation: what was said, questions under the message that asked them, and the composer.

import { composer } from './composer.js';
import { Problem } from './api.js';
import { confirmIn } from './confirm.js';
import { bdi, button, deepFocus, h } from './dom.js';
import { markdown } from './markdown.js';
import { MarkdownStream } from './markdown-stream.js';
import { newQuestion } from './preferences.js';
import { clock, t } from './i18n.js';

/** @import { AskbackQuestion } from './element.js' */
/** @import { Store } from './store.js' */
/** @import { Block, ConversationDetail, Inquiry, Message, QuestionExtra, State } from './wire.d.ts' */

/** How near the end of the page counts as being there, in pixels. */
const END_PX = 48;
/** How long after a key press the focus is left alone, in milliseconds. */
const QUIET_MS = 1000;

/** How a call stands. */
const TOOL_MARKS = /** @type {Record<string, string>} */ ({ success: '✔', error: '✘' });

/** How much of a message is said aloud. */
const SAID_CHARS_MAX = 300;

let lastKey = Number.NEGATIVE_INFINITY;
addEventListener(
  'keydown',
  (event) => {
    lastKey = event.timeStamp;
  },
  true,
);

/** The focus may be moved only if nobody is doing anything with it. */
const isIdle = () =>
  document.visibilityState === 'visible' &&
  (deepFocus() === document.body || deepFocus() === null) &&
  performance.now() - lastKey > QUIET_MS;

/**
 * A question that the agent could not ask, with what it sent.
 * @param {Block} block
 */
function refusedCall({ tool_call: call }) {
  /** @param {string} label @param {string | null | undefined} text */
  const part = (label, text) =>
    text && h('details', {}, h('summary', {}, label), h('pre', { dir: 'auto', tabindex: 0 }, text));
  return h(
    'div',
    { class: 'failure' },
    h('p', {}, t('web-bad-question'), ' ', h('code', { dir: 'ltr' }, call?.name)),
    part(t('web-agent-sent'), call?.input),
    part(t('web-agent-told'), call?.result),
  );
}

/**
 * @param {Store} store
 * @param {string} id
 * @param {(address: string) => void} go
 */
export function chatView(store, id, go) {
  const heading = h('h1', { tabindex: -1 }, t('chat-connecting'));
  const log = h('div', { class: 'log' });
  const older = button(t('web-older'), loadOlder, { hidden: true, class: 'quiet' });
  const live = h('div', { class: 'message assistant', hidden: true });
  const bar = h('div', { class: 'waits', hidden: true });
  /** The messages as they were drawn. @type {Map<string, { node: HTMLElement, blocks: { node: HTMLElement, text: string }[] }>} */
  const shown = new Map();
  /** @type {Map<string, AskbackQuestion>} */
  const questions = new Map();
  /** @type {ConversationDetail | null} */
  let conversation = null;
  let before = /** @type {string | number | null} */ (null);
  /** @type {State | null} */
  let present = null;
  /** What came since the last frame. */
  let streamed = '';
  /** @type {MarkdownStream | null} */
  let streaming = null;
  /** What came before the conversation itself. @type {Event[]} */
  const early = [];
  let frame = 0;
  const write = composer({
    key: id,
    send: (text, message_id) =>
      store.client.post(`/conversations/${id}/messages`, { text, message_id }),
    stop: () => store.client.post(`/conversations/${id}/cancel`, {}).catch(() => {}),
    show: () => showQuestion(),
  });
  const dock = h('div', { class: 'dock' }, bar, write.node);
  const remove = button(
    t('web-delete'),
    () =>
      confirmIn(remove, {
        ask: t('web-delete-ask'),
        keep: t('web-back'),
        act: t('web-delete'),
        run: drop,
        back: () => remove.focus(),
      }),
    { class: 'quiet danger', hidden: true },
  );
  const node = h(
    'div',
    { class: 'chat' },
    h('div', { class: 'head' }, heading, remove),
    older,
    log,
    live,
    dock,
  );
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) entry.target.toggleAttribute('data-seen', entry.isIntersecting);
      updateBar();
    },
    { rootMargin: '0px 0px -80px 0px' },
  );

  /** Draws, and stays at the end if the reader was there. @param {() => void} draw */
  function keepingEnd(draw) {
    const root = document.documentElement;
    const wasAtEnd =
      root.scrollHeight - root.scrollTop - root.clientHeight < END_PX && !write.isBusy();
    draw();
    if (wasAtEnd) root.scrollTop = root.scrollHeight;
  }

  /**
   * Draws a message, or brings the one that is there up to date. A question in it is never moved:
   * somebody may be typing in it.
   * @param {Message} message
   */
  function draw(message) {
    const known = shown.get(message.id);
    const texts = message.blocks.map((block) => JSON.stringify(block));
    if (known) {
      message.blocks.forEach((block, at) => {
        const before = known.blocks[at];
        if (before?.text === texts[at]) return;
        const made = drawBlock(message, block);
        if (before?.node === made) before.text = texts[at];
        else {
          if (before) before.node.replaceWith(made);
          else known.node.append(made);
          known.blocks[at] = { node: made, text: texts[at] };
        }
      });
      for (const { node: extra } of known.blocks.splice(message.blocks.length)) extra.remove();
      return known.node;
    }
    const author = message.role === 'user' ? t('chat-you') : agentName();
    const blocks = message.blocks.map((block, at) => ({
      node: drawBlock(message, block),
      text: texts[at],
    }));
    const made = h(
      'article',
      { class: `message ${message.role}`, 'aria-label': author },
      h(
        'p',
        { class: 'author' },
        h('span', {}, author),
        h('time', { datetime: message.at }, clock(message.at)),
      ),
      blocks.map((block) => block.node),
    );
    shown.set(message.id, { node: made, blocks });
    return made;
  }

  const agentName = () => {
    const { app, driver, state } = conversation ?? {};
    const named = store.apps.find((each) =>
      app ? each.id === app : each.default && driver !== 'external',
    );
    return named?.name ?? state?.source ?? 'askback';
  };

  /** @param {Message} message @param {Block} block */
  function drawBlock(message, block) {
    if (block.type === 'action' && block.extra) return questionBlock(block.extra, block);
    if (block.type === 'tool_call' && block.tool_call) {
      const { name, result } = block.tool_call;
      return h(
        'details',
        { class: `tool ${block.status ?? ''}` },
        h(
          'summary',
          {},
          h('code', { dir: 'ltr' }, name),
          ' ',
          h('span', {}, TOOL_MARKS[block.status ?? ''] ?? '…'),
        ),
        h('pre', { dir: 'ltr', tabindex: 0 }, result ?? block.text),
      );
    }
    if (block.type === 'error' && block.tool_call) return refusedCall(block);
    if (block.type === 'error') return h('p', { class: 'failure', dir: 'auto' }, block.text);
    if (message.role === 'user') return h('p', { class: 'said', dir: 'auto' }, block.text);
    return h('div', { class: 'markdown' }, markdown(block.text ?? ''));
  }

  /** The element of a question; the same one for as long as the page is open, so that nothing typed is lost. @param {QuestionExtra} extra @param {Block} block */
  function questionBlock(extra, block) {
    const known = questions.get(extra.inquiryId);
    if (known) {
      if (known.inquiry?.status === 'pending' && extra.inquiryStatus !== 'pending')
        store.client.inquiry(extra.inquiryId).then(
          (inquiry) => known.take(inquiry),
          () => {},
        );
      return known;
    }
    const element = newQuestion('chat');
    const waiting = store.waiting.get(extra.inquiryId);
    if (waiting) element.inquiry = waiting;
    else if (extra.inquiryStatus === 'pending') element.setAttribute('inquiry', extra.inquiryId);
    else element.inquiry = fromBlock(extra, block);
    questions.set(extra.inquiryId, element);
    seen.observe(element);
    element.addEventListener('askback-state', () => {
      updateBar();
      updateComposer();
    });
    element.addEventListener('askback-resolved', toNext);
    element.addEventListener('askback-held', toNext);
    if (extra.inquiryStatus !== 'pending') complete(element, extra.inquiryId);
    return element;
  }

  /** What the block itself says; who answered and when is asked for once it is looked at. @param {QuestionExtra} extra @param {Block} block @returns {Inquiry} */
  function fromBlock(extra, block) {
    return {
      id: extra.inquiryId,
      conversation_id: id,
      status: extra.inquiryStatus,
      revision: extra.revision,
      dialect: extra.dialect,
      questions: extra.questions,
      asked_at: block.timestamp,
      outcome: extra.answerText ? { type: 'superseded', message: extra.answerText } : undefined,
    };
  }

  /** @param {AskbackQuestion} element @param {string} inquiry */
  function complete(element, inquiry) {
    const look = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      look.disconnect();
      store.client.inquiry(inquiry).then(
        (full) => {
          element.data = full;
          element.redraw();
        },
        () => {},
      );
    });
    look.observe(element);
  }

  /** Whoever has answered goes on to the next question of the conversation that waits. @param {Event} event */
  function toNext(event) {
    const { hadFocus, byUser } = /** @type {CustomEvent} */ (event).detail;
    const other = [...questions.values()].find(
      (each) => each !== event.target && each.state === 'asked' && each.isConnected,
    );
    if (!hadFocus || !byUser || !other) return;
    event.preventDefault();
    other.focusFirst();
  }

  function updateBar() {
    const open = [...questions.values()].filter(
      (each) => each.state === 'asked' && each.isConnected,
    );
    const hidden = open.filter((each) => !each.hasAttribute('data-seen'));
    bar.hidden = hidden.length === 0;
    if (hidden.length === 0) return;
    bar.replaceChildren(
      button(t('web-show-question', { count: hidden.length }), () => showQuestion(hidden[0])),
    );
  }

  function showQuestion(element = [...questions.values()].find((each) => each.state === 'asked')) {
    if (!element) return;
    element.scrollIntoView({ block: 'center' });
    element.focusFirst();
  }

  async function load() {
    conversation = await store.client.conversation(id);
    before = conversation.before ?? null;
    older.hidden = !before;
    remove.hidden = false;
    heading.replaceChildren(bdi(conversation.title ?? clock(conversation.created_at)));
    document.dispatchEvent(new CustomEvent('askback-title', { detail: conversation.title ?? '' }));
    // What is there already is brought up to date in its place: somebody may be typing in it.
    for (const message of (conversation.messages ?? []).map(draw))
      if (message.parentNode !== log) log.append(message);
    update(conversation.state);
    early.splice(0).forEach(hear);
  }

  /** Deletes the conversation, and leaves it. */
  async function drop() {
    try {
      await store.client.call('DELETE', `/conversations/${id}`);
    } catch (error) {
      document.dispatchEvent(
        new CustomEvent('askback-say', {
          detail: error instanceof Problem ? error.message : t('chat-connection-lost'),
        }),
      );
      return;
    }
    store.forget(id);
    go('/');
    document.dispatchEvent(new CustomEvent('askback-say', { detail: t('web-deleted') }));
  }

  async function loadOlder() {
    const page = await store.client.get(
      `/conversations/${id}?before=${encodeURIComponent(String(before))}`,
    );
    const height = document.documentElement.scrollHeight;
    log.prepend(...page.messages.map(draw));
    document.documentElement.scrollTop += document.documentElement.scrollHeight - height;
    before = page.before ?? null;
    older.hidden = !before;
  }

  function updateComposer() {
    const isHeld = [...questions.values()].some((each) => each.state === 'held');
    if (present) write.update(present, conversation?.driver ?? 'built_in', agentName(), isHeld);
  }

  /** @param {State} state */
  function update(state) {
    present = state;
    updateComposer();
    live.setAttribute('aria-busy', String(state.type === 'llm_requesting'));
    if (state.type !== 'llm_requesting') endStream();
  }

  function endStream() {
    streamed = '';
    streaming = null;
    cancelAnimationFrame(frame);
    frame = 0;
    live.hidden = true;
    live.replaceChildren();
  }

  /** @param {string} text */
  function stream(text) {
    streamed += text;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      keepingEnd(() => {
        live.hidden = false;
        if (!streaming) {
          streaming = new MarkdownStream();
          live.replaceChildren(h('p', { class: 'author' }, agentName()), streaming.node);
        }
        streaming.push(streamed);
        streamed = '';
      });
    });
  }

  /** @param {Message} message */
  const isNews = (message) => {
    const blocks = shown.get(message.id)?.blocks;
    return (
      blocks?.length !== message.blocks.length ||
      message.blocks.some((block, at) => blocks[at].text !== JSON.stringify(block))
    );
  };

  let isReading = false;
  let isStale = false;

  /** Reads the newest messages again: what became of calls and questions is not told message by message. */
  async function refresh() {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const now = await store.client.conversation(id).catch(() => null);
      for (const message of now?.messages ?? []) if (isNews(message)) arrive(message);
    }
    isReading = false;
  }

  /** @param {Message} message */
  function arrive(message) {
    const isKnown = shown.has(message.id);
    keepingEnd(() => {
      if (message.role === 'assistant') endStream();
      const made = draw(message);
      if (!isKnown) log.append(made);
    });
    const waits = message.blocks.find(
      (block) => block.type === 'action' && block.status === 'pending',
    );
    if (waits && isIdle()) showQuestion();
    if (!isKnown && message.role === 'assistant' && !waits)
      document.dispatchEvent(
        new CustomEvent('askback-say', {
          detail: message.blocks
            .map((block) => block.text)
            .join(' ')
            .slice(0, SAID_CHARS_MAX),
        }),
      );
  }

  /** @param {Event} event */
  function hear(event) {
    const { type, data } = /** @type {CustomEvent} */ (event).detail;
    if (type === 'open' && !data.resumed && conversation) load().catch(() => {});
    if (data.conversation_id !== id) return;
    if (!conversation) early.push(event);
    else if (type === 'token') stream(data.text);
    else if (type === 'message') arrive(data.message);
    else if (type === 'state_change') update(data);
    if (/^(state_change|inquiry_)/.test(type) && conversation) refresh();
  }

  store.addEventListener('feed', hear);
  load().catch((error) => {
    heading.textContent = t('web-not-found');
    // It was deleted elsewhere.
    if (error instanceof Problem && error.status === 404) store.forget(id);
  });
  return {
    node,
    heading,
    showQuestion,
    leave() {
      store.removeEventListener('feed', hear);
      seen.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}
