// Where the user writes. While a question waits it is the field for an answer of one's own, if the
// question takes one; otherwise it says why it cannot send and where the question is.

import { keyForText, Offline, Problem } from './api.js';
import { confirmIn } from './confirm.js';
import { button, h, isComposing, isSendKey, uid } from './dom.js';
import { guard } from './input-guard.js';
import { t } from './i18n.js';

/** @import { State } from './wire.d.ts' */

const ROWS_MAX = 8;

/**
 * @param {{
 *   key: string,
 *   send: (text: string, id: string) => Promise<unknown>,
 *   stop?: () => void,
 *   show?: () => void,
 * }} options
 */
export function composer({ key, send, stop, show }) {
  const id = uid();
  const storage = `askback-text:${key}`;
  const reason = h('p', { class: 'reason', id: `${id}-r` });
  const label = h('label', { for: id }, t('web-message'));
  const input = h('textarea', {
    id,
    rows: 1,
    dir: 'auto',
    'aria-describedby': reason.id,
    placeholder: t('chat-prompt'),
    oninput: grow,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const isPlain = event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.repeat;
      if (!isPlain && !isSendKey(event)) return;
      event.preventDefault();
      if (!isComposing(event)) submit();
    },
    onblur: lock,
  });
  const sendButton = h('button', { type: 'submit', class: 'primary' }, t('web-send-message'));
  const stopButton = button(t('web-stop'), askToStop, { hidden: true });
  const stopShown = guard(stopButton);
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
  let isLocked = false;
  let isSending = false;
  const messageId = keyForText();
  /** What a message does now: nothing but being said, or answering a question, by its id. */
  let purpose = '';
  /** The same when the text was begun. */
  let begunFor = /** @type {string | null} */ (null);
  let question = '';
  let endsQuestions = false;
  let closeAsk = () => {};
  input.value = sessionStorage.getItem(storage) ?? '';

  /** A reply that is stopped can be asked for again; questions that are cancelled with it cannot. */
  function askToStop() {
    if (!endsQuestions) return stop?.();
    closeAsk = confirmIn(stopButton, {
      ask: t('web-stop-ask'),
      keep: t('web-back'),
      act: t('web-stop'),
      back: () => stopButton.focus(),
      run: () => {
        closeAsk();
        stop?.();
      },
    });
    return undefined;
  }

  function grow() {
    if (!input.value) begunFor = purpose;
    sessionStorage.setItem(storage, input.value);
    input.rows = Math.min(ROWS_MAX, Math.max(1, input.value.split('\n').length));
  }

  /** A field in use is never taken away: it is locked only when nobody writes in it. */
  function lock() {
    input.disabled = isLocked && !input.value && !input.matches(':focus');
  }

  async function submit() {
    const text = input.value;
    if (isBlocked || isSending || !text.trim()) return;
    if (begunFor !== purpose) {
      // A question came or went while this was typed: it is sent when that was seen.
      begunFor = purpose;
      reason.textContent = purpose
        ? t('web-now-answers', { name: question })
        : t('web-now-message');
      document.dispatchEvent(new CustomEvent('askback-say', { detail: reason.textContent }));
      return;
    }
    isSending = true;
    try {
      await send(text, messageId.of(text));
      if (input.value === text) input.value = '';
      messageId.forget();
      grow();
    } catch (error) {
      // A refusal is final: what is sent next is a request of its own.
      if (error instanceof Problem) messageId.forget();
      reason.textContent =
        error instanceof Offline ? t('web-offline') : String(/** @type {Error} */ (error).message);
    } finally {
      isSending = false;
    }
  }

  /** @param {State} state @param {string} driver @param {string} agent @param {boolean} isHeld the question has an answer that can be taken back */
  function update(state, driver, agent, isHeld) {
    // Somebody else's agent takes answers here, but no messages.
    node.hidden = driver === 'external';
    const waits = state.type === 'awaiting_user_response';
    const asked = state.questions?.[0];
    const answers = waits && state.dialect === 'question' && Boolean(asked?.own_text);
    const works = ['llm_requesting', 'tool_executing', 'awaiting_sub_agents'].includes(state.type);
    isLocked = waits && !answers;
    isBlocked = isLocked || works;
    question = asked?.header ?? asked?.text ?? '';
    purpose = answers ? String(state.inquiry_id) : '';
    if (!input.value) begunFor = purpose;
    begunFor ??= purpose;
    endsQuestions = state.type === 'awaiting_sub_agents';
    label.textContent = answers ? t('web-reply-to', { name: question }) : t('web-message');
    if (works && stopButton.hidden) stopShown();
    if (!works) closeAsk();
    stopButton.hidden = !works;
    sendButton.disabled = isBlocked;
    reason.replaceChildren(...why());
    lock();
    function why() {
      if (isLocked && isHeld) return [t('web-held')];
      if (isLocked)
        return [
          t('web-composer-blocked'),
          ' ',
          button(t('web-show-question', { count: 1 }), () => show?.(), { class: 'link' }),
        ];
      if (works)
        return [
          state.tool
            ? t('chat-working', { agent, tool: state.tool })
            : t('chat-thinking', { agent }),
        ];
      return state.type === 'error' ? [t('chat-failed', { agent, reason: state.message })] : [];
    }
  }

  queueMicrotask(grow);
  return { node, input, update, isBusy: () => input.matches(':focus') && input.value !== '' };
}
