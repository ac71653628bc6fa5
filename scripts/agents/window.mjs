// A program in a terminal window: a session of tmux with a server of its own, so that nothing of the user's tmux
// settings applies and nothing is left behind.
import { execFileSync } from 'node:child_process';

const WIDTH = 110;
const HEIGHT = 40;
/** How often the screen is looked at. */
const POLL_MS = 200;
/** How long a screen may take to show what is waited for: agents start slowly on a busy machine. */
const SCREEN_MAX_MS = Number(process.env.SCREEN_MAX ?? 180_000);

export const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));

export class Window {
  #socket;

  /** Starts `command` in `cwd` with exactly the variables of `env`. */
  constructor(name, command, { env, cwd }) {
    this.#socket = name;
    const assigned = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    this.#tmux(
      ...['-f', '/dev/null', 'new-session', '-d', '-s', 'w', '-x', String(WIDTH), '-y', String(HEIGHT), '-c', cwd],
      ...['env', '-i', ...assigned, 'TERM=tmux-256color', 'LANG=C.UTF-8', ...command],
    );
    // What it said last can be read after it has ended.
    this.#tmux('set-option', '-g', 'remain-on-exit', 'on');
  }

  #tmux(...args) {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** What is on the screen now. */
  screen() {
    const rows = this.#tmux('capture-pane', '-p', '-t', 'w').split('\n');
    return rows.map((row) => row.trimEnd()).join('\n').trimEnd();
  }

  /** Presses keys, by their names in tmux. */
  async press(...keys) {
    for (const key of keys) {
      this.#tmux('send-keys', '-t', 'w', key);
      await pause(300);
    }
  }

  /** Types a text as it is. */
  type(text) {
    this.#tmux('send-keys', '-t', 'w', '-l', text);
  }

  /** Waits until the screen shows `wanted`, a pattern. `meanwhile(screen)` may press keys. */
  async waitFor(wanted, meanwhile) {
    const end = Date.now() + SCREEN_MAX_MS;
    for (;;) {
      const screen = this.screen();
      if (wanted.test(screen)) return screen;
      if (Date.now() > end) throw new Error(`the window does not show ${wanted}:\n${screen}`);
      await meanwhile?.(screen);
      await pause(POLL_MS);
    }
  }

  /** What is on the screen, or nothing if the terminal has gone. */
  lastScreen() {
    try {
      return this.screen();
    } catch {
      return '';
    }
  }

  close() {
    try {
      this.#tmux('kill-server');
    } catch {
      // It has ended.
    }
  }
}
