// What must survive a reload: answers that could not be sent yet, and half-typed ones. Kept in this
// browser only, and removed as soon as the server has them.

/** @import { Draft } from './draft.js' */

/** @typedef {{ path: string, body: Record<string, unknown> }} Parcel */

const PARCEL = 'askback-send:';
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

export const parcels = {
  /** @param {string} inquiry @returns {Parcel | null} */
  read: (inquiry) => read(PARCEL + inquiry),
  /** @param {string} inquiry @param {Parcel} parcel */
  keep: (inquiry, parcel) => write(PARCEL + inquiry, parcel),
  /** @param {string} inquiry */
  drop: (inquiry) => remove(PARCEL + inquiry),
};

export const drafts = {
  /** @param {string} inquiry @returns {{ draft: Draft, at: number } | null} */
  read: (inquiry) => read(DRAFT + inquiry),
  /** @param {string} inquiry @param {Draft} draft */
  keep: (inquiry, draft) => write(DRAFT + inquiry, { draft, at: Date.now() }),
  /** @param {string} inquiry */
  drop: (inquiry) => remove(DRAFT + inquiry),
};
