// The message field. While a question is pending, a message answers it if the question allows that;
// otherwise the question has its place.

import { createMessageKeys, OfflineError, ProblemError } from '../lib/api.js';
import { announce, askFirst, h, isComposing, isSendKey, uniqueId } from '../lib/dom.js';
import { inputGuard } from '../lib/input-guard.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { isCharacter, QUIET_MS } from '../lib/input-guard.js';

/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry, State } from '../lib/wire.d.ts' */

const ROWS_MAX = 8;

/**
 * @param {{
 *   store: Store,
 *   key: string,
 *   send: (text: string, id: string) => Promise<unknown>,
 *   stop?: () => Promise<unknown>,
 * }} options
 */
export function composer({ store, key, send, stop }) {
  const id = uniqueId();
  const storage = `askback-text:${key}`;
  const reason = h('p', { class: 'reason', id: `${id}-r` });
  const label = h('label', { for: id, class: 'visually-hidden' }, t('web-message'));
  const input = h('textarea', {
    id,
    rows: 1,
    dir: 'auto',
    'aria-describedby': reason.id,
    placeholder: t('chat-prompt'),
    oninput: grow,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      noteKey(event);
      const isPlain = event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.repeat;
      if (!isPlain && !isSendKey(event)) return;
      event.preventDefault();
      if (!isComposing(event)) submit();
    },
    onblur: putAway,
  });
  const sendButton = h(
    'button',
    { type: 'submit', class: 'primary round', 'aria-label': t('web-send-message') },
    icon('arrow-up'),
  );
  const stopButton = h(
    'button',
    { type: 'button', hidden: true, onclick: requestStop },
    icon('stop'),
    t('web-stop'),
  );
  const guardStop = inputGuard(stopButton);
  const node = h(
    'form',
    {
      class: 'composer',
      novalidate: true,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        submit();
      },
    },
    label,
    h('div', { class: 'line' }, input, stopButton, sendButton),
    reason,
  );
  let isBlocked = false;
  /** Whether a question that takes no message has the place of the field. */
  let isLocked = false;
  let isExternal = false;
  let isSending = false;
  const messageId = createMessageKeys();
  /** The inquiry that a message answers now; empty for none. */
  let answersInquiry = '';
  /** The same at the time when the user began to write. */
  let answeredAtStart = /** @type {string | null} */ (null);
  let questionName = '';
  /** When the question appeared, when it was said what the text answers, or the last key here after that. */
  let lastChangeAt = Number.NEGATIVE_INFINITY;
  /** Whether there was a pause in typing since. Before it, nobody can have seen the question. */
  let hasPaused = true;
  /** Whether text was typed before that pause. */
  let isTypedUnseen = false;
  /** Whether it was said what the text answers now. */
  let isWarned = false;
  let stopCancelsQuestions = false;
  let closeConfirmation = () => {};
  /** What the reason was drawn for. */
  let reasonKey = '';
  input.value = sessionStorage.getItem(storage) ?? '';

  /** A stopped reply can be requested again; cancelled questions cannot, so that is confirmed. */
  async function requestStop() {
    if (!stopCancelsQuestions) {
      stopNow();
      return;
    }
    closeConfirmation = await askFirst(stopButton, {
      question: t('web-stop-ask'),
      keep: t('web-back'),
      confirm: t('web-stop'),
      onKeep: () => stopButton.focus(),
      onConfirm: () => {
        closeConfirmation();
        stopNow();
      },
    });
  }

  /** Nothing stops later by itself, so a stop that did not reach the server is said. */
  async function stopNow() {
    try {
      await stop?.();
    } catch (error) {
      if (!(error instanceof OfflineError)) return;
      reason.textContent = t('web-not-stopped');
      announce(reason.textContent);
    }
  }

  function noteChange() {
    lastChangeAt = performance.now();
    hasPaused = false;
  }

  /** @param {KeyboardEvent} event */
  function noteKey(event) {
    notePause(event.timeStamp);
    lastChangeAt = event.timeStamp;
    if (isCharacter(event) && !hasPaused && answersInquiry) isTypedUnseen = true;
  }

  /** @param {number} now */
  function notePause(now) {
    if (now - lastChangeAt >= QUIET_MS) hasPaused = true;
  }

  function grow() {
    if (!input.value) {
      answeredAtStart = answersInquiry;
      isTypedUnseen = false;
    }
    sessionStorage.setItem(storage, input.value);
    input.rows = Math.min(ROWS_MAX, Math.max(1, input.value.split('\n').length));
  }

  /** A field that has the focus or text stays. External agents take answers, but no messages. */
  function putAway() {
    node.hidden = isExternal || (isLocked && !input.value && !input.matches(':focus'));
  }

  async function submit() {
    const text = input.value;
    if (isBlocked || isSending || !text.trim()) return;
    // On the start page there is no question.
    answeredAtStart ??= answersInquiry;
    notePause(performance.now());
    // A second Enter does not send what the first one was told about.
    const isHasty = answersInquiry !== '' && isWarned && !hasPaused;
    if (answeredAtStart !== answersInquiry || isTypedUnseen || isHasty) {
      // A question appeared or ended meanwhile: say what the message does now, and send it the next time.
      answeredAtStart = answersInquiry;
      isTypedUnseen = false;
      isWarned = true;
      noteChange();
      reason.textContent = answersInquiry
        ? t('web-now-answers', { name: questionName })
        : t('web-now-message');
      announce(reason.textContent);
      return;
    }
    isSending = true;
    try {
      await send(text, messageId.keyFor(text));
      if (input.value.startsWith(text)) input.value = typedAfter(text);
      messageId.reset();
      grow();
    } catch (error) {
      // A refusal is final; the next attempt is a new message.
      if (error instanceof ProblemError) messageId.reset();
      const isOffline = error instanceof OfflineError;
      reason.textContent = isOffline ? t('web-offline') : /** @type {Error} */ (error).message;
      if (isOffline) clearWhenOnline();
    } finally {
      isSending = false;
    }
  }

  function clearWhenOnline() {
    const clear = () => {
      if (!store.isConnected) return;
      removeEventListener('online', clear);
      store.removeEventListener('connection', clear);
      if (reason.textContent === t('web-offline')) reason.textContent = '';
    };
    addEventListener('online', clear);
    store.addEventListener('connection', clear);
  }

  /**
   * @param {State} state
   * @param {{ driver: string, agent: string, inquiry: Inquiry | null, isHeld: boolean, isTaken: boolean }} options `inquiry`: the one that is pending; `isHeld`: the answer can still be undone; `isTaken`: a question has the place of the field
   */
  function update(state, { driver, agent, inquiry, isHeld, isTaken }) {
    isExternal = driver === 'external';
    const isAsking = state.type === 'awaiting_user_response';
    const asked = inquiry?.questions[0];
    // Only such a question is asked together with a message field.
    const takesMessage = isAsking && Boolean(inquiry?.flags?.takes_message);
    const answers = isAsking && inquiry?.questions.length === 1 && Boolean(asked?.own_text);
    const isWorking = ['llm_requesting', 'tool_executing', 'awaiting_sub_agents'].includes(
      state.type,
    );
    isLocked = isAsking && !(takesMessage && answers) && isTaken;
    isBlocked = (isAsking && !(answers && (takesMessage || !isHeld))) || isWorking;
    questionName = asked?.header ?? asked?.text ?? '';
    const answersNow = answers ? String(state.inquiry_id) : '';
    if (answersNow !== answersInquiry) {
      isWarned = false;
      noteChange();
    }
    answersInquiry = answersNow;
    if (!input.value) answeredAtStart = answersInquiry;
    answeredAtStart ??= answersInquiry;
    stopCancelsQuestions = state.type === 'awaiting_sub_agents';
    label.textContent = answers ? t('web-reply-to', { name: questionName }) : t('web-message');
    label.classList.toggle('visually-hidden', !answers);
    if (isWorking && stopButton.hidden) guardStop();
    if (!isWorking) closeConfirmation();
    stopButton.hidden = !isWorking;
    sendButton.disabled = isBlocked;
    // What the last attempt to send said stays until something changes.
    const newKey = JSON.stringify([
      state.type,
      state.inquiry_id,
      state.tool,
      state.message,
      state.attempt,
      isHeld,
      isLocked,
    ]);
    if (newKey !== reasonKey) reason.replaceChildren(...blockedReason());
    reasonKey = newKey;
    putAway();
    function blockedReason() {
      if (isBlocked && isHeld) return [t('web-held')];
      if (isLocked && !answers) return [t('web-composer-blocked')];
      if (isWorking)
        return [
          state.tool
            ? t('chat-working', { agent, tool: state.tool })
            : state.reason
              ? t('chat-retry', {
                  reason: state.reason,
                  count: state.attempt,
                  max: state.attempts_max ?? state.attempt,
                })
              : t('chat-thinking', { agent }),
        ];
      return state.type === 'error' ? [t('chat-failed', { agent, reason: state.message })] : [];
    }
  }

  /** The user was typing elsewhere, and goes on here. @param {string} text what was typed meanwhile */
  function continueTyping(text) {
    if (text) input.value += text;
    grow();
    input.focus();
  }

  /** What was typed after a message that is being sent. @param {string} sent */
  const typedAfter = (sent) => (input.value.startsWith(sent) ? input.value.slice(sent.length) : '');

  queueMicrotask(grow);
  return {
    node,
    input,
    update,
    continueTyping,
    typedAfter,
  };
}
