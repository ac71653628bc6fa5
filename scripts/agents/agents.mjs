// The agents that scripts/real-agents can drive: how each is installed, pointed to the fake model, and run once
// without a person. `askback install` writes the part of the settings that concerns askback.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The marketplace with the plugins of askback: this repository. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROMPT = 'Ask me which database the service should use, then repeat my answer.';

/** Writes a settings file in the agent's home directory. */
function settings(home, file, text) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), typeof text === 'string' ? text : JSON.stringify(text, null, 2));
}

/** The keys from the first choice of a list to this one. */
const downTo = ({ digit }) => Array.from({ length: Number(digit) - 1 }, () => 'Down');

/** Changes a JSON settings file. */
function change(home, file, edit) {
  const json = JSON.parse(readFileSync(join(home, file), 'utf8'));
  edit(json);
  writeFileSync(join(home, file), JSON.stringify(json, null, 2));
}

const claudeEnv = (url) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'dummy',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
});
/** What Claude Code asks at a first start. Auto mode needs a server that checks each call. */
export const AUTO_MODE_OFFER = { shows: /❯ Yes, set auto mode/, keys: ['Down', 'Enter'] };
const claudeWindow = {
  command: ['claude'],
  // The first start asks the network whether it may run.
  prepare: (home) => {
    settings(home, '.claude.json', { hasCompletedOnboarding: true, theme: 'dark' });
    settings(home, '.claude/settings.json', { permissions: { defaultMode: 'default' } });
  },
  ready: /shift\+tab to cycle|for shortcuts/,
  start: [
    { shows: /Choose the text style/, keys: ['Enter'] },
    { shows: /Detected a custom API key/, keys: ['Up', 'Enter'] },
    { shows: /Press Enter to continue/, keys: ['Enter'] },
    AUTO_MODE_OFFER,
    { shows: /❯ No, exit/, keys: ['Down', 'Enter'] },
  ],
  permission: [{ name: 'may I call the tool', shows: /Do you want to proceed/, keys: ['Enter'] }],
};
const streamJson = resolve(import.meta.dirname, '../../examples/claude-stream-json.mjs');

/**
 * `npm`: the package. `run`: the command line. `env`: variables with the fake model's address. `prepare`: settings
 * that the agent needs before `askback install`. `shortTimeout`: makes the agent give up a tool call after a few
 * seconds, for agents that have a setting for it. `install`: other arguments of `askback install`. `tool`: another
 * tool to ask with. `plugin`: the commands that install askback's plugin instead. `connected`: lists its MCP servers with their
 * state. `namesProject`: the agent names its project over HTTP, too.
 *
 * `title`: its name in a document. `window`: how the agent is used by a person. `command` opens its window, `ready` is what the screen shows when it takes
 * a message. `start` and `permission` are prompts with the keys that answer them: those before the first message, and
 * those before a question. `dialog`: its own dialog for a question.
 */
