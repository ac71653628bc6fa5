// The feed of events: it reconnects, and resumes after the last event that had an id.

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One event. Changes of questions have the type `inquiry`; ignore types that you do not know. */
export interface FeedEvent {
  type: string;
  data: Record<string, unknown>;
  /** Pass it to `events({ after })` to continue after this event. Some events have none. */
  id?: string;
}

type Headers = Record<string, string>;

/** `open` sends a request for the feed until there is a response. */
export async function* readFeed(
  open: (headers: Headers) => Promise<IncomingMessage>,
  after: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<FeedEvent> {
  for (;;) {
    const response = await open(after ? { 'last-event-id': after } : {});
    for await (const { event = '', data, ...position } of readFrames(response)) {
      after = position.id ?? after;
      if (data) yield { type: event, data: JSON.parse(data), ...position };
    }
    await sleep(500, undefined, { signal });
  }
}

/** The frames by field, until the response ends. One without data only tells the position. */
async function* readFrames(response: IncomingMessage): AsyncGenerator<Record<string, string>> {
  let rest = '';
  try {
    for await (const part of response) {
      const frames = (rest + part).split('\n\n');
      rest = frames.pop() ?? '';
      // Not with the flag m, for which U+2028 in a text is the end of a line.
      for (const frame of frames) yield Object.fromEntries(frame.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
    }
  } catch {} // The connection was lost.
}
