import { createHmac, timingSafeEqual } from 'node:crypto';

import type { InquiryJson } from './errors.js';

/**
 * Checks a webhook delivery and returns its JSON. Throws if it is forged or older than five minutes. `body` is the request
 * body exactly as it arrived, `signature` its `askback-signature` header, and `secret` what `askback webhook-secret`
 * prints. A delivery may come twice, with the same `webhook-id` header.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  signature: string,
  secret: string,
  now = Date.now(),
): { type: string; inquiry: InquiryJson } {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const sentAt = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!parts.some(([name, mac]) => name === 'v1' && isMac(mac, secret, `${sentAt}.${text}`))) {
    throw new Error('the signature does not match the body');
  }
  if (!(Math.abs(now / 1000 - Number(sentAt)) <= 300)) throw new Error('the delivery is too old, or a clock is wrong');
  return JSON.parse(text);
}

/** Whether this is the HMAC-SHA256 of a message, in hexadecimal digits. */
export function isMac(mac: unknown, secret: string, message: string): boolean {
  const given = Buffer.from(String(mac));
  const expected = Buffer.from(createHmac('sha256', secret).update(message).digest('hex'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
