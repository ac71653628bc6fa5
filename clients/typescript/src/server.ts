// Finds the server, and sends requests to it until there is a reply.

import { AskbackProblem, Unreachable } from './errors.js';
import { type FeedEvent, readEvents, readLines } from './feed.js';
import { isMac } from './signatures.js';

/** How long to look for a server that never replied. One that did is waited for without end. */
const FIRST_REPLY_MS = 5_000;
/** No request waits for longer than 50 seconds. */
const REPLY_MS_MAX = 60_000;
const TRY_AGAIN = [408, 429, 502, 503, 504];

export interface ServerOptions {
  /** By default `ASKBACK_URL`; without either, the server of the data directory. */
  url?: string;
  /** By default `ASKBACK_TOKEN`, or what is in the file that `ASKBACK_TOKEN_FILE` names. */
  token?: string;
  /** The data directory; by default `ASKBACK_DATA`, else that of `askback serve`. */
  data?: string;
}

interface Server {
  url: string;
  token: string;
  /** Whether the address is from `server.json`: another program may listen there by now. */
  isFromFile: boolean;
}

type Signal = AbortSignal | undefined;
type Request = { body?: object; headers?: Record<string, string>; signal?: Signal };

/** Looks for the server before each request: a restarted one may have another address. */
export class Transport {
  #options: ServerOptions;
  #hasReplied = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Sends until there is a reply. Every request may be repeated, because it reads or has a key. */
  async send<T>(method: string, path: string, request: Request = {}): Promise<T> {
    const giveUpAt = Date.now() + FIRST_REPLY_MS;
    for (let delay = 100; ; delay = Math.min(delay * 2, 5000)) {
      try {
        const signal = anySignal(AbortSignal.timeout(REPLY_MS_MAX), request.signal);
        return await (await this.#fetch(method, path, { ...request, signal })).json();
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof AskbackProblem) throw error;
        if (!this.#hasReplied && Date.now() > giveUpAt) throw unreachable(error);
      }
      await pause(delay, request.signal);
    }
  }

  async *events(after: string | undefined, signal: Signal): AsyncGenerator<FeedEvent> {
    for (;;) {
      try {
        const response = await this.#fetch('GET', '/events', { headers: after ? { 'last-event-id': after } : {}, signal });
        for await (const event of readEvents(readLines(response))) {
          after = event.id ?? after;
          if (event.type) yield event;
        }
      } catch (error) {
        if (error instanceof AskbackProblem) throw error;
      }
      await pause(1000, signal);
    }
  }

  /** A server that was found in a file proves itself before each request, so that no other program gets the token. */
  async #fetch(method: string, path: string, { body, headers, signal }: Request): Promise<Response> {
    signal?.throwIfAborted();
    const { url, token, isFromFile } = await findServer(this.#options);
    if (isFromFile) await prove(url, token, signal);
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
      redirect: 'error',
    });
    if (TRY_AGAIN.includes(response.status)) throw new Unreachable(`the server at ${url} replied ${response.status}`);
    this.#hasReplied = true;
    if (response.ok) return response;
    throw new AskbackProblem(response.status, await response.json().catch(() => null));
  }
}

/** Only where there are files: the rest of this client also runs in browsers. */
const files = () => import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs');

async function findServer({ url, token, data }: ServerOptions): Promise<Server> {
  const env: Record<string, string | undefined> = globalThis.process?.env ?? {};
  url ||= env.ASKBACK_URL;
  if (data || !url) {
    const home = env.XDG_DATA_HOME || `${env.HOME ?? ''}/.local/share`;
    return runningServer(data || env.ASKBACK_DATA || `${home}/askback`);
  }
  token ||= env.ASKBACK_TOKEN;
  if (!token && env.ASKBACK_TOKEN_FILE) token = (await files()).readFileSync(env.ASKBACK_TOKEN_FILE, 'utf8').trim();
  return { url: url.replace(/\/+$/, ''), token: token ?? '', isFromFile: false };
}

async function runningServer(directory: string): Promise<Server> {
  const { existsSync, readFileSync, statSync } = await files();
  const file = `${directory}/server.json`;
  if (!existsSync(file)) {
    throw new Unreachable(`no server runs for ${directory}: start \`askback serve\`, or set ASKBACK_URL`);
  }
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) {
    throw new Unreachable(`other users can read ${file}: make it private (mode 600)`);
  }
  const { address, token } = JSON.parse(readFileSync(file, 'utf8'));
  return { url: address, token, isFromFile: true };
}

/** Lets the server prove that it knows the token. Nothing secret is sent before. */
async function prove(url: string, token: string, signal: Signal): Promise<void> {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const response = await fetch(`${url}/server/proof?nonce=${nonce}`, { signal: signal ?? null, redirect: 'error' });
  const { proof } = (await response.json().catch(() => ({}))) as { proof?: unknown };
  if (!(await isMac(proof, token, `askback server proof 1\n${url}\n${nonce}`))) {
    throw new Unreachable(`the program at ${url} is not the server of the data directory`);
  }
}

const unreachable = (error: unknown) =>
  error instanceof Unreachable
    ? error
    : new Unreachable(`the server cannot be reached (${error}): is \`askback serve\` running?`, { cause: error });

/** Aborts as soon as one of these does. */
export const anySignal = (...signals: Signal[]) => AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** Ends early, with the reason of the signal, if it aborts. */
export async function pause(ms: number, signal: Signal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
