/** One event. Changes of questions have the type `inquiry`; ignore types that you do not know. */
export interface FeedEvent {
  type: string;
  data: Record<string, unknown>;
  /** Pass it to `events({ after })` to continue after this event. Some events have none. */
  id?: string;
}

/** A connection that is silent for so long is dead: the feed has a comment every 15 seconds, and a wait ends after 50. */
export const SILENCE_MS_MAX = 60_000;

/** The frames of a feed by field, until it ends or is silent for too long. One without data only tells the position. */
export async function* readFrames(response: Response): AsyncGenerator<Record<string, string>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const silence = setTimeout(() => reader?.cancel().catch(() => {}), SILENCE_MS_MAX);
      const part = await reader?.read().finally(() => clearTimeout(silence));
      if (!part?.value) return;
      const frames = (rest + part.value).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        yield Object.fromEntries([...frame.matchAll(/^(\w+): ?(.*)$/gm)].map(([, name, value]) => [name, value]));
      }
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}
