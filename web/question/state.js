// What <askback-question> shows, as one value that only `reduce` changes: the inquiry as the server has it, and
// what this element is doing with it.

import { undoneHere } from '../draft/outbox.js';
import { t } from '../lib/i18n.js';

/** @import { AnswerError, Inquiry } from '../lib/wire.d.ts' */

/**
 * What this element does or knows that the inquiry does not say. `late`: an answer after the deadline is being
 * written; `late_sent`: it was sent.
 * @typedef {'' | 'sending' | 'offline' | 'unreachable' | 'missing' | 'refused' | 'late' | 'late_sent'} Phase
 */
/**
 * Where an inquiry comes from: the feed or a reload, the response to what was accepted from here, or the response that
 * says whose answer counts instead.
 * @typedef {'feed' | 'accepted' | 'refused'} Origin
 */
/**
 * @typedef {object} State
 * @property {Inquiry | null} inquiry
 * @property {Phase} phase
 * @property {boolean} isSentHere whether the outcome, or the held answer, was sent from this element
 * @property {string} notice what stands above the form
 * @property {AnswerError[]} errors
 */
/**
 * @typedef {{ type: 'inquiry', inquiry: Inquiry, origin: Origin }
 *   | { type: 'phase', phase: Phase, notice?: string }
 *   | { type: 'notice', notice: string }
 *   | { type: 'errors', errors: AnswerError[] }} StateEvent
 */

/** The state of the element for each status. An unknown status counts as not ended. */
const STATES = /** @type {Record<string, string>} */ ({
  pending: 'asked',
  answered: 'replied',
  superseded: 'replied',
  declined: 'declined',
  rejected: 'rejected',
  cancelled: 'cancelled',
  withdrawn: 'cancelled',
  expired: 'expired',
  undeliverable: 'error',
});

/** @param {string} status */
export const stateOf = (status) => STATES[status] ?? 'asked';

/** Whether the feed says that it is not for the reader any more. @param {Inquiry} inquiry */
export const isGone = ({ status, questions }) => status === 'pending' && questions.length === 0;

/** @type {State} */
export const EMPTY = { inquiry: null, phase: '', isSentHere: false, notice: '', errors: [] };

/** @param {Phase} phase */
export const isSending = (phase) => phase === 'sending' || phase === 'offline';

/** @param {Phase} phase */
const isLate = (phase) => phase === 'late' || phase === 'late_sent';

/**
 * The state after an event. An inquiry that is older than the known one changes nothing.
 * @param {State} state
 * @param {StateEvent} event
 * @returns {State}
 */
export function reduce(state, event) {
  switch (event.type) {
    case 'inquiry':
      return applyInquiry(state, event.inquiry, event.origin);
    case 'phase':
      return { ...state, errors: [], notice: event.notice ?? state.notice, phase: event.phase };
    case 'notice':
      return { ...state, notice: event.notice };
    case 'errors':
      return { ...state, errors: event.errors, phase: state.phase === 'late' ? 'late' : '' };
  }
}

/** @param {State} state @param {Inquiry} next @param {Origin} origin @returns {State} */
function applyInquiry(state, next, origin) {
  const { inquiry: known, phase, isSentHere } = state;
  const isSame = known?.id === next.id;
  if (isSame && (next.version ?? 0) < (known.version ?? 0)) return state;
  // After its conversation was deleted an inquiry has no questions: those that are known stay.
  const questions = next.questions.length > 0 || !isSame ? next.questions : known.questions;
  const inquiry = { ...next, questions };
  const isReply = origin !== 'feed';
  const sent = isReply ? origin === 'accepted' : isSentHere;
  if (next.status !== 'pending') {
    const isTooLate = origin === 'refused' && isSending(phase);
    const notice = isTooLate ? tooLate(next) : state.notice;
    return { inquiry, phase: isLate(phase) ? phase : '', isSentHere: sent, notice, errors: [] };
  }
  if (next.held) {
    if (!isReply) return { ...state, inquiry };
    const notice = sent ? '' : conflict(next.held.answered_by);
    return { inquiry, phase: '', isSentHere: sent, notice, errors: [] };
  }
  return {
    ...state,
    inquiry,
    // What was sent was refused, and nothing stands in its place: it can be sent again.
    phase: isReply || ['unreachable', 'missing', 'refused'].includes(phase) ? '' : phase,
    isSentHere: false,
    notice: isSame && known.held && !phase ? undone(next.id, isSentHere) : state.notice,
  };
}

/** @param {string | null | undefined} person */
const conflict = (person) => t('web-conflict', { person: person || t('someone') });

/** @param {Inquiry} inquiry */
const tooLate = ({ status, answered_by }) =>
  stateOf(status) === 'replied' ? conflict(answered_by) : t('web-too-late');

/** Whoever gave the answer is told that it does not count. @param {string} id @param {boolean} isSentHere */
function undone(id, isSentHere) {
  if (undoneHere.has(id)) return t('web-undone');
  return isSentHere ? t('web-undone-elsewhere') : '';
}

/**
 * Whether an element that shows the one must be drawn again for the other.
 * @param {Inquiry | null} shown
 * @param {Inquiry} next
 */
export const differs = (shown, next) =>
  !shown ||
  shown.status !== next.status ||
  shown.expires_at !== next.expires_at ||
  shown.revision !== next.revision ||
  shown.handed_on?.at !== next.handed_on?.at ||
  shown.asker?.detached !== next.asker?.detached ||
  shown.held?.until !== next.held?.until;
