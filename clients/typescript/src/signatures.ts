import type { InquiryJson } from './errors.js';

/**
 * Checks a webhook delivery and returns its JSON. Throws if it is forged or older than five minutes, so that nobody can
 * replay it. `body` is the request body exactly as it arrived, `signature` its `askback-signature` header, and `secret`
 * what `askback webhook-secret` prints.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  signature: string,
  secret: string,
  now = Date.now(),
): Promise<{ type: string; inquiry: InquiryJson }> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const sentAt = parts.find(([name]) => name === 't')?.[1] ?? '';
  const macs = parts.filter(([name]) => name === 'v1').map(([, mac]) => isMac(mac, secret, `${sentAt}.${text}`));
  if (!(await Promise.all(macs)).includes(true)) throw new Error('the signature does not match the body');
  if (!(Math.abs(now / 1000 - Number(sentAt)) <= 300)) throw new Error('the delivery is too old, or a clock is wrong');
  return JSON.parse(text);
}

/** Whether this is the HMAC-SHA256 of a message, in hexadecimal digits. */
export async function isMac(mac: unknown, secret: string, message: string): Promise<boolean> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const digits = String(mac).match(/[0-9a-f]{2}/g) ?? [];
  return crypto.subtle.verify('HMAC', key, Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)), bytes(message));
}
