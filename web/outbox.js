// What must survive a reload: answers that could not be sent yet, and half-typed ones. Kept in this
// browser only, and removed as soon as the server has them.

/** @import { Draft } from './draft.js' */

/** An answer that is on its way. @typedef {{ path: string, body: Record<string, unknown> }} OutboxItem */
/** A draft, and names of the server's copies that it was made from. @typedef {{ draft: Draft, seen?: string[] }} LocalDraft */

const SEND = 'askback-send:';
const DRAFT = 'askback-draft:';

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
    // A full or forbidden storage costs the copy, not the page.
  }
}

/** @param {string} key */
function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // The same.
  }
}

export const outbox = {
  /** @param {string} inquiry @returns {OutboxItem | null} */
  read: (inquiry) => read(SEND + inquiry),
  /** @param {string} inquiry @param {OutboxItem} item */
  keep: (inquiry, item) => write(SEND + inquiry, item),
  /** @param {string} inquiry */
  drop: (inquiry) => remove(SEND + inquiry),
};

export const drafts = {
  /** @param {string} inquiry @returns {LocalDraft | null} */
  read: (inquiry) => read(DRAFT + inquiry),
  /** @param {string} inquiry @param {LocalDraft} draft */
  keep: (inquiry, draft) => write(DRAFT + inquiry, draft),
  /** @param {string} inquiry */
  drop: (inquiry) => remove(DRAFT + inquiry),
};
