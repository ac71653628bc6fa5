// A scripted model asks the user and calls a tool that needs approval: ai-sdk.mjs FILE
import { jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

import { askUser, fileStore, generate } from '../../dist/adapters/ai-sdk.js';
import { Askback } from '../../dist/index.js';

const calls = [
  ['askUser', { question: 'Which backups?', choices: ['old', 'all'] }],
  ['remove', { which: 'old' }],
];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const results = prompt.flatMap(({ content }) => content).filter(({ type }) => type === 'tool-result');
    const [toolName, input] = calls[results.length] ?? [];
    const content = toolName
      ? { type: 'tool-call', toolCallId: `call_${results.length}`, toolName, input: JSON.stringify(input) }
      : { type: 'text', text: results.map(({ output }) => output.value).join(' / ') };
    return { content: [content], finishReason: { unified: toolName ? 'tool-calls' : 'stop' }, usage, warnings: [] };
  },
});
const inputSchema = jsonSchema({ type: 'object', properties: { which: { type: 'string' } } });
const remove = tool({ inputSchema, needsApproval: true, execute: ({ which }) => `removed ${which}` });
const ab = new Askback();
const options = { model, tools: { askUser: askUser(ab, 'r1'), remove }, stopWhen: stepCountIs(9), prompt: 'Clean up.' };
console.log((await generate(options, ab, 'r1', fileStore(process.argv[2]))).text);
