// The real server for tests: started, killed, and asked over HTTP.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

const BINARY = process.env.ASKBACK_BIN ?? new URL('../../../target/debug/askback', import.meta.url).pathname;

/** Returns what the condition returns as soon as that is true. The machine may be busy. */
export async function waitFor(condition) {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const found = await condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`did not become true: ${condition}`);
}

/** `askback serve` with a data directory of its own. A restarted server has another port. */
export class Server {
  directory = mkdtempSync(`${tmpdir()}/askback-client-`);

  async start() {
    const file = `${this.directory}/server.json`;
    rmSync(file, { force: true });
    const listen = ['serve', '--listen', '127.0.0.1:0', '--data', this.directory];
    this.process = spawn(BINARY, listen, { stdio: 'ignore', env: { ...process.env, HOME: this.directory } });
    await waitFor(() => {
      try {
        this.found = JSON.parse(readFileSync(file, 'utf8'));
        return true;
      } catch {
        return false;
      }
    });
  }

  /** kill -9. */
  async kill() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
  }

  async request(method, path, body) {
    const { address, token } = this.found;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Waits until a question is pending, and answers it and those that follow in the same inquiry. */
  async answer(text, ...values) {
    const inquiry = await waitFor(async () => {
      const { items } = await this.request('GET', '/inquiries?status=pending&limit=200');
      return items.find(({ questions }) => questions[0].text === text);
    });
    const answers = Object.fromEntries(inquiry.questions.map(({ id }, at) => [id, values[at]]));
    return this.request('POST', `/inquiries/${inquiry.id}/answer`, { answers });
  }
}
