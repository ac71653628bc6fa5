import type { IncomingMessage } from 'node:http';

/** One event. Changes of questions have the type `inquiry`; ignore types that you do not know. */
export interface FeedEvent {
  type: string;
  data: Record<string, unknown>;
  /** Pass it to `events({ after })` to continue after this event. Some events have none. */
  id?: string;
}

/** The frames of a feed by field, until it ends. One without data only tells the position. */
export async function* readFrames(response: IncomingMessage): AsyncGenerator<Record<string, string>> {
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