export const AGENTS = {
  'claude-code': {
    npm: '@anthropic-ai/claude-code',
    namesProject: true,
    install: ['claude-code', '--mcp'],
    plugin: [
      ['claude', 'plugin', 'marketplace', 'add', REPOSITORY],
      ['claude', 'plugin', 'install', 'askback@askback'],
    ],
    connected: ['claude', 'mcp', 'list'],
    run: ['claude', '-p', PROMPT, '--allowedTools', 'mcp__askback', 'mcp__plugin_askback_askback'],
    title: 'Claude Code, `--mcp`',
    window: claudeWindow,
    env: claudeEnv,
    shortTimeout: (home) =>
      change(home, '.claude.json', (json) => {
        json.mcpServers.askback.timeout = 5000;
      }),
  },
  // Its own AskUserQuestion tool, answered by the hook. The example must not be asked.
  'claude-code, hook': {
    npm: '@anthropic-ai/claude-code',
    tool: 'AskUserQuestion',
    title: 'Claude Code (its own tool, through the hook)',
    window: claudeWindow,
    install: ['claude-code'],
    plugin: [
      ['claude', 'plugin', 'marketplace', 'add', REPOSITORY],
      ['claude', 'plugin', 'install', 'askback-hook@askback'],
    ],
    run: [process.execPath, streamJson, PROMPT],
    env: (url) => ({ ...claudeEnv(url), ASKBACK: 'false' }),
    onlyAtOnce: true,
  },
  // The same without the hook, through the control protocol.
  'claude-code, stream-json': {
    npm: '@anthropic-ai/claude-code',
    tool: 'AskUserQuestion',
    install: [],
    run: [process.execPath, streamJson, PROMPT],
    env: claudeEnv,
    onlyAtOnce: true,
  },
  codex: {
    title: 'Codex',
    npm: '@openai/codex',
    window: {
      command: ['codex'],
      ready: /context left|for shortcuts/,
      start: [{ shows: /Do you trust|Yes, continue|Trust and continue/, keys: ['Enter'] }],
      permission: [{ name: 'may I call the tool', shows: /Allow the askback MCP server/, keys: ['Enter'] }],
      dialog: { shows: /Field 1/, keys: (choice) => [...downTo(choice), 'Enter'] },
    },
    plugin: [
      ['codex', 'plugin', 'marketplace', 'add', REPOSITORY],
      ['codex', 'plugin', 'add', 'askback@askback'],
    ],
    run: ['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    env: () => ({ FAKE_KEY: 'dummy' }),
    prepare: (home, url) =>
      settings(
        home,
        '.codex/config.toml',
        `model = "fake"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\n` +
          'env_key = "FAKE_KEY"\nwire_api = "responses"\n',
      ),
    shortTimeout: (home) => {
      const file = join(home, '.codex/config.toml');
      const text = readFileSync(file, 'utf8').replace(/tool_timeout_sec = \d+\n/, '');
      writeFileSync(file, text.replace('[mcp_servers.askback]\n', '$&tool_timeout_sec = 5\n'));
    },
  },
  gemini: {
    title: 'Gemini CLI',
    npm: '@google/gemini-cli',
    // It asks whether to trust the directory.
    plugin: [['/bin/sh', '-c', `yes | gemini extensions install '${join(REPOSITORY, 'plugins/askback')}' --consent`]],
    connected: ['gemini', 'mcp', 'list'],
    window: {
      command: ['gemini', '-m', 'gemini-2.5-pro'],
      // It asks whether it may trust the directory, and starts anew.
      ready: /webshop +no sandbox/,
      start: [{ shows: /^(?![^]*is restarting)[^]*Do you trust/, keys: ['Enter'] }],
      permission: [{ name: 'may I call the tool', shows: /Allow execution of MCP tool/, keys: ['Enter'] }],
    },
    run: ['gemini', '-p', PROMPT, '--yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' }),
    prepare: (home) =>
      settings(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    shortTimeout: (home) =>
      change(home, '.gemini/settings.json', (json) => {
        json.mcpServers.askback.timeout = 5000;
      }),
  },
  opencode: {
    title: 'opencode',
    npm: 'opencode-ai',
    window: {
      command: ['opencode', '-m', 'fake/fake'],
      ready: /Ask anything/,
    },
    run: ['opencode', 'run', '-m', 'fake/fake', PROMPT],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    prepare: (home, url) =>
      settings(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: { fake: { name: 'fake' } },
          },
        },
      }),
    shortTimeout: (home) =>
      change(home, '.config/opencode/opencode.json', (json) => {
        json.mcp.askback.timeout = 5000;
      }),
  },
  copilot: {
    title: 'Copilot CLI',
    npm: '@github/copilot',
    window: {
      command: ['copilot'],
      ready: /\/ commands/,
      start: [{ shows: /Do you trust|Confirm folder trust/, keys: ['Enter'] }],
    },
    namesProject: true,
    run: ['copilot', '-p', PROMPT, '--allow-all-tools'],
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_OFFLINE: 'true',
    }),
    shortTimeout: (home) =>
      change(home, '.copilot/mcp-config.json', (json) => {
        json.mcpServers.askback.timeout = 5000;
      }),
  },
  qwen: {
    title: 'Qwen Code',
    npm: '@qwen-code/qwen-code',
    window: {
      command: ['qwen', '--auth-type', 'openai'],
      ready: /Type your message/,
      permission: [{ name: 'may I call the tool', shows: /Yes, allow once/, keys: ['Enter'] }],
    },
    run: ['qwen', PROMPT, '--yolo', '--auth-type', 'openai'],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'dummy', OPENAI_MODEL: 'fake' }),
    shortTimeout: (home) =>
      change(home, '.qwen/settings.json', (json) => {
        json.mcpServers.askback.timeout = 5000;
      }),
  },
  kimi: {
    title: 'Kimi Code',
    npm: '@moonshot-ai/kimi-code',
    window: {
      command: ['kimi'],
      ready: /context:|\/help/,
      start: [{ shows: /trust/i, keys: ['Enter'] }],
      permission: [{ name: '"Approve for this session"', shows: /Approve for this session/, keys: ['Down', 'Enter'] }],
    },
    run: ['kimi', '-p', PROMPT],
    env: (url) => ({
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_API_KEY: 'dummy',
      KIMI_MODEL_NAME: 'fake',
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_MAX_CONTEXT_SIZE: '100000',
    }),
    shortTimeout: (home) =>
      change(home, '.kimi-code/mcp.json', (json) => {
        json.mcpServers.askback.toolTimeoutMs = 5000;
      }),
  },
  cline: {
    title: 'Cline',
    npm: 'cline',
    window: {
      command: ['cline'],
      ready: /^(?![^]*any other key to close)[^]*Auto-approve/,
      start: [{ shows: /any other key to close/, keys: ['Escape'] }],
    },
    run: ['cline', PROMPT],
    env: () => ({}),
    login: (url) => [
      ['cline', 'auth', '-p', 'openai-compatible', '-k', 'dummy', '-m', 'fake', '-b', `${url}/v1`],
    ],
    // No shortTimeout: Cline does not tell the server that it gave up a call, so the answer counts as delivered to
    // that call. `askback install` keeps the hold window below Cline's time-out.
  },
  continue: {
    title: 'Continue',
    npm: '@continuedev/cli',
    window: {
      // Without the flag it asks for a key first.
      command: ['/bin/sh', '-c', 'exec cn --config "$HOME/.continue/config.yaml"'],
      ready: /Ask anything|for slash commands/,
      permission: [{ name: '"Continue + don\'t ask again"', shows: /Would you like to continue/, keys: ['BTab'] }],
    },
    run: ['cn', '-p', PROMPT, '--auto'],
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    prepare: (home, url) =>
      settings(
        home,
        '.continue/config.yaml',
        'name: Local Config\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: fake\n    provider: openai\n' +
          `    model: fake\n    apiBase: ${url}/v1\n    apiKey: dummy\n    capabilities:\n      - tool_use\n    roles:\n      - chat\n`,
      ),
  },
};

/** The installed version of an agent. */
export function version(modules, name) {
  return JSON.parse(readFileSync(join(modules, AGENTS[name].npm, 'package.json'), 'utf8')).version;
}
