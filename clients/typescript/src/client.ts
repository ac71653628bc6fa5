import { AskbackProblem, NoAnswer, type Outcome, outcomeStatus, Unreachable } from './errors.js';
import { type FeedEvent, readEvents, readLines } from './feed.js';
import type { Kind, ValueOf } from './kinds.js';
import { type ConnectOptions as ServerOptions, findServer, prove } from './server.js';
import type { InquiryJson } from './wire.js';

/** How long one request waits for an outcome. The server allows a minute. */
const WAIT_MS_MAX = 50_000;
/** How long to look for a server that never replied. One that did is waited for without end. */
const FIRST_REPLY_MS = 5_000;
const TRY_AGAIN = [408, 429, 502, 503, 504];

export interface ConnectOptions extends ServerOptions {
  /** Who asks, as text for the person. */
  source?: string;
}

export interface WaitOptions {
  /** Ends the wait, never the question. */
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer; for ever if missing. */
  timeoutMs?: number;
}

export interface StartOptions {
  /** Names the decision: a program that was killed asks again with its key, and gets the same question and its answer. */
  key?: string;
  source?: string;
  /** How long the question stays open, such as `2h`. */
  expires_in?: string;
  /** The alias of a person or a group. */
  recipient?: string;
  metadata?: Record<string, unknown>;
  webhook?: string;
  /** What the program assumes until it has the answer. */
  assumption?: string;
  conversation_id?: string;
  signal?: AbortSignal | undefined;
}

export type AskOptions = StartOptions & WaitOptions;

/** The questions of a form by id: text and kind. */
export type Form = Record<string, readonly [text: string, kind: Kind<unknown>]>;
export type FormValue<F extends Form> = { [Id in keyof F]: ValueOf<F[Id][1]> };

/** Asks a person, and waits for the answer. */
export class Askback {
  #where: ServerOptions;
  #source: string | undefined;
  #hasReplied = false;
  #nextKey: (text: string) => Promise<string> | string = () => crypto.randomUUID();

  constructor({ source, ...where }: ConnectOptions = {}) {
    this.#where = where;
    this.#source = source;
  }

  /** Asks and waits for the answer. Without an answer, throws `NoAnswer`. */
  async ask<T>(text: string, kind: Kind<T>, options: AskOptions = {}): Promise<T> {
    return (await this.start(text, kind, options)).value(options);
  }

  /** Asks several questions at once, and returns their answers by id. */
  async form<const F extends Form>(form: F, options: AskOptions = {}): Promise<FormValue<F>> {
    return (await this.startForm(form, options)).value(options);
  }

  /** Asks and does not wait. */
  async start<T>(text: string, kind: Kind<T>, options: StartOptions = {}): Promise<Inquiry<T>> {
    const form = await this.startForm({ answer: [text, kind] }, options);
    return new Inquiry(this, form.inquiry, (inquiry) => (form.read(inquiry) as { answer: T }).answer);
  }

