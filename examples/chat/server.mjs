// A chat whose model asks the user, in the page, with <askback-question>: node server.mjs [PORT]
// The model is a script: it plans a trip, asks how to travel, and replies with the answer. Replace it by a real one.
// Start askback with: askback serve --allow-origin http://127.0.0.1:8080
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Askback } from '@askback/client';
import { askUser } from '@askback/client/ai-sdk';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const ab = new Askback({ source: 'trip planner' });
const page = readFileSync(new URL('./page.html', import.meta.url));
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** Calls the tool first. Once the answer is among the messages, replies with it. */
const scriptedModel = () =>
  new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const result = prompt.flatMap(({ content }) => content).find(({ type }) => type === 'tool-result');
      if (result) {
        const text = `Then we go by ${result.output.value}.`;
        return { content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] };
      }
      const input = JSON.stringify({ question: 'How do you want to travel?', choices: ['train', 'bicycle', 'boat'] });
      const call = { type: 'tool-call', toolCallId: 'travel', toolName: 'askUser', input };
      return { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
    },
  });

/** Writes a line of JSON for the question as soon as it is asked, and one for the reply. */
async function chat(prompt, write) {
  const run = `chat/${crypto.randomUUID()}`;
  const tools = { askUser: askUser(ab, run, ({ id }) => write({ inquiry: id })) };
  const { text } = await generateText({ model: scriptedModel(), tools, prompt, stopWhen: stepCountIs(5) });
  write({ reply: text });
}

async function handle(request, response) {
  if (request.method === 'POST') {
    const parts = [];
    for await (const part of request) parts.push(part);
    response.setHeader('content-type', 'application/x-ndjson');
    await chat(Buffer.concat(parts).toString(), (line) => response.write(`${JSON.stringify(line)}\n`));
    return response.end();
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => response.destroy(error));
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
