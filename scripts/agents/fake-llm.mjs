// A stand-in for the model behind a real agent. It speaks the Anthropic, OpenAI chat, OpenAI Responses and
// Gemini protocols. It asks one question through the agent's ask tool, waits for the answer as the results tell
// it to, and repeats the answer. `crates/server/askback-agent/src/fake_provider` is stricter and plays a fixed script;
// this one follows what the agent offers and returns.
import { createServer } from 'node:http';

export const QUESTION = {
  questions: [
    {
      question: 'Which database should the service use?',
      header: 'Database',
      multiSelect: false,
      options: [
        { label: 'PostgreSQL', description: 'Grows with you' },
        { label: 'SQLite', description: 'One file' },
      ],
    },
  ],
};

/** Answers look like this, so that no other text can be mistaken for one. */
export const ANSWER = /answer-[0-9a-f]{8}/;

/**
 * Starts the stand-in. `tool` is the name, without a prefix, of the tool to ask with. `onResult(text)` is called
 * with each new tool result and may return a promise: the model is slow to think about it. `answer` finds the answer
 * in a result, and `reply` is what the model says then. To ask again in the same session, `since()` returns a text of the
 * user: what stands before it does not count, and a request without it is none of ours.
 */
export async function startFakeLlm({
  tool = 'ask_user_question',
  input = QUESTION,
  answer = ANSWER,
  reply = (given) => `The user answered: ${given}`,
  since = () => '',
  onResult,
}) {
  const seen = new Set();
  const requests = [];
  let turn = { isEnded: false, isResumed: false };
  let calledAt = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = request.url.split('?')[0];
    const protocol = protocolOf(path);
    if (!protocol || request.method !== 'POST') {
      const models = { object: 'list', data: [{ id: 'fake', object: 'model' }], models: [] };
      return json(response, path.endsWith('/models') ? 200 : 404, models);
    }
    const body = JSON.parse(text);
    const items = body[protocol.items];
    const from = Array.isArray(items) ? items.findIndex((item) => JSON.stringify(item).includes(since())) : 0;
    if (from > 0) body[protocol.items] = items.slice(from);
    const conversation = from < 0 ? { tools: [], results: [] } : protocol.read(body);
    requests.push({ path, conversation });
    const last = conversation.results.at(-1);
    if (last !== undefined && !seen.has(`${conversation.results.length} ${last}`)) {
      seen.add(`${conversation.results.length} ${last}`);
      await onResult?.(last);
    }
    const next = decide(conversation, { tool, input, answer, reply, turn });
    if (next.isEnd) turn.isEnded = true;
    if (next.call) calledAt = Date.now();
    protocol.reply(response, path, body, next);
  });
  await new Promise((started) => server.listen(0, '127.0.0.1', started));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Another session begins, whose results may be the same. */
    forget: () => {
      seen.clear();
      turn = { isEnded: false, isResumed: false };
    },
    /** Whether the model was told to end its turn, and did. */
    hasEndedTurn: () => turn.isEnded,
    /** The user says something after that. */
    resume: () => {
      turn.isResumed = true;
    },
    /** When the model called a tool last. */
    calledAt: () => calledAt,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether a tool result says that there is no answer yet. Some agents quote it once more. */
export const isPending = (result) => /wait_for_answer|end your turn/.test(result) && /status\W+pending/.test(result);

/** What the model says next: a call or a text. */
function decide({ tools, results }, { tool, input, answer, reply, turn }) {
  // Agents put the name of the MCP server in front of the name of the tool.
  const named = (name) => tools.find((it) => new RegExp(`(^|[^A-Za-z])${name}$`).test(it));
  const ask = named(tool);
  // Requests for a title, a summary and the like have no tools.
  if (!ask) return { text: 'OK' };
  const last = results.at(-1);
  if (last === undefined) return { call: ask, input };
  const given = answer.exec(last);
  if (given) return { text: reply(given[0]) };
  if (isPending(last) && /end your turn/.test(last) && !turn.isResumed)
    return { text: 'My question is waiting for you in askback.', isEnd: true };
  const pending = isPending(last) && /inq_[0-9a-z]+/.exec(last);
  // Without a session, `list_questions` says only that there is an answer.
  const answered = /answered_questions/.test(last) && /inq_[0-9a-z]+/.exec(last);
  const wait = pending || answered;
  if (wait) return { call: named('wait_for_answer'), input: { question_id: wait[0] } };
  if (/\[no answer\]/.test(last) || results.length > 8) return { text: `No answer: ${last}` };
  // The agent gave up the call.
  const list = named('list_questions');
  return list && results.length < 4 ? { call: list, input: {} } : { text: `No answer: ${last}` };
}

