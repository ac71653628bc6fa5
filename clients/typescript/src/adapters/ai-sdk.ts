// AI SDK: a tool with which a model asks the user, and approvals for tools with `needsApproval`.
//
//   const tools = { askUser: askUser(ab, 'chat-42'), remove: tool({ needsApproval: true, … }) };
//   const { text } = await generate({ model, tools, prompt: 'Delete the old backups.' }, ab, 'chat-42', fileStore('chat-42.json'));
//
// Approvals survive kill -9 with a store: the messages are saved before the user is asked, and `generate` continues with
// them. A question of `askUser` is found again only if the same tool call is repeated, which the AI SDK does not do by
// itself: it asks anew.

import { generateText, jsonSchema, type ModelMessage, stepCountIs, type StopCondition, type Tool, tool } from 'ai';

import { approve, ASK_USER, askForModel, MODEL_QUESTION, type ModelQuestion, type OnAsked, type RunStore } from './agents.js';
import type { Askback } from '../client.js';
import { AskbackProblem, NoAnswer, Unreachable } from '../errors.js';

export { fileStore, type RunStore } from './agents.js';

/** The tool. `run` is unique for each run. If the person wants the agent to stop, only `generate` stops it. */
export function askUser(ab: Askback, run: string, onAsked?: OnAsked): Tool<ModelQuestion, string> {
  return tool({
    description: ASK_USER,
    inputSchema: jsonSchema<ModelQuestion>(MODEL_QUESTION),
    execute: (asked, { abortSignal: signal, toolCallId }) =>
      askForModel(ab, asked, { key: `${run}/${toolCallId}`, signal, onAsked }),
  });
}

type Options = Omit<Parameters<typeof generateText>[0], 'prompt' | 'messages'> & { prompt: string };

/** What a tool of this package threw. The AI SDK tells it the model, which would go on after a stop. */
function failureOf({ content }: { content: { type: string; error?: unknown }[] }): unknown {
  const errors = content.filter(({ type }) => type === 'tool-error').map(({ error }) => error);
  return errors.find((it) => it instanceof NoAnswer || it instanceof AskbackProblem || it instanceof Unreachable);
}

const hasFailed: StopCondition<any> = ({ steps }) => steps.some((step) => failureOf(step) !== undefined);

/**
 * `generateText` until no call waits for approval. `run` is unique for each run. If the person wants the agent to stop,
 * throws `NoAnswer`.
 */
export async function generate({ prompt, ...options }: Options, ab: Askback, run: string, store?: RunStore) {
  const stored = await store?.load();
  const messages: ModelMessage[] = stored ? JSON.parse(stored) : [{ role: 'user', content: prompt }];
  for (;;) {
    const approvals = await answerApprovals(messages, ab, run);
    if (approvals) messages.push(approvals);
    const stopWhen = [options.stopWhen ?? stepCountIs(1), hasFailed].flat();
    const result = await generateText({ ...options, stopWhen, messages } as Parameters<typeof generateText>[0]);
    const failure = failureOf(result);
    if (failure) throw failure;
    messages.push(...result.response.messages);
    if (!result.content.some((part) => part.type === 'tool-approval-request')) {
      await store?.save(null);
      return result;
    }
    await store?.save(JSON.stringify(messages));
  }
}

/** Asks for the calls of the last message that need approval. Undefined if there are none. */
export async function answerApprovals(
  messages: ModelMessage[],
  ab: Askback,
  run: string,
): Promise<ModelMessage | undefined> {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return undefined;
  const parts = last.content;
  const requests = parts.filter((part) => part.type === 'tool-approval-request');
  if (requests.length === 0) return undefined;
  const answers = requests.map(async ({ approvalId, toolCallId }) => {
    const call = parts.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
    const { toolName, input } = call as { toolName: string; input: unknown };
    const approved = await approve(ab, `${run}/${toolCallId}`, toolName, input);
    return { type: 'tool-approval-response' as const, approvalId, approved };
  });
  return { role: 'tool', content: await Promise.all(answers) };
}
