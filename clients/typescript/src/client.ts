import { AskbackProblem, type InquiryJson, NoAnswer, type Outcome, outcomeStatus } from './errors.js';
import type { FeedEvent } from './feed.js';
import { type Form, type FormValue, type Kind, readForm } from './kinds.js';
import { anySignal, pause, type ServerOptions, Transport } from './server.js';

export interface WaitOptions {
  /** Ends the wait, never the question. */
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer; for ever if missing. */
  timeoutMs?: number | undefined;
}

export interface StartOptions {
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
  signal?: AbortSignal | undefined;
}

export type AskOptions = StartOptions & WaitOptions;
export type ConnectOptions = ServerOptions & Pick<StartOptions, 'source'>;

/** Asks a person, and waits for the answer. */
export class Askback {
  #transport: Transport;
  #source: string | undefined;
  #nextKey: (text: string) => Promise<string> | string = () => crypto.randomUUID();

  constructor({ source, ...where }: ConnectOptions = {}) {
    this.#transport = new Transport(where);
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
  start<T>(text: string, kind: Kind<T>, options: StartOptions = {}): Promise<Inquiry<T>> {
    return this.#start({ answer: [text, kind] }, options, ({ answer }) => answer);
  }

  startForm<const F extends Form>(form: F, options: StartOptions = {}): Promise<Inquiry<FormValue<F>>> {
    return this.#start(form, options, (value) => value);
  }

  async #start<F extends Form, T>(form: F, options: AskOptions, valueOf: (value: FormValue<F>) => T): Promise<Inquiry<T>> {
    const { signal, timeoutMs: _, ...others } = options;
    const questions = Object.entries(form).map(([id, [text, kind]]) => ({ id, text, ...kind.fields }));
    const key = options.key ?? (await this.#nextKey(questions.map(({ text }) => text).join('\n')));
    const body = { source: this.#source, ...others, key, questions };
    const inquiry = await this.#transport.send<InquiryJson>('POST', '/inquiries', { body, signal });
    return new Inquiry(this.#transport, inquiry, (answered) => {
      const value = readForm(form, answered);
      return value && valueOf(value);
    });
  }

  /** The first of several inquiries that has its outcome. When the time is over, throws `NoAnswer`. */
  async waitAny<I extends Inquiry<unknown>>(inquiries: I[], options: WaitOptions = {}): Promise<I> {
    const first = await firstResolved(inquiries, options);
    if (first) return first;
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
    client.#nextKey = async (text) => {
      const number = ++count;
      const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      return `${name}/${number}/${new DataView(hash).getUint32(0).toString(16).padStart(8, '0')}`;
    };
    return client;
  }

  /** All events from now on, or after an earlier one. Reconnects, and resumes after the last one that had an id. */
  events({ after, signal }: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<FeedEvent> {
    return this.#transport.events(after, signal);
  }
}

/** An inquiry that was asked. */
export class Inquiry<T> {
  #transport: Transport;
  #read: (inquiry: InquiryJson) => T | undefined;

  /** @internal */
  constructor(
    transport: Transport,
    /** What the server said last: `status`, `questions`, `outcome` with notes, `answered_by` and so on. */
    public inquiry: InquiryJson,
    read: (inquiry: InquiryJson) => T | undefined,
  ) {
    this.#transport = transport;
    this.#read = read;
  }

  get id(): string {
    return this.inquiry.id;
  }

  /** Waits for the outcome, over restarts of the server. */
  async wait(options: WaitOptions = {}): Promise<Outcome<T>> {
    await firstResolved([this], options);
    const { inquiry } = this;
    const status = outcomeStatus(inquiry);
    if (status !== 'answered') return { status, inquiry };
    const value = this.#read(inquiry);
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
      this.inquiry = await this.#transport.send('POST', `/inquiries/${this.id}/withdraw`, { body });
      return true;
    } catch (error) {
      if (error instanceof AskbackProblem && ['not_pending', 'not_found'].includes(error.code)) return false;
      throw error;
    }
  }

  /** The address of a page on which anybody who has it can answer this question. */
  async link(expires_in = '1d'): Promise<string> {
    const body = { expires_in };
    return (await this.#transport.send<{ url: string }>('POST', `/inquiries/${this.id}/links`, { body })).url;
  }

  /** @internal */
  async resolve(signal: AbortSignal): Promise<this> {
    while (outcomeStatus(this.inquiry) === 'pending') {
      try {
        this.inquiry = await this.#transport.send('GET', `/inquiries/${this.id}?wait=50s`, { signal });
      } catch (error) {
        if (!(error instanceof AskbackProblem && error.code === 'not_found')) throw error;
        this.inquiry = { ...this.inquiry, status: 'withdrawn' };
      }
      // The server does not wait for a status that is new to this client.
      if (outcomeStatus(this.inquiry) === 'pending') await pause(500, signal);
    }
    return this;
  }
}

/** The first of several inquiries that has its outcome; undefined when the time is over. */
async function firstResolved<I extends Inquiry<unknown>>(
  inquiries: I[],
  { signal, timeoutMs }: WaitOptions,
): Promise<I | undefined> {
  const end = new AbortController();
  // Even without time to wait, the server is asked once.
  const time = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.max(timeoutMs, 1000));
  const waits = inquiries.map((inquiry) => inquiry.resolve(anySignal(end.signal, time, signal)));
  try {
    return await Promise.race(waits);
  } catch (error) {
    signal?.throwIfAborted();
    if (time?.aborted) return undefined;
    throw error;
  } finally {
    end.abort();
    await Promise.allSettled(waits);
  }
}
