// OpenAI Agents: tools with `needsApproval` ask the user, and models ask with the tool `ask_user`.
//
//   const result = await run(agent, 'Delete the old backups.', ab, 'backups-42', fileStore('backups-42.json'));
//
// Approvals survive kill -9 with a store: the run is saved before the user is asked, and continues when `run` is called
// again. A question of `ask_user` does not, because the SDK saves no state while a tool runs: the model is called again.

import { type Agent, type FunctionTool, run as runAgent, RunState, tool } from '@openai/agents';

import { approve, ASK_USER, askForModel, MODEL_QUESTION, type ModelQuestion, type RunStore } from './agents.js';
import type { Askback } from '../client.js';

export { fileStore, type RunStore } from './agents.js';

/** Runs an agent until no call waits for approval. `name` is unique for each run. */
export async function run(agent: Agent<any, any>, input: string, ab: Askback, name: string, store?: RunStore) {
  const stored = await store?.load();
  let state: string | RunState<any, Agent<any, any>> = stored ? await RunState.fromString(agent, stored) : input;
  for (;;) {
    if (state instanceof RunState) {
      for (const call of state.getInterruptions()) {
        const item = call.rawItem as { callId?: string; id?: string; name?: string; arguments?: string };
        const key = `${name}/${item.callId ?? item.id}`;
        if (await approve(ab, key, item.name ?? 'the tool', item.arguments ?? '')) state.approve(call);
        else state.reject(call);
      }
    }
    const result = await runAgent(agent, state);
    if (result.interruptions.length === 0) {
      await store?.save(null);
      return result;
    }
    state = result.state as RunState<any, Agent<any, any>>;
    await store?.save(state.toString());
  }
}

/** A tool with which the model asks the user. `name` is unique for each run. */
export function askUser(ab: Askback, name: string): FunctionTool<any, any, string> {
  return tool({
    name: 'ask_user',
    description: ASK_USER,
    strict: false,
    errorFunction: null, // Else the model is told of a stop, and goes on.
    parameters: { ...MODEL_QUESTION, additionalProperties: true as const },
    execute: (asked, _, details) => {
      const id = details?.toolCall?.callId ?? crypto.randomUUID();
      return askForModel(ab, asked as ModelQuestion, { key: `${name}/${id}`, signal: details?.signal });
    },
  }) as FunctionTool<any, any, string>;
}
