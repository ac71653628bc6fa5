// Mastra: a step that suspends with a question asks the user, and the answer resumes the workflow.
//
//   execute: async ({ resumeData, suspend }) => resumeData ?? suspend({ text: 'Which database?', choices: ['PostgreSQL', 'SQLite'] })
//   const result = await run(workflow, 'deploy-42', { topic: 'storage' }, ab);
//
// The step gets `{ answer }` as its `resumeData`. Survives kill -9 if Mastra has a storage: call `run` again with the same
// id. Nothing of Mastra is imported, so that this works with its versions 0.24 and 1.

import { approve } from './agents.js';
import type { Askback } from '../client.js';

interface Result {
  status: string;
  steps: Record<string, { status: string; suspendPayload?: unknown }>;
  suspended?: string[][];
}

interface WorkflowRun {
  start(options: { inputData: unknown }): Promise<unknown>;
  resume(options: { step: string[]; resumeData: unknown }): Promise<unknown>;
}

interface Workflow {
  createRunAsync?(options: { runId: string }): Promise<unknown>;
  createRun?(options: { runId: string }): unknown;
  getWorkflowRunExecutionResult?(runId: string): Promise<unknown>;
  getWorkflowRunById?(runId: string): Promise<unknown>;
}

/** Runs a workflow until nothing waits for the user. `id` is unique for each run. */
export async function run(workflow: Workflow, id: string, inputData: unknown, ab: Askback): Promise<Result> {
  const stored = await storedResult(workflow, id);
  const created = workflow.createRunAsync ? workflow.createRunAsync({ runId: id }) : workflow.createRun?.({ runId: id });
  const run = (await created) as WorkflowRun;
  let result = stored?.status === 'suspended' ? stored : ((await run.start({ inputData })) as Result);
  while (result.status === 'suspended') {
    const step = result.suspended?.[0] ?? suspendedSteps(result);
    const payload = result.steps[step[0] ?? '']?.suspendPayload ?? {};
    const { text, ...fields } = payload as { text: string };
    const answer = await ab.ask(text, { fields }, { key: `${id}/${step.join('.')}` });
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

interface ApprovalChunk {
  type: string;
  payload?: { toolCallId: string; toolName: string; args: unknown };
}

interface AgentStream {
  runId: string;
  fullStream: AsyncIterable<unknown>;
}

interface ApprovalAgent {
  approveToolCall(options: { runId: string; toolCallId: string }): Promise<unknown>;
  declineToolCall(options: { runId: string; toolCallId: string }): Promise<unknown>;
}

/** Reads the stream of an agent to its end, and asks the user for each call of a tool with `requireApproval`. */
export async function* approveToolCalls(agent: ApprovalAgent, stream: unknown, ab: Askback): AsyncGenerator<unknown> {
  for (let current: AgentStream | undefined = stream as AgentStream; current; ) {
    const { fullStream, runId }: AgentStream = current;
    current = undefined;
    for await (const chunk of fullStream) {
      yield chunk;
      const { type, payload } = chunk as ApprovalChunk;
      if (type !== 'tool-call-approval' || !payload) continue;
      const { toolCallId, toolName, args } = payload;
      const isAllowed = await approve(ab, `${runId}/${toolCallId}`, toolName, args);
      const options = { runId, toolCallId };
      current = (await (isAllowed ? agent.approveToolCall(options) : agent.declineToolCall(options))) as AgentStream;
    }
  }
}
