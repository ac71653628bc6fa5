// An agent whose scripted model calls a tool that needs approval: mastra-approval.mjs FILE
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';

import { fileStore, stream } from '../../dist/adapters/mastra.js';
import { Askback } from '../../dist/index.js';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doStream({ prompt }) {
    const result = prompt.flatMap(({ content }) => content).find(({ type }) => type === 'tool-result');
    const parts = result
      ? [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: `The tool said: ${result.output.value}` },
          { type: 'text-end', id: '1' },
        ]
      : [{ type: 'tool-call', toolCallId: 'call_0', toolName: 'remove', input: '{"which":"old"}' }];
    const finish = { type: 'finish', finishReason: result ? 'stop' : 'tool-calls', usage };
    return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, finish]) };
  },
};
const remove = createTool({
  id: 'remove',
  description: 'Removes backups.',
  inputSchema: z.object({ which: z.string() }),
  requireApproval: true,
  execute: async ({ context }) => `removed ${context.which}`,
});
const janitor = new Agent({ name: 'janitor', instructions: 'Clean up.', model, tools: { remove } });
const storage = new LibSQLStore({ id: 'runs', url: `file:${process.argv[2]}` });
const mastra = new Mastra({ agents: { janitor }, storage, logger: false });
let text = '';
for await (const { type, payload } of stream(mastra.getAgent('janitor'), 'Clean up.', new Askback(), 'r1', fileStore(`${process.argv[2]}.json`))) {
  if (type === 'text-delta') text += payload.text;
}
console.log(text);
