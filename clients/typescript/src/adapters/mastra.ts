// Mastra: a step that suspends with a question asks the user, and the answer resumes the workflow. Calls of tools with
// `requireApproval` ask the user, too.
//
//   execute: async ({ resumeData, suspend }) => resumeData ?? suspend({ text: 'Which database?', choices: ['PostgreSQL', 'SQLite'] })
//   const result = await run(workflow, 'deploy-42', { topic: 'storage' }, ab);
//   for await (const chunk of stream(agent, 'Delete the old backups.', ab, 'backups-42', fileStore('backups-42.json'))) …
//
// The step gets `{ answer }` as its `resumeData`. Both survive kill -9 if Mastra has a storage: call them again with the same
// id; `stream` also needs a store of its own, which says that it waits for the user. Nothing of Mastra is imported, so that this works with its versions 0.24 and 1.

import { approve, type RunStore } from './agents.js';
import type { Askback } from '../client.js';

export { fileStore, type RunStore } from './agents.js';

interface Result {
  status: string;
  steps: Record<string, { status: string; suspendPayload?: unknown; suspendedAt?: number }>;
  suspended?: string[][];
}

interface WorkflowRun {
  start(options: { inputData: unknown }): Promise<unknown>;
  restart?(): Promise<unknown>;
  resume(options: { step: string[]; resumeData: unknown }): Promise<unknown>;
}

interface Workflow {
  createRunAsync?(options: { runId: string }): Promise<unknown>;
  createRun?(options: { runId: string }): unknown;
  getWorkflowRunExecutionResult?(runId: string): Promise<unknown>;
  getWorkflowRunById?(runId: string): Promise<unknown>;
}

/**
 * Runs a workflow until nothing waits for the user. `id` is unique for each run: one that was killed goes on with the step
 * in which it was, and one that succeeded is not run again.
 */
export async function run(workflow: Workflow, id: string, inputData: unknown, ab: Askback): Promise<Result> {
  const stored = await storedResult(workflow, id);
  if (stored?.status === 'success') return stored;
  const created = workflow.createRunAsync ? workflow.createRunAsync({ runId: id }) : workflow.createRun?.({ runId: id });
  const run = (await created) as WorkflowRun;
  const isKilled = stored?.status === 'running' || stored?.status === 'waiting';
  const goOn = () => (isKilled && run.restart ? run.restart() : run.start({ inputData }));
  let result = stored?.status === 'suspended' ? stored : ((await goOn()) as Result);
  while (result.status === 'suspended') {
    const step = result.suspended?.[0] ?? suspendedSteps(result);
    const { suspendPayload, suspendedAt } = result.steps[step[0] ?? ''] ?? {};
    const { text, ...fields } = (suspendPayload ?? {}) as { text: string };
    // The time is stored with the run. A step of a loop suspends more than once, and each time is a question of its own.
    const answer = await ab.ask(text, { fields }, { key: `${id}/${step.join('.')}/${suspendedAt}` });
    result = (await run.resume({ step, resumeData: { answer } })) as Result;
  }
  return result;
}

async function storedResult(workflow: Workflow, id: string): Promise<Result | null> {
  const stored = await (workflow.getWorkflowRunExecutionResult?.(id) ?? workflow.getWorkflowRunById?.(id));
  return (stored as Result | null | undefined) ?? null;
}

const suspendedSteps = (result: Result) =>
  Object.keys(result.steps)
    .filter((name) => result.steps[name]?.status === 'suspended')
    .slice(0, 1);

interface Agent {
  stream(input: string, options: { runId: string }): Promise<unknown>;
  approveToolCall(options: { runId: string; toolCallId: string }): Promise<unknown>;
  declineToolCall(options: { runId: string; toolCallId: string }): Promise<unknown>;
}

interface ToolCall {
  toolCallId: string;
  toolName: string;
  args: unknown;
}

/**
 * Streams the reply of an agent, and asks the user for each call of a tool with `requireApproval`. `id` is unique for each
 * run.
 */
export async function* stream(
  agent: Agent,
  input: string,
  ab: Askback,
  id: string,
  store?: RunStore,
): AsyncGenerator<unknown> {
  const stored = await store?.load();
  let waiting: ToolCall | undefined = stored ? JSON.parse(stored) : undefined;
  do {
    const reply = waiting ? decide(agent, waiting, ab, id) : agent.stream(input, { runId: id });
    waiting = undefined;
    for await (const chunk of ((await reply) as { fullStream: AsyncIterable<unknown> }).fullStream) {
      yield chunk;
      const { type, payload } = chunk as { type: string; payload: ToolCall };
      if (type === 'tool-call-approval') waiting = payload;
    }
    await store?.save(waiting ? JSON.stringify(waiting) : null);
  } while (waiting);
}

async function decide(agent: Agent, { toolCallId, toolName, args }: ToolCall, ab: Askback, runId: string) {
  const isAllowed = await approve(ab, `${runId}/${toolCallId}`, toolName, args);
  return isAllowed ? agent.approveToolCall({ runId, toolCallId }) : agent.declineToolCall({ runId, toolCallId });
}
