// A scripted model asks the user and calls a tool that needs approval: openai.mjs FILE
import { Agent, setTracingDisabled, tool, Usage } from '@openai/agents';

import { askUser, fileStore, run } from '../../dist/adapters/openai-agents.js';
import { Askback } from '../../dist/index.js';

setTracingDisabled(true);
const calls = [
  ['ask_user', { question: 'Which backups?', choices: ['old', 'all'] }],
  ['remove', { which: 'old' }],
];
const model = {
  async getResponse({ input }) {
    const items = typeof input === 'string' ? [] : input;
    const results = items.filter(({ type }) => type === 'function_call_result');
    const [name, args] = calls[results.length] ?? [];
    const text = results.map(({ output }) => output.text ?? output).join(' / ');
    const output = name
      ? { type: 'function_call', callId: `call_${results.length}`, name, status: 'completed', arguments: JSON.stringify(args) }
      : { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
    return { usage: new Usage(), output: [output] };
  },
};
const parameters = { type: 'object', properties: { which: { type: 'string' } }, required: ['which'], additionalProperties: false };
const remove = tool({
  name: 'remove',
  description: 'Removes backups.',
  parameters,
  needsApproval: true,
  execute: ({ which }) => `removed ${which}`,
});
const ab = new Askback();
const agent = new Agent({ name: 'janitor', model, tools: [remove, askUser(ab, 'r1')] });
console.log((await run(agent, 'Clean up.', ab, 'r1', fileStore(process.argv[2]))).finalOutput);
