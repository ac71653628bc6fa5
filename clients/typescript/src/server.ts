// Which server to ask: `ASKBACK_URL`, or the one that runs for the data directory.

import { Unreachable } from './errors.js';

export interface ConnectOptions {
  /** By default `ASKBACK_URL`; without either, the server of the data directory. */
  url?: string;
  /** By default `ASKBACK_TOKEN`, or what is in the file that `ASKBACK_TOKEN_FILE` names. */
  token?: string;
  /** The data directory; by default `ASKBACK_DATA`, else that of `askback serve`. */
  data?: string;
}

export interface Server {
  url: string;
  token: string;
  /** Whether the address is from `server.json`: another program may listen there by now. */
  mustProve: boolean;
}

type Environment = Record<string, string | undefined>;
const environment = (): Environment => (globalThis as { process?: { env: Environment } }).process?.env ?? {};

/** Reads environment and files anew each time: a restarted server may have another address. */
export async function findServer({ url, token, data }: ConnectOptions): Promise<Server> {
  const env = environment();
  url ||= env.ASKBACK_URL;
  if (data || !url) return runningServer(data || dataDirectory(env));
  token ||= env.ASKBACK_TOKEN;
  if (!token && env.ASKBACK_TOKEN_FILE) token = (await files()).readFileSync(env.ASKBACK_TOKEN_FILE, 'utf8').trim();
  return { url: url.replace(/\/+$/, ''), token: token ?? '', mustProve: false };
}

/** Only where there are files: the rest of this client also runs in browsers. */
const files = () => import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs');

const dataDirectory = (env: Environment) =>
  env.ASKBACK_DATA || `${env.XDG_DATA_HOME || `${env.HOME ?? ''}/.local/share`}/askback`;

async function runningServer(directory: string): Promise<Server> {
  const { readFileSync, statSync } = await files();
  const file = `${directory}/server.json`;
  let found: { address: string; token: string };
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw new Unreachable(`${file} cannot be read: ${error}`);
    throw new Unreachable(
      `no server runs for ${directory}: start one with \`askback serve\`, or set ASKBACK_URL`,
    );
  }
  if (globalThis.process?.platform !== 'win32' && statSync(file).mode & 0o077) {
    throw new Unreachable(`other users can read ${file}: make it private (mode 600)`);
  }
  const url = found.address.includes('://') ? found.address : `http://${found.address}`;
  return { url: url.replace(/\/+$/, ''), token: found.token, mustProve: true };
}

/** Lets the server prove that it knows the token. Nothing secret is sent before. */
export async function prove({ url, token }: Server, signal?: AbortSignal): Promise<void> {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const response = await fetch(`${url}/server/proof?nonce=${nonce}`, { signal: signal ?? null, redirect: 'error' });
  const { proof } = (await response.json().catch(() => ({}))) as { proof?: unknown };
  const expected = await sign(token, `askback server proof 1\n${url}\n${nonce}`);
  if (typeof proof !== 'string' || !equal(proof, expected)) {
    throw new Unreachable(`the program at ${url} is not the server of the data directory`);
  }
}

/** HMAC-SHA256 in hexadecimal digits. */
export async function sign(secret: string, message: string | Uint8Array): Promise<string> {
  const bytes = (value: string | Uint8Array) =>
    (typeof value === 'string' ? new TextEncoder().encode(value) : value) as Uint8Array<ArrayBuffer>;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  return hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(message))));
}

/** Compares in a time that does not depend on where the texts differ. */
export function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
