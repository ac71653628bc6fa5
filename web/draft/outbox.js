// What this browser remembers, in localStorage: answers that the server has not taken yet, drafts until the
// server has them, and which questions were answered here.

/** @import { Draft } from './draft.js' */

/**
 * A request that the server has not taken yet.
 * @typedef {object} OutboxItem
 * @property {string} path
 * @property {Record<string, unknown>} body
 * @property {string} base the address of the server; empty for that of the page
 * @property {Draft} draft what was entered
 * @property {[string, string][]} shown the questions, and what was answered, as people read it
 * @property {string} [refusal] why it was not taken
 */
/** A draft, and digests of the server's copies that it was made from. @typedef {{ draft: Draft, seen?: string[] }} LocalDraft */

const SEND = 'askback-send:';
const DRAFT = 'askback-draft:';
const ANSWERED = 'askback-answered';
/** The newest ones are kept. */
const ANSWERED_MAX = 300;

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: go on without a copy.
  }
}

/** @param {string} key */
function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is forbidden.
  }
}

/**
 * A value for each inquiry.
 * @template T
 * @param {string} prefix
 */
const byInquiry = (prefix) => ({
  /** @param {string} inquiry @returns {T | null} */
  read: (inquiry) => read(prefix + inquiry),
  /** @param {string} inquiry @param {T} value */
  write: (inquiry, value) => write(prefix + inquiry, value),
  /** @param {string} inquiry */
  remove: (inquiry) => remove(prefix + inquiry),
});

export const outbox = {
  .../** @type {typeof byInquiry<OutboxItem>} */ (byInquiry)(SEND),
  /** The inquiries with something that was not taken. @returns {string[]} */
  ids() {
    try {
      return Object.keys(localStorage).flatMap((key) =>
        key.startsWith(SEND) ? key.slice(SEND.length) : [],
      );
    } catch {
      return [];
    }
  },
};

export const localDrafts = /** @type {typeof byInquiry<LocalDraft>} */ (byInquiry)(DRAFT);

/** Whether a question was answered in this browser. Without a name nothing else says whose answer it is. @param {string} id */
export const isAnsweredHere = (id) => read(ANSWERED)?.includes(id) ?? false;

/** Questions whose answer was undone in this page. @type {Set<string>} */
export const undoneHere = new Set();

/** @param {string} id */
export function rememberAnswer(id) {
  undoneHere.delete(id);
  write(ANSWERED, [...(read(ANSWERED) ?? []), id].slice(-ANSWERED_MAX));
}
