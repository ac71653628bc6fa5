import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { AskbackProblem, type InquiryJson, NoAnswer, type Outcome, outcomeStatus, Unreachable } from './errors.js';
import type { FeedEvent } from './feed.js';
import { type Kind, questionsOf, readAnswers } from './kinds.js';
import { type ServerOptions, Transport } from './server.js';

export interface WaitOptions {
  /** Ends the wait, never the question. */
  signal?: AbortSignal | undefined;
  /** How long to wait for the server and the answer; for ever if missing. */
  timeoutMs?: number | undefined;
}

export interface StartOptions extends WaitOptions {
  /** Names the decision: a program that was killed asks again with its key, and gets the same question and its answer. */
  key?: string;
  /** Who asks, as text for the person. */
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
}

export type ConnectOptions = ServerOptions & Pick<StartOptions, 'source'>;

/** Asks a person, and waits for the answer. */
export class Askback {
  #transport: Transport;
  #source: string | undefined;
  #nextKey: (text: string) => string = () => randomUUID();

  constructor({ source, ...where }: ConnectOptions = {}) {
    this.#transport = new Transport(where);
    this.#source = source;
  }

  /** Asks and waits for the answer. Without an answer, throws `NoAnswer`. */
  async ask<T>(text: string, kind: Kind<T>, options: StartOptions = {}): Promise<T> {
    const end = performance.now() + (options.timeoutMs ?? Infinity);
    const inquiry = await this.start(text, kind, options);
    return inquiry.value({ signal: options.signal, timeoutMs: end - performance.now() });
  }

  /** Asks and does not wait for the answer. Without a response of the server after `timeoutMs`, throws `Unreachable`. */
  async start<T>(text: string, kind: Kind<T>, { signal, timeoutMs, ...others }: StartOptions = {}): Promise<Inquiry<T>> {
    const key = others.key ?? this.#nextKey(text);
    const body = { source: this.#source, ...others, key, questions: questionsOf(text, kind) };
    const send = (signal: AbortSignal) => this.#transport.send<InquiryJson>('POST', '/inquiries', { body, signal });
    const inquiry = await first([send], { signal, timeoutMs });
    if (inquiry) return new Inquiry(this.#transport, inquiry, kind);
    throw new Unreachable(`no response in time, so that it may be asked or not: ask again with the key ${JSON.stringify(key)}`);
  }

  /** The first of several inquiries that has its outcome. When the time is over, throws `NoAnswer`. */
  async waitAny<I extends Inquiry<unknown>>(inquiries: I[], options: WaitOptions = {}): Promise<I> {
    if (inquiries.length === 0) throw new RangeError('there is no inquiry to wait for');
    const resolved = await first(inquiries.map((inquiry) => (signal: AbortSignal) => inquiry.resolve(signal)), options);
    if (resolved) return resolved;
    throw new NoAnswer({ status: 'pending', inquiry: inquiries[0]!.inquiry });
  }

  /**
   * A client for one run of a program, which gives each question a key by its order and text. A program that starts
   * again with the same name gets the answers that it had, as long as it asks the same questions in the same order.
   */
  run(name: string): Askback {
    const client = new Askback({ source: this.#source });
    client.#transport = this.#transport;
    let count = 0;
    client.#nextKey = (text) => `${name}/${++count}/${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
    return client;
  }

  /** All events from now on, or after an earlier one. Reconnects, and resumes after the last one that had an id. */
  events({ after, signal }: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<FeedEvent> {
    return this.#transport.events(after, signal);
  }
}

/** An inquiry that was asked. */
export class Inquiry<T> {
  /** @internal */
  constructor(
    private readonly transport: Transport,
    /** What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on. */
    public inquiry: InquiryJson,
    private readonly kind: Kind<T>,
  ) {}

  get id(): string {
    return this.inquiry.id;
  }

  /** Waits for the outcome, over restarts of the server. */
  async wait(options: WaitOptions = {}): Promise<Outcome<T>> {
    await first([(signal) => this.resolve(signal)], options);
    const { inquiry } = this;
    const status = outcomeStatus(inquiry);
    if (status !== 'answered') return { status, inquiry };
    const value = readAnswers(this.kind, inquiry);
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
      this.inquiry = await this.transport.send('POST', `/inquiries/${this.id}/withdraw`, { body: { key: randomUUID() } });
      return true;
    } catch (error) {
      if (error instanceof AskbackProblem && ['not_pending', 'not_found'].includes(error.code)) return false;
      throw error;
    }
  }

  /** The address of a page on which anybody who has it can answer this question. */
  async link(expires_in = '1d'): Promise<string> {
    return (await this.transport.send<{ url: string }>('POST', `/inquiries/${this.id}/links`, { body: { expires_in } })).url;
  }

  /** @internal */
  async resolve(signal: AbortSignal): Promise<this> {
    // The server does not wait for a status that is new to this client, so that there is a pause between requests.
    for (let delay = 0; outcomeStatus(this.inquiry) === 'pending'; delay = 500) {
      await sleep(delay, undefined, { signal });
      try {
        this.inquiry = await this.transport.send('GET', `/inquiries/${this.id}?wait=50s`, { signal });
      } catch (error) {
        if (!(error instanceof AskbackProblem && error.code === 'not_found')) throw error;
        this.inquiry = { ...this.inquiry, status: 'withdrawn' };
      }
    }
    return this;
  }
}

/** The result of the first that ends; undefined when the time is over. Ends the others. */
async function first<T>(starts: ((signal: AbortSignal) => Promise<T>)[], options: WaitOptions): Promise<T | undefined> {
  const { signal, timeoutMs = Infinity } = options;
  const end = new AbortController();
  const until = { signal: signal ? AbortSignal.any([end.signal, signal]) : end.signal };
  const waits: Promise<T | undefined>[] = starts.map((start) => start(until.signal));
  // Even without time to wait, the server is asked once. No timer can be longer than 24 days.
  if (timeoutMs < 2 ** 31) waits.push(sleep(Math.max(timeoutMs, 1000), undefined, until));
  try {
    return await Promise.race(waits);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    end.abort();
    await Promise.allSettled(waits);
  }
}
