// Where the user writes. While a question waits it is the field for an answer of one's own, if the
// question takes one; otherwise it says why it cannot send and where the question is.

import { newKey, Offline, Problem } from './api.js';
import { button, h, isComposing, isSendKey, uid } from './dom.js';
import { t } from './words.js';

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
    id, rows: 1, dir: 'auto', 'aria-describedby': reason.id, placeholder: t('chat-prompt'), oninput: grow,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const isPlain = event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.repeat;
      if (!isPlain && !isSendKey(event)) return;
      event.preventDefault();
      if (!isComposing(event)) submit();
    },
    onblur: lock,
  });
  const sendButton = h('button', { type: 'submit', class: 'primary' }, t('web-send-message'));
  const stopButton = button(t('web-stop'), () => stop?.(), { hidden: true });
  const node = h('form', { class: 'composer', novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); submit(); } },
    label, h('div', { class: 'line' }, input, stopButton, sendButton), reason);
  let isBlocked = false;
  let isLocked = false;
  let isSending = false;
  let messageId = '';
  input.value = sessionStorage.getItem(storage) ?? '';

  function grow() {
    sessionStorage.setItem(storage, input.value);
    input.rows = Math.min(ROWS_MAX, Math.max(1, input.value.split('\n').length));
  }

  /** A field in use is never taken away: it is locked only when nobody writes in it. */
  function lock() { input.disabled = isLocked && !input.value && !input.matches(':focus'); }

  async function submit() {
    const text = input.value;
    if (isBlocked || isSending || !text.trim()) return;
    isSending = true;
    messageId ||= newKey();
    try {
      await send(text, messageId);
      if (input.value === text) input.value = '';
      messageId = '';
      grow();
    } catch (error) {
      if (error instanceof Problem && error.code === 'duplicate_message') messageId = '';
      else reason.textContent = error instanceof Offline ? t('web-offline') : String(/** @type {Error} */ (error).message);
    } finally {
      isSending = false;
    }
  }

  /** @param {State} state @param {string} driver @param {string} agent @param {boolean} isHeld the question has an answer that can be taken back */
  function update(state, driver, agent, isHeld) {
    // Somebody else's agent takes answers here, but no messages.
    node.hidden = driver === 'external';
    const waits = state.type === 'awaiting_user_response';
    const question = state.questions?.[0];
    const answers = waits && state.dialect === 'question' && Boolean(question?.own_text);
    const works = ['llm_requesting', 'tool_executing', 'awaiting_sub_agents'].includes(state.type);
    isLocked = waits && !answers;
    isBlocked = isLocked || works;
    label.textContent = answers ? t('web-reply-to', { name: question?.header ?? question?.text ?? '' }) : t('web-message');
    stopButton.hidden = !works;
    sendButton.disabled = isBlocked;
    reason.replaceChildren(...why());
    lock();
    function why() {
      if (isLocked && isHeld) return [t('web-held')];
      if (isLocked) return [t('web-composer-blocked'), ' ', button(t('web-show-question', { count: 1 }), () => show?.(), { class: 'link' })];
      if (works) return [state.tool ? t('chat-working', { agent, tool: state.tool }) : t('chat-thinking', { agent })];
      return state.type === 'error' ? [t('chat-failed', { agent, reason: state.message })] : [];
    }
  }

  queueMicrotask(grow);
  return { node, input, update, isBusy: () => input.matches(':focus') && input.value !== '' };
}
