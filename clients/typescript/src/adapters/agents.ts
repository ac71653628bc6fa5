// What the adapters for agent frameworks share: questions that a model writes, approvals, and saved runs.

import type { Askback, Inquiry } from '../client.js';
import { AskbackProblem, NoAnswer } from '../errors.js';
import { choice, confirm, type Kind, several, text } from '../kinds.js';

export const ASK_USER =
  'Ask the user one question and wait for the answer. Give choices where you can; the user can also write something else.';

/** A question as a model writes it. */
export interface ModelQuestion {
  question: string;
  choices?: string[];
  several?: boolean;
}

export const MODEL_QUESTION = {
  type: 'object' as const,
  properties: {
    question: { type: 'string' as const },
    choices: { type: 'array' as const, items: { type: 'string' as const } },
    several: { type: 'boolean' as const },
  },
  required: ['question'],
  additionalProperties: false as const,
};

/** Called with each question as soon as it is asked, so that you can show it. */
export type OnAsked = (inquiry: Inquiry<unknown>) => void;

interface ModelOptions {
  key: string;
  signal?: AbortSignal | undefined;
  onAsked?: OnAsked | undefined;
}

/**
 * Asks a question that a model wrote, and returns what the model gets: the answer, or why there is none. If the person
 * wants the agent to stop, throws `NoAnswer`.
 */
export async function askForModel(ab: Askback, asked: ModelQuestion, options: ModelOptions): Promise<string> {
  const choices = asked.choices ?? [];
  let kind: Kind<string | string[]> = text();
  if (choices.length > 0) kind = asked.several ? several.own(...choices) : choice.own(...choices);
  try {
    const inquiry = await ab.start(asked.question, kind, options);
    options.onAsked?.(inquiry);
    const answer = await inquiry.value(options);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  } catch (error) {
    // Such as two equal choices: it says what the model has to change.
    if (error instanceof AskbackProblem && error.code === 'invalid_input') return error.message;
    if (!(error instanceof NoAnswer) || error.outcome.status === 'stopped') throw error;
    return error.outcome.inquiry.result?.content ?? error.message;
  }
}

const CALL_CHARACTERS_MAX = 9_000; // The context of a question has at most 10,000.

/**
 * Whether the person allows a call of a tool. Shows the call, and says how much of a long one is missing. Without an answer,
 * such as after the deadline, the call is not allowed; if the person wants the agent to stop, throws `NoAnswer`.
 */
export async function approve(ab: Askback, key: string, tool: string, input: unknown): Promise<boolean> {
  const call = [...(JSON.stringify(typeof input === 'string' ? parsed(input) : input, null, 2) ?? '')];
  const shown = `\`\`\`json\n${call.slice(0, CALL_CHARACTERS_MAX).join('')}\n\`\`\``;
  const rest = call.length - CALL_CHARACTERS_MAX;
  const context = rest > 0 ? `${shown}\n${rest} more characters are not shown.` : shown;
  try {
    return await ab.ask(`Allow ${tool}?`, confirm({ context }), { key });
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.outcome.status === 'stopped') throw error;
    return false;
  }
}

/** The arguments of a call; as they are if the model did not write JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return text;
  }
}

/** Where a run is kept while it waits for the user: save it where a killed program finds it again. */
export interface RunStore {
  load(): Promise<string | null>;
  /** Null when the run has ended. */
  save(run: string | null): Promise<void>;
}

/** A run in a file, which is replaced as a whole, so that a kill leaves the old state or the new one. */
export function fileStore(path: string): RunStore {
  const files = import('node:fs/promises');
  return {
    async load() {
      const { readFile } = await files;
      return readFile(path, 'utf8').catch((error) => {
        if (error.code === 'ENOENT') return null;
        throw error; // A run that cannot be read would start anew, and do everything twice.
      });
    },
    async save(run) {
      const { rename, rm, writeFile } = await files;
      if (run === null) return rm(path, { force: true });
      await writeFile(`${path}.new`, run, { flush: true });
      await rename(`${path}.new`, path);
    },
  };
}
