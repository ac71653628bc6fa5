// The HTTP client. A refusal by the server is a ProblemError; no usable response is an OfflineError.

/** @import { Draft } from '../draft/draft.js' */
/** @import { ConversationDetail, Inquiry, Problem } from './wire.d.ts' */

/** The server refused the request (RFC 9457 problem). */
export class ProblemError extends Error {
  /** @param {Problem} body */
  constructor(body) {
    super(body.detail || body.title);
    this.body = body;
    this.code = body.code ?? 'unknown';
    this.status = body.status;
  }
}

/** No response, or a temporary failure. The request may be repeated with the same idempotency key. */
export class OfflineError extends Error {}

/** Problem codes that mean "try again". */
const TEMPORARY_CODES = ['closing', 'store_unavailable', 'conflict', 'commit_unknown'];

/** A random idempotency key. */
export const newKey = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  // randomUUID exists only in secure contexts.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
};

/**
 * Idempotency keys for messages: a text that is sent again keeps its key. After `reset` the same text
 * is a new message.
 */
export function createMessageKeys() {
  let [last, key] = ['', ''];
  return {
    /** @param {string} text */
    keyFor: (text) => {
      if (!key || text !== last) [last, key] = [text, newKey()];
      return key;
    },
    reset: () => {
      key = '';
    },
  };
}

/** The user's name from the settings of this browser. */
export function storedActor() {
  try {
    return localStorage.getItem('askback-actor');
  } catch {
    return null;
  }
}

export class Client {
  /**
   * @param {{ base?: string, token?: string | null, actor?: string | null }} [options]
   */
  constructor({ base = '', token = null, actor = null } = {}) {
    this.base = base.replace(/\/+$/, '');
    this.token = token;
    this.actor = actor;
  }

  headers() {
    /** @type {Record<string, string>} */
    const headers = { 'X-Askback-Surface': 'web' };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const actor = this.actor ?? storedActor();
    if (actor) headers['X-Askback-Actor'] = encodeURIComponent(actor);
    return headers;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {RequestInit} [options]
   * @returns {Promise<any>}
   */
  async request(method, path, body, options = {}) {
    const headers = this.headers();
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(this.base + path, {
      method,
      headers,
      body: text,
      ...options,
    }).catch((error) => {
      throw error.name === 'AbortError' ? error : new OfflineError();
    });
    const json = await response.json().catch(() => null);
    if (response.ok) return json;
    if (!json?.code && response.status >= 500) throw new OfflineError();
    if (TEMPORARY_CODES.includes(json?.code)) throw new OfflineError();
    throw new ProblemError(
      json ?? { status: response.status, code: 'unknown', title: response.statusText, detail: '' },
    );
  }

  /** @param {string} path @param {RequestInit} [options] */
  get(path, options) {
    return this.request('GET', path, undefined, options);
  }

  /** @param {string} path @param {unknown} [body] */
  post(path, body) {
    return this.request('POST', path, body);
  }

  /** @param {string} id @returns {Promise<Inquiry>} */
  inquiry(id) {
    return this.get(`/inquiries/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @returns {Promise<{ draft: Draft | null, saved_at?: string, version: string }>} */
  draft(id) {
    return this.get(`/inquiries/${encodeURIComponent(id)}/draft`);
  }

  /** @param {string} id @param {unknown} body */
  saveDraft(id, body) {
    // `keepalive`: the request is finished even if the page closes.
    return this.request('PUT', `/inquiries/${encodeURIComponent(id)}/draft`, body, {
      keepalive: true,
    });
  }

  /** @param {string} id @returns {Promise<ConversationDetail>} */
  conversation(id) {
    return this.get(`/conversations/${encodeURIComponent(id)}`);
  }
}
