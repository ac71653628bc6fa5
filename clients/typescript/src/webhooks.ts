import { equal, sign } from './server.js';
import type { InquiryJson } from './wire.js';

/** The delivery is not from a server with this secret, or is too old. */
export class InvalidSignature extends Error {
  override name = 'InvalidSignature';
}

/**
 * Checks a webhook delivery and returns its JSON. `body` is the request body exactly as it arrived, `signature` its
 * `askback-signature` header, and `secret` what `askback webhook-secret` prints. A delivery older than five minutes is
 * refused, so that nobody can replay it.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  signature: string,
  secret: string,
  now = Date.now(),
): Promise<{ type: string; inquiry: InquiryJson }> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  if (times.length !== 1 || !/^\d+$/.test(times[0] ?? '')) throw new InvalidSignature('the signature has no time');
  if (Math.abs(now / 1000 - Number(times[0])) > 300) throw new InvalidSignature('the delivery is too old');
  const expected = await sign(secret, `${times[0]}.${text}`);
  if (!parts.some(([name, value]) => name === 'v1' && equal(value ?? '', expected))) {
    throw new InvalidSignature('the signature does not match the body');
  }
  return JSON.parse(text);
}
