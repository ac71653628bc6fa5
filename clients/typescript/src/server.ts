// Finds the server, and sends requests to it until there is a response.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { AskbackProblem, Unreachable } from './errors.js';
import { type FeedEvent, readFrames } from './feed.js';
import { isMac } from './signatures.js';

const FIRST_RESPONSE_MS = 5_000; // For a server that never responded. One that did is waited for without end.
const SILENCE_MS_MAX = 60_000; // The feed has a comment every 15 seconds, and a wait ends after 50.
const TRY_AGAIN = [408, 429, 503];

export interface ServerOptions {
  /** By default `ASKBACK_URL`; without either, the server of the data directory. */
  url?: string;
  /** By default `ASKBACK_TOKEN`, or what is in the file that `ASKBACK_TOKEN_FILE` names. */
  token?: string;
  /** The data directory; by default `ASKBACK_DATA`, else that of `askback serve`. */
  data?: string;
}

type Signal = AbortSignal | undefined;
type RequestOptions = { method?: string; headers?: Record<string, string>; signal: Signal };

/** Looks for the server before each request: a restarted one may have another address. */
export class Transport {
  #hasResponded = false;

  constructor(private readonly options: ServerOptions) {}

  /** Sends until there is a response. Every request may be repeated: it reads, makes a link or has a key. */
  async send<T>(method: string, path: string, { body, signal }: { body?: object; signal?: Signal } = {}): Promise<T> {
    const content = body && JSON.stringify(body);
    return this.#repeat(signal, async () => JSON.parse(await text(await this.#request(path, { method, signal }, content))));
  }

  async *events(after: string | undefined, signal: Signal): AsyncGenerator<FeedEvent> {
    for (;;) {
      const headers: Record<string, string> = after ? { 'last-event-id': after } : {};
      const response = await this.#repeat(signal, () => this.#request('/events', { headers, signal }));
      for await (const { event = '', data, ...position } of readFrames(response)) {
        after = position.id ?? after;
        if (data) yield { type: event, data: JSON.parse(data), ...position };
      }
      await sleep(500, undefined, { signal });
    }
  }

  async #repeat<T>(signal: Signal, attempt: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + FIRST_RESPONSE_MS;
    for (let delay = 100; ; delay = Math.min(delay * 2, 5000)) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof AskbackProblem || (!this.#hasResponded && performance.now() > giveUpAt)) throw error;
      }
      await sleep(delay, undefined, { signal });
    }
  }

  /** A server that was found in a file proves itself before each request, so that no other program gets the token. */
  async #request(path: string, { headers, ...options }: RequestOptions, body?: string): Promise<IncomingMessage> {
    const { url, token, isFromFile } = findServer(this.options);
    const connection = { signal: options.signal, ...connectTo(url) };
    if (isFromFile) await prove(url, token, connection);
    const all = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers };
    const response = await request(url + path, { ...options, ...connection, headers: all }, body);
    const { statusCode: status = 0, headers: { 'content-type': type = '' } } = response;
    const isOwn = (status < 400 ? /^(application\/json|text\/event-stream)/ : /^application\/problem\+json/).test(type);
    this.#hasResponded ||= isOwn;
    const problem = isOwn && status >= 400 ? JSON.parse(await text(response)) : { detail: 'is that an askback server?' };
    if (!isOwn) response.destroy();
    const isResponse = isOwn || (status >= 400 && status < 500); // Proxies have more codes than are known.
    const unreachable = `${url} responded with ${status} ${type}: ${problem.detail}`;
    if (TRY_AGAIN.includes(status) || !isResponse) throw new Unreachable(unreachable);
    if (status < 400) return response;
    throw new AskbackProblem(status, problem.code, problem.detail ?? problem.title);
  }
}

/** If the address is from `server.json`, another program may listen there by now. */
function findServer({ url, token, data }: ServerOptions): { url: string; token: string; isFromFile: boolean } {
  const { env } = process;
  let file = env.ASKBACK_TOKEN_FILE ?? '';
  url ||= env.ASKBACK_URL;
  try {
    if (url && !data) {
      token ||= env.ASKBACK_TOKEN || (file && readFileSync(file, 'utf8'));
      return { url: url.replace(/\/+$/, ''), token: token.replace(/\s/g, ''), isFromFile: false };
    }
    data ||= env.ASKBACK_DATA || `${env.XDG_DATA_HOME || `${homedir()}/.local/share`}/askback`;
    file = `${data}/server.json`;
    const isPrivate = process.platform === 'win32' || (statSync(file).mode & 0o077) === 0;
    if (!isPrivate) throw new Unreachable(`other users can read ${file}: make it private (mode 600)`);
    const found = JSON.parse(readFileSync(file, 'utf8'));
    return { url: String(found.address), token: String(found.token), isFromFile: true };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(`cannot read ${file} (${(error as Error).name}): start \`askback serve\` or set ASKBACK_URL`);
  }
}

/** Lets the server prove that it knows the token, which is sent on the same connection only. */
async function prove(url: string, token: string, connection: http.RequestOptions): Promise<void> {
  const nonce = randomUUID().replaceAll('-', '');
  const response = await request(`${url}/server/proof?nonce=${nonce}`, { ...connection, headers: { connection: 'keep-alive' } });
  const proof = /"proof":"(\w+)"/.exec(await text(response))?.[1];
  if (isMac(proof, token, `askback server proof 1\n${url}\n${nonce}`)) return;
  response.socket.destroy();
  throw new Unreachable(`the program at ${url} is not the server of the data directory`);
}

/** Without TLS, a proxy of the environment would get the token, so that there is none. */
function connectTo(url: string): http.RequestOptions {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'https:') return {};
  const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port || 80), autoSelectFamily: true });
  return { createConnection: () => socket.on('error', () => {}) }; // The request reports an error, too.
}

async function request(url: string, options: http.RequestOptions, content?: string): Promise<IncomingMessage> {
  try {
    const sent = (url.startsWith('https:') ? https : http).request(url, options);
    sent.setTimeout(SILENCE_MS_MAX, () => sent.destroy(new Error('the server is silent')));
    sent.on('error', () => {}).end(content); // `once` reports an error, too.
    const [response] = await once(sent, 'response');
    return response.setEncoding('utf8');
  } catch (error) {
    throw new Unreachable(`${url} cannot be reached (${error}): is \`askback serve\` running?`, { cause: error });
  }
}
