/** One event. Changes of questions have the type `inquiry`; ignore types that you do not know. */
export interface FeedEvent {
  type: string;
  data: Record<string, unknown>;
  /** Pass it to `events({ after })` to continue after this event. Some events have none. */
  id?: string;
}

/** The feed has a comment every 15 seconds. Without any, its connection is dead. */
const SILENCE_MS_MAX = 60_000;

/** The events of a stream. One without data has no type: it only tells the position. */
export async function* readEvents(lines: AsyncIterable<string>): AsyncGenerator<FeedEvent> {
  let fields: Record<string, string> = {};
  for await (const line of lines) {
    const [, name, value] = /^(\w+): ?(.*)/.exec(line) ?? [];
    if (name) fields[name] = value ?? '';
    if (line !== '') continue;
    const { data, event = 'message', ...position } = fields;
    yield { type: data === undefined ? '' : event, data: JSON.parse(data ?? '{}'), ...position };
    fields = {};
  }
}

/** The lines of a response, until it ends or is silent for too long. What follows the last line break is dropped. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const silence = setTimeout(() => reader?.cancel().catch(() => {}), SILENCE_MS_MAX);
      const part = await reader?.read().finally(() => clearTimeout(silence));
      if (!part?.value) return;
      const lines = (rest + part.value).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}