  async startForm<const F extends Form>(form: F, options: StartOptions = {}): Promise<Inquiry<FormValue<F>>> {
    const questions = Object.entries(form).map(([id, [text, kind]]) => ({ id, text, ...kind.fields }));
    const { signal, source, expires_in, recipient, metadata, webhook, assumption, conversation_id } = options;
    const others = { expires_in, recipient, metadata, webhook, assumption, conversation_id };
    const key = options.key ?? (await this.#nextKey(questions.map((question) => question.text).join('\n')));
    const body = { ...others, source: source ?? this.#source, key, questions };
    const inquiry = await this.send<InquiryJson>('POST', '/inquiries', { body, signal });
    return new Inquiry(this, inquiry, (answered) => readForm(form, answered));
  }

  /** The first of several inquiries that has its outcome. */
  async waitAny<I extends Inquiry<unknown>>(inquiries: I[], { signal, timeoutMs }: WaitOptions = {}): Promise<I> {
    const end = new AbortController();
    const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
    const waits = inquiries.map(async (inquiry) => {
      await inquiry.wait({ signal: either, timeoutMs });
      return inquiry;
    });
    try {
      const first = await Promise.race(waits);
      if (first.status === 'pending') throw new NoAnswer({ status: 'pending', inquiry: first.inquiry });
      return first;
    } finally {
      end.abort();
      await Promise.allSettled(waits);
    }
  }

  /**
   * A client for one run of a program, which gives each question a key by its order and text. A program that starts
   * again with the same name gets the answers that it had, as long as it asks the same questions in the same order.
   */
  run(name: string): Askback {
    const client = new Askback({ ...this.#where, source: this.#source });
    let count = 0;
    client.#nextKey = async (text) => {
      const number = ++count;
      const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      const digits = Array.from(new Uint8Array(hash, 0, 4), (byte) => byte.toString(16).padStart(2, '0'));
      return `${name}/${number}/${digits.join('')}`;
    };
    return client;
  }

  /** All events from now on, or after an earlier one. Reconnects, and resumes after the last one that had an id. */
  async *events({ after, signal }: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<FeedEvent> {
    for (;;) {
      signal?.throwIfAborted();
      try {
        const headers: Record<string, string> = after ? { 'last-event-id': after } : {};
        const response = await this.#fetch('GET', '/events', { headers, signal });
        if (response.status >= 400) throw new AskbackProblem(response.status, await jsonOf(response));
        for await (const event of readEvents(readLines(response))) {
          after = event.id ?? after;
          if (event.type) yield event;
        }
      } catch (error) {
        if (error instanceof AskbackProblem && !TRY_AGAIN.includes(error.status)) throw error;
        await pause(1000, signal);
      }
    }
  }

  /** Sends until there is a reply. Every request may be repeated, because it reads or has a key. @internal */
  async send<T>(method: string, path: string, options: SendOptions = {}): Promise<T> {
    const { body, signal, deadline = Infinity, timeoutMs = 30_000 } = options;
    const firstReply = Date.now() + FIRST_REPLY_MS;
    for (let delay = 100; ; delay = Math.min(delay * 2, 5000)) {
      let failure: Error;
      try {
        const response = await this.#fetch(method, path, { body, signal: limit(timeoutMs, signal) });
        const json = await jsonOf<T>(response);
        this.#hasReplied = true;
        if (response.status < 400 && json !== null) return json;
        failure = new AskbackProblem(response.status, json as object | null);
        if (response.status >= 400 && !TRY_AGAIN.includes(response.status)) throw failure;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof AskbackProblem) throw error;
        failure = error instanceof Unreachable ? error : unreachable(error);
      }
      if (Date.now() >= deadline || !(this.#hasReplied || Date.now() < firstReply)) throw failure;
      await pause(Math.min(delay, deadline - Date.now()), signal);
    }
  }

  /** A server that was found in a file proves itself before each request, so that no other program gets the token. */
  async #fetch(method: string, path: string, { body, headers, signal }: FetchOptions): Promise<Response> {
    const server = await findServer(this.#where);
    if (server.mustProve) await prove(server, signal);
    const authorization: Record<string, string> = server.token ? { authorization: `Bearer ${server.token}` } : {};
    const content: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
    return fetch(server.url + path, {
      method,
      headers: { ...authorization, ...content, ...headers },
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
      redirect: 'error',
    });
  }
}

interface SendOptions extends WaitOptions {
  body?: object;
  deadline?: number;
}

interface FetchOptions {
  body?: object | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** An inquiry that was asked. */
export class Inquiry<T> {
  #client: Askback;

  constructor(
    client: Askback,
    /** What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on. */
    public inquiry: InquiryJson,
    /** Reads the answers of an answered inquiry. @internal */
    readonly read: (inquiry: InquiryJson) => T | undefined,
  ) {
    this.#client = client;
  }

  get id(): string {
    return this.inquiry.id;
  }

  get status(): Outcome<T>['status'] {
    return outcomeStatus(this.inquiry);
  }

  /** Waits for the outcome, over restarts of the server. */
  async wait({ signal, timeoutMs = Infinity }: WaitOptions = {}): Promise<Outcome<T>> {
    const deadline = Date.now() + timeoutMs;
    while (this.status === 'pending') {
      const sentAt = Date.now();
      const ms = Math.max(0, Math.min(WAIT_MS_MAX, deadline - sentAt));
      const path = `/inquiries/${this.id}?wait=${ms}ms`;
      try {
        this.inquiry = await this.#client.send('GET', path, { signal, deadline, timeoutMs: ms + 10_000 });
      } catch (error) {
        const isProblem = error instanceof AskbackProblem;
        if (isProblem && error.code === 'not_found') this.inquiry = { ...this.inquiry, status: 'withdrawn' };
        else if (signal?.aborted || Date.now() < deadline || (isProblem && !TRY_AGAIN.includes(error.status))) throw error;
      }
      if (Date.now() >= deadline) break;
      // The server does not wait for a status that is new to this client.
      if (this.status === 'pending' && Date.now() - sentAt < 1000) await pause(1000, signal);
    }
    const { inquiry, status } = this;
    if (status !== 'answered') return { status, inquiry };
    const value = this.read(inquiry);
    return value === undefined ? { status: 'incomplete', inquiry } : { status, value, inquiry };
  }

  /** Waits for the answer. Without an answer, throws `NoAnswer`. */
  async value(options: WaitOptions = {}): Promise<T> {
    const outcome = await this.wait(options);
    if (outcome.status === 'answered') return outcome.value;
    throw new NoAnswer(outcome);
  }

  /** Ends the question without an answer. False if it had ended before. */
  async withdraw(): Promise<boolean> {
    try {
      const body = { key: crypto.randomUUID() };
      this.inquiry = await this.#client.send('POST', `/inquiries/${this.id}/withdraw`, { body });
      return true;
    } catch (error) {
      if (error instanceof AskbackProblem && ['not_pending', 'not_found'].includes(error.code)) return false;
      throw error;
    }
  }

  /** The address of a page on which anybody who has it can answer this question. */
  async link(expires_in = '1d'): Promise<string> {
    const body = { expires_in };
    return (await this.#client.send<{ url: string }>('POST', `/inquiries/${this.id}/links`, { body })).url;
  }
}

/** The answers by id; undefined if one is missing that is not optional. */
function readForm<F extends Form>(form: F, inquiry: InquiryJson): FormValue<F> | undefined {
  const answers = new Map(inquiry.outcome?.answers?.map((answer) => [answer.question, answer.value ?? null]));
  const value: Record<string, unknown> = {};
  for (const [id, [, kind]] of Object.entries(form)) {
    const given = answers.get(id) ?? null;
    if (given === null && !kind.fields.optional) return undefined;
    value[id] = kind.read(given);
  }
  return value as FormValue<F>;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      finish();
    };
    const abort = end(() => reject(signal?.reason));
    const timer = setTimeout(end(resolve), ms);
    signal?.addEventListener('abort', abort);
  });
}

/** Aborts after a time, or when another signal does. */
function limit(ms: number, signal?: AbortSignal): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
}

const unreachable = (error: unknown) =>
  new Unreachable(`the server cannot be reached (${error}): is \`askback serve\` running?`, { cause: error });

const jsonOf = <T>(response: Response): Promise<T | null> => response.json().catch(() => null);
