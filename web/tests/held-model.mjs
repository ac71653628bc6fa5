// A model behind the Chat Completions API that replies when the test says so, and never before.
import { createServer } from 'node:http';

/** Starts one. A server uses it with `arguments` and `env`. */
export async function heldModel() {
  /** Requests without a reply, and calls of `reply` without a request. */
  const requests = [];
  const replies = [];
  const match = () => {
    while (requests.length > 0 && replies.length > 0) replies.shift()(requests.shift());
  };
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      requests.push(response);
      match();
    });
    // A request that was stopped is not replied to.
    response.once('close', () => {
      if (requests.includes(response)) requests.splice(requests.indexOf(response), 1);
    });
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    arguments: [
      ...['--provider', 'openai', '--model', 'held'],
      ...['--base-url', `http://127.0.0.1:${server.address().port}/v1`],
    ],
    env: { OPENAI_API_KEY: 'a-key-for-the-tests' },
    /** Replies to the oldest request that waits, or else to the next one. */
    async reply({ say, calls = [] }) {
      const response = await new Promise((resolve) => {
        replies.push(resolve);
        match();
      });
      const tool_calls = calls.map(({ tool, input }, index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      }));
      const chunk = (delta, finish_reason = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'held', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
        );
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const word of say.split(/(?<=\s)/)) chunk({ role: 'assistant', content: word });
      if (calls.length > 0) chunk({ tool_calls });
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop');
      response.end('data: [DONE]\n\n');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
