// Finds the server, and sends requests to it until there is a reply.

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { AskbackProblem, Unreachable } from './errors.js';
import { type FeedEvent, readFrames, SILENCE_MS_MAX } from './feed.js';
import { isMac } from './signatures.js';

/** How long to look for a server that never replied. One that did is waited for without end. */
const FIRST_REPLY_MS = 5_000;
const TRY_AGAIN = [408, 429, 502, 503, 504];

export interface ServerOptions {
  /** By default `ASKBACK_URL`; without either, the server of the data directory. */
  url?: string;
  /** By default `ASKBACK_TOKEN`, or what is in the file that `ASKBACK_TOKEN_FILE` names. */
  token?: string;
  /** The data directory; by default `ASKBACK_DATA`, else that of `askback serve`. */
  data?: string;
}

type Signal = AbortSignal | undefined;
type Request = { body?: object; headers?: Record<string, string> | undefined; signal?: Signal };

/** Looks for the server before each request: a restarted one may have another address. */
export class Transport {
  #hasReplied = false;

  constructor(private readonly options: ServerOptions) {}

  /** Sends until there is a reply. Every request may be repeated, because it reads or has a key. */
  async send<T>(method: string, path: string, request: Request = {}): Promise<T> {
    const giveUpAt = Date.now() + FIRST_REPLY_MS;
    for (let delay = 100; ; delay = Math.min(delay * 2, 5000)) {
      try {
        const signal = anySignal(AbortSignal.timeout(SILENCE_MS_MAX), request.signal);
        return await (await this.#fetch(method, path, { ...request, signal })).json();
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof AskbackProblem || (!this.#hasReplied && Date.now() > giveUpAt)) throw error;
      }
      await sleep(delay, undefined, { signal: request.signal });
    }
  }

  async *events(after: string | undefined, signal: Signal): AsyncGenerator<FeedEvent> {
    for (;;) {
      try {
        const headers = after ? { 'last-event-id': after } : undefined;
        const response = await this.#fetch('GET', '/events', { headers, signal });
        for await (const { event = '', data, ...position } of readFrames(response)) {
          after = position.id ?? after;
          if (data) yield { type: event, data: JSON.parse(data), ...position };
        }
      } catch (error) {
        if (error instanceof AskbackProblem) throw error;
      }
      await sleep(1000, undefined, { signal });
    }
  }

  /** A server that was found in a file proves itself before each request, so that no other program gets the token. */
  async #fetch(method: string, path: string, { body, headers, signal }: Request): Promise<Response> {
    const { url, token, isFromFile } = findServer(this.options);
    if (isFromFile) await prove(url, token, signal);
    const response = await request(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
    });
    if (TRY_AGAIN.includes(response.status)) throw new Unreachable(`the server at ${url} replied ${response.status}`);
    this.#hasReplied = true;
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new AskbackProblem(response.status, problem.code, problem.detail ?? problem.title);
  }
}

/** If the address is from `server.json`, another program may listen there by now. */
function findServer({ url, token, data }: ServerOptions): { url: string; token: string; isFromFile: boolean } {
  const { env } = process;
  url ||= env.ASKBACK_URL;
  if (url && !data) {
    token ||= env.ASKBACK_TOKEN;
    if (!token && env.ASKBACK_TOKEN_FILE) token = readFileSync(env.ASKBACK_TOKEN_FILE, 'utf8').trim();
    return { url: url.replace(/\/+$/, ''), token: token ?? '', isFromFile: false };
  }
  const directory = data || env.ASKBACK_DATA || `${env.XDG_DATA_HOME || `${homedir()}/.local/share`}/askback`;
  const file = `${directory}/server.json`;
  if (!existsSync(file)) {
    throw new Unreachable(`no server runs for ${directory}: start \`askback serve\`, or set ASKBACK_URL`);
  }
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) {
    throw new Unreachable(`other users can read ${file}: make it private (mode 600)`);
  }
  const found = JSON.parse(readFileSync(file, 'utf8'));
  return { url: found.address, token: found.token, isFromFile: true };
}

/** Lets the server prove that it knows the token. Nothing secret is sent before. */
async function prove(url: string, token: string, signal: Signal): Promise<void> {
  const nonce = randomUUID().replaceAll('-', '');
  const response = await request(`${url}/server/proof?nonce=${nonce}`, { signal: signal ?? null });
  const { proof } = (await response.json().catch(() => ({}))) as { proof?: unknown };
  if (!isMac(proof, token, `askback server proof 1\n${url}\n${nonce}`)) {
    throw new Unreachable(`the program at ${url} is not the server of the data directory`);
  }
}

const request = (url: string, options: RequestInit) =>
  fetch(url, { ...options, redirect: 'error' }).catch((error) => {
    throw new Unreachable(`${url} cannot be reached (${error}): is \`askback serve\` running?`, { cause: error });
  });

/** Aborts as soon as one of these does. */
export const anySignal = (...signals: Signal[]) => AbortSignal.any(signals.filter((signal) => signal !== undefined));