const protocolOf = (path) => {
  if (path.endsWith('/messages')) return anthropic;
  if (path.endsWith('/chat/completions')) return chat;
  if (path.endsWith('/responses')) return responses;
  return /:(streamG|g)enerateContent$/.test(path) ? gemini : undefined;
};

const text = (content) =>
  typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);

let calls = 0;

const anthropic = {
  items: 'messages',
  read: ({ tools = [], messages }) => ({
    tools: tools.map((tool) => tool.name),
    results: messages
      .flatMap((message) => (Array.isArray(message.content) ? message.content : []))
      .filter((block) => block.type === 'tool_result')
      .map((block) => blocks(block.content)),
  }),
  reply(response, _path, body, next) {
    const id = `toolu_${String(++calls).padStart(8, '0')}`;
    const block = next.call
      ? { type: 'tool_use', id, name: next.call, input: next.input }
      : { type: 'text', text: next.text };
    const stop = next.call ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = { id: `msg_${calls}`, type: 'message', role: 'assistant', model: body.model, usage };
    if (!body.stream)
      return json(response, 200, { ...message, content: [block], stop_reason: stop, stop_sequence: null });
    const start = next.call ? { ...block, input: {} } : { type: 'text', text: '' };
    const delta = next.call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(next.input) }
      : { type: 'text_delta', text: next.text };
    stream(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  },
};

const chat = {
  items: 'messages',
  read: ({ tools = [], messages }) => ({
    tools: tools.map((tool) => tool.function?.name ?? tool.name),
    results: messages.filter((it) => it.role === 'tool').map((it) => blocks(it.content)),
  }),
  reply(response, _path, body, next) {
    const call = {
      index: 0,
      id: `call_${++calls}`,
      type: 'function',
      function: { name: next.call, arguments: JSON.stringify(next.input) },
    };
    const message = next.call
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: next.text };
    const finish = next.call ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const base = { id: 'chatcmpl-1', created: 1, model: body.model };
    if (!body.stream) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      return json(response, 200, { ...base, object: 'chat.completion', choices, usage });
    }
    const chunk = (delta, finish_reason = null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
    stream(response, [
      chunk(message),
      chunk({}, finish),
      { ...base, object: 'chat.completion.chunk', choices: [], usage },
      '[DONE]',
    ]);
  },
};

const responses = {
  items: 'input',
  read: ({ tools = [], input }) => ({
    // Codex puts the tools of an MCP server into a namespace.
    tools: tools.flatMap((tool) =>
      tool.type === 'namespace' ? tool.tools.map((it) => `${tool.name} ${it.name}`) : [tool.name ?? ''],
    ),
    results: (Array.isArray(input) ? input : [])
      .filter((item) => item.type === 'function_call_output')
      .map((item) => blocks(item.output)),
  }),
  reply(response, _path, body, next) {
    const [namespace, name] = next.call?.includes(' ') ? next.call.split(' ') : [undefined, next.call];
    const item = next.call
      ? {
          type: 'function_call',
          id: `fc_${++calls}`,
          call_id: `call_${calls}`,
          name,
          ...(namespace && { namespace }),
          arguments: JSON.stringify(next.input),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `msg_${++calls}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: next.text, annotations: [] }],
        };
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    };
    const whole = { id: 'resp_1', object: 'response', created_at: 1, model: body.model };
    const done = { ...whole, status: 'completed', output: [item], usage };
    if (!body.stream) return json(response, 200, done);
    stream(response, [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: done },
    ]);
  },
};

const gemini = {
  items: 'contents',
  read: ({ tools = [], contents }) => ({
    tools: tools.flatMap((it) => it.functionDeclarations ?? []).map((it) => it.name),
    results: contents
      .flatMap((content) => content.parts ?? [])
      .filter((part) => part.functionResponse)
      .map((part) => text(part.functionResponse.response)),
  }),
  reply(response, path, _body, next) {
    const part = next.call
      ? { functionCall: { name: next.call, args: next.input } }
      : { text: next.text };
    const reply = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'fake',
    };
    if (path.endsWith(':streamGenerateContent')) stream(response, [reply]);
    else json(response, 200, reply);
  },
};

/** The text of a tool result: a string, or blocks with texts. */
function blocks(content) {
  if (!Array.isArray(content)) return text(content);
  return content.map((block) => block.text ?? text(block)).join('\n');
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
