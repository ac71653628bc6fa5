// The message field. While a question is pending, a message answers it if the question allows that;
// otherwise the question has its place.

import { createMessageKeys, OfflineError, ProblemError } from '../lib/api.js';
import {
  announce,
  askFirst,
  button,
  div,
  h,
  isComposing,
  isSendKey,
  uniqueId,
} from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { t } from '../lib/i18n.js';
import { inputGuard, isCharacter, QUIET_MS } from '../lib/input-guard.js';

/** @import { Store } from '../shell/store.js' */
/** @import { Inquiry, State } from '../lib/wire.d.ts' */

const ROWS_MAX = 8;

export class Composer {
  /**
   * @param {{
   *   store: Store,
   *   key: string,
   *   send: (text: string, id: string) => Promise<unknown>,
   *   stop?: () => Promise<unknown>,
   * }} options
   */
  constructor({ store, key, send, stop }) {
    this.store = store;
    this.key = key;
    this.send = send;
    this.stop = stop;
    this.id = uniqueId();
    this.storage = `askback-text:${this.key}`;
    this.reason = h('p', { class: 'reason', id: `${this.id}-r` });
    this.label = h('label', { for: this.id, class: 'visually-hidden' }, t('web-message'));
    this.input = h('textarea', {
      id: this.id,
      rows: 1,
      dir: 'auto',
      'aria-describedby': this.reason.id,
      placeholder: t('chat-prompt'),
      oninput: this.grow,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        this.noteKey(event);
        const isPlain = event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.repeat;
        if (!isPlain && !isSendKey(event)) return;
        event.preventDefault();
        if (!isComposing(event)) this.submit();
      },
      onblur: this.putAway,
    });
    this.sendButton = h(
      'button',
      { type: 'submit', class: 'primary round', 'aria-label': t('web-send-message') },
      icon('arrow-up'),
    );
    this.stopButton = button([icon('stop'), t('web-stop')], this.requestStop, { hidden: true });
    this.guardStop = inputGuard(this.stopButton);
    this.node = h(
      'form',
      {
        class: 'composer',
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.submit();
        },
      },
      this.label,
      div('line', this.input, this.stopButton, this.sendButton),
      this.reason,
    );
    this.isBlocked = false;
    /** Whether a question that takes no message has the place of the field. */
    this.isLocked = false;
    this.isExternal = false;
    this.isSending = false;
    this.messageId = createMessageKeys();
    /** The inquiry that a message answers now; empty for none. */
    this.answersInquiry = '';
    /** The same at the time when the user began to write. */
    this.answeredAtStart = /** @type {string | null} */ (null);
    this.questionName = '';
    /** When the question appeared, when it was said what the text answers, or the last key here after that. */
    this.lastChangeAt = Number.NEGATIVE_INFINITY;
    /** Whether there was a pause in typing since. Before it, nobody can have seen the question. */
    this.hasPaused = true;
    /** Whether text was typed before that pause. */
    this.isTypedUnseen = false;
    /** Whether it was said what the text answers now. */
    this.isWarned = false;
    this.stopCancelsQuestions = false;
    /** What the reason was drawn for. */
    this.reasonKey = '';
    this.input.value = sessionStorage.getItem(this.storage) ?? '';
    queueMicrotask(this.grow);
  }

  closeConfirmation = () => {};

  /** A stopped reply can be requested again; cancelled questions cannot, so that is confirmed. */
  requestStop = async () => {
    if (!this.stopCancelsQuestions) {
      this.stopNow();
      return;
    }
    this.closeConfirmation = await askFirst(this.stopButton, {
      question: t('web-stop-ask'),
      keep: t('web-back'),
      confirm: t('web-stop'),
      onKeep: () => this.stopButton.focus(),
      onConfirm: () => {
        this.closeConfirmation();
        this.stopNow();
      },
    });
  };

  /** Nothing stops later by itself, so a stop that did not reach the server is said. */
  stopNow = async () => {
    try {
      await this.stop?.();
    } catch (error) {
      if (!(error instanceof OfflineError)) return;
      this.reason.textContent = t('web-not-stopped');
      announce(this.reason.textContent);
    }
  };

  noteChange = () => {
    this.lastChangeAt = performance.now();
    this.hasPaused = false;
  };

  /** @param {KeyboardEvent} event */
  noteKey = (event) => {
    this.notePause(event.timeStamp);
    this.lastChangeAt = event.timeStamp;
    if (isCharacter(event) && !this.hasPaused && this.answersInquiry) this.isTypedUnseen = true;
  };

  /** @param {number} now */
  notePause = (now) => {
    if (now - this.lastChangeAt >= QUIET_MS) this.hasPaused = true;
  };

  grow = () => {
    if (!this.input.value) {
      this.answeredAtStart = this.answersInquiry;
      this.isTypedUnseen = false;
    }
    sessionStorage.setItem(this.storage, this.input.value);
    this.input.rows = Math.min(ROWS_MAX, Math.max(1, this.input.value.split('\n').length));
  };

  /** A field that has the focus or text stays. External agents take answers, but no messages. */
  putAway = () => {
    this.node.hidden =
      this.isExternal || (this.isLocked && !this.input.value && !this.input.matches(':focus'));
  };

  submit = async () => {
    const text = this.input.value;
    if (this.isBlocked || this.isSending || !text.trim()) return;
    // On the start page there is no question.
    this.answeredAtStart ??= this.answersInquiry;
    this.notePause(performance.now());
    // A second Enter does not send what the first one was told about.
    const isHasty = this.answersInquiry !== '' && this.isWarned && !this.hasPaused;
    if (this.answeredAtStart !== this.answersInquiry || this.isTypedUnseen || isHasty) {
      // A question appeared or ended meanwhile: say what the message does now, and send it the next time.
      this.answeredAtStart = this.answersInquiry;
      this.isTypedUnseen = false;
      this.isWarned = true;
      this.noteChange();
      this.reason.textContent = this.answersInquiry
        ? t('web-now-answers', { name: this.questionName })
        : t('web-now-message');
      announce(this.reason.textContent);
      return;
    }
    this.isSending = true;
    try {
      await this.send(text, this.messageId.keyFor(text));
      if (this.input.value.startsWith(text)) this.input.value = this.typedAfter(text);
      this.messageId.reset();
      this.grow();
    } catch (error) {
      // A refusal is final; the next attempt is a new message.
      if (error instanceof ProblemError) this.messageId.reset();
      const isOffline = error instanceof OfflineError;
      this.reason.textContent = isOffline ? t('web-offline') : /** @type {Error} */ (error).message;
      if (isOffline) this.clearWhenOnline();
    } finally {
      this.isSending = false;
    }
  };

  clearWhenOnline = () => {
    const clear = () => {
      if (!this.store.isConnected) return;
      removeEventListener('online', clear);
      this.store.removeEventListener('connection', clear);
      if (this.reason.textContent === t('web-offline')) this.reason.textContent = '';
    };
    addEventListener('online', clear);
    this.store.addEventListener('connection', clear);
  };

  /**
   * @param {State} state
   * @param {{ driver: string, agent: string, inquiry: Inquiry | null, isHeld: boolean, isTaken: boolean }} options `inquiry`: the one that is pending; `isHeld`: the answer can still be undone; `isTaken`: a question has the place of the field
   */
  update = (state, { driver, agent, inquiry, isHeld, isTaken }) => {
    this.isExternal = driver === 'external';
    const isAsking = state.type === 'awaiting_user_response';
    const asked = inquiry?.questions[0];
    // Only such a question is asked together with a message field.
    const takesMessage = isAsking && Boolean(inquiry?.flags?.takes_message);
    const answers = isAsking && inquiry?.questions.length === 1 && Boolean(asked?.own);
    const isWorking = ['llm_requesting', 'tool_executing', 'awaiting_sub_agents'].includes(
      state.type,
    );
    this.isLocked = isAsking && !(takesMessage && answers) && isTaken;
    this.isBlocked = (isAsking && !(answers && (takesMessage || !isHeld))) || isWorking;
    this.questionName = asked?.header ?? asked?.text ?? '';
    const answersNow = answers ? String(state.inquiry_id) : '';
    if (answersNow !== this.answersInquiry) {
      this.isWarned = false;
      this.noteChange();
    }
    this.answersInquiry = answersNow;
    if (!this.input.value) this.answeredAtStart = this.answersInquiry;
    this.answeredAtStart ??= this.answersInquiry;
    this.stopCancelsQuestions = state.type === 'awaiting_sub_agents';
    this.label.textContent = answers
      ? t('web-reply-to', { name: this.questionName })
      : t('web-message');
    this.label.classList.toggle('visually-hidden', !answers);
    if (isWorking && this.stopButton.hidden) this.guardStop();
    if (!isWorking) this.closeConfirmation();
    this.stopButton.hidden = !isWorking;
    this.sendButton.disabled = this.isBlocked;
    // What the last attempt to send said stays until something changes.
    const newKey = JSON.stringify([
      state.type,
      state.inquiry_id,
      state.tool,
      state.message,
      state.attempt,
      isHeld,
      this.isLocked,
    ]);
    const blockedReason = () => {
      if (this.isBlocked && isHeld) return [t('web-held')];
      if (this.isLocked && !answers) return [t('web-composer-blocked')];
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
    };
    if (newKey !== this.reasonKey) this.reason.replaceChildren(...blockedReason());
    this.reasonKey = newKey;
    this.putAway();
  };

  /** The user was typing elsewhere, and goes on here. @param {string} text what was typed meanwhile */
  continueTyping = (text) => {
    if (text) this.input.value += text;
    this.grow();
    this.input.focus();
  };

  /** What was typed after a message that is being sent. @param {string} sent */
  typedAfter = (sent) =>
    this.input.value.startsWith(sent) ? this.input.value.slice(sent.length) : '';
}
