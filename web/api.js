// Speaks to the server. A refusal is a Problem with its code; no answer at all is Offline.

/** @import { Draft } from './draft.js' */
/** @import { ConversationDetail, Inquiry, Problem as ProblemBody } from './wire.d.ts' */

/** The server refused, and said why. */
export class Problem extends Error {
  /** @param {ProblemBody} body */
  constructor(body) {
    super(body.detail || body.title);
    this.body = body;
    this.code = body.code ?? 'unknown';
    this.status = body.status;
  }
}

/** The server could not be reached, or is about to be back. The same request may be sent again under the same key. */
export class Offline extends Error {}

/** A key of one's own for a request that may be sent again. */
export const newKey = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  // Pages of other hosts without TLS have random numbers, but no randomUUID.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
};

/**
 * A key for each text: one that is sent again keeps its key, another one gets its own, and so does the
 * same text once `forget` was called.
 */
export function keyForText() {
  let [last, key] = ['', ''];
  return {
    /** @param {string} text */
    of: (text) => {
      if (!key || text !== last) [last, key] = [text, newKey()];
      return key;
    },
    forget: () => {
      key = '';
    },
  };
}

/** The name that was given in this browser. */
function storedActor() {
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
  async call(method, path, body, options = {}) {
    const headers = this.headers();
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reply = await fetch(this.base + path, { method, headers, body: text, ...options }).catch(
      (error) => {
        throw error.name === 'AbortError' ? error : new Offline();
      },
    );
    const json = await reply.json().catch(() => null);
    if (reply.ok) return json;
    if (!json?.code && reply.status >= 500) throw new Offline();
    if (['closing', 'store_unavailable', 'conflict', 'commit_unknown'].includes(json?.code))
      throw new Offline();
    throw new Problem(
      json ?? { status: reply.status, code: 'unknown', title: reply.statusText, detail: '' },
    );
  }

  /** @param {string} path @param {RequestInit} [options] */
  get(path, options) {
    return this.call('GET', path, undefined, options);
  }

  /** @param {string} path @param {unknown} [body] */
  post(path, body) {
    return this.call('POST', path, body);
  }

  /** @param {string} id @returns {Promise<Inquiry>} */
  inquiry(id) {
    return this.get(`/inquiries/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @returns {Promise<{ draft: Draft | null, saved_at?: string }>} */
  draft(id) {
    return this.get(`/inquiries/${encodeURIComponent(id)}/draft`);
  }

  /** @param {string} id @param {unknown} body */
  saveDraft(id, body) {
    return this.call('PUT', `/inquiries/${encodeURIComponent(id)}/draft`, body, {
      keepalive: true,
    });
  }

  /** @param {string} id @returns {Promise<ConversationDetail>} */
  conversation(id) {
    return this.get(`/conversations/${encodeURIComponent(id)}`);
  }
}
