// Runs Claude Code without a terminal and answers its questions from askback:
//
//   node examples/claude-stream-json.mjs "Plan a small web service"
//
// Claude Code has its AskUserQuestion tool only if somebody can answer. With `--permission-prompt-tool stdio`, it
// sends each question as a control request on standard output and waits for a control response. `askback hook
// claude-code` turns one into the other. ASKBACK is the askback binary; further arguments go to Claude Code.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [prompt, ...more] = process.argv.slice(2);
const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
const claude = spawn('claude', ['-p', ...stream, '--permission-prompt-tool', 'stdio', ...more], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const send = (message) => claude.stdin.write(`${JSON.stringify(message)}\n`);

/** The decision of askback about a question. It waits as long as the question is open. */
function decide({ tool_name, tool_use_id, input }) {
  const hook = spawn(process.env.ASKBACK ?? 'askback', ['hook', 'claude-code'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const call = { hook_event_name: 'PreToolUse', tool_name, tool_use_id, tool_input: input, cwd: process.cwd() };
  hook.stdin.end(JSON.stringify(call));
  let output = '';
  hook.stdout.on('data', (chunk) => (output += chunk));
  return new Promise((done) => {
    hook.on('close', (code) => {
      const decision = code === 0 ? JSON.parse(output).hookSpecificOutput : {};
      if (decision.permissionDecision === 'allow')
        return done({ behavior: 'allow', updatedInput: decision.updatedInput });
      const message = decision.permissionDecisionReason ?? 'The user could not be asked. Nothing was chosen.';
      done({ behavior: 'deny', message });
    });
  });
}

send({ type: 'user', message: { role: 'user', content: prompt } });
for await (const line of createInterface({ input: claude.stdout })) {
  const message = JSON.parse(line);
  if (message.type === 'control_request' && message.request.subtype === 'can_use_tool') {
    const { request, request_id } = message;
    const response =
      request.tool_name === 'AskUserQuestion'
        ? await decide(request)
        : { behavior: 'deny', message: 'Nobody is there to allow this.' };
    send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  } else if (message.type === 'result') {
    console.log(message.result);
    claude.stdin.end();
  }
}
