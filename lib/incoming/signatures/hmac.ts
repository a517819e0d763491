import { createHmac, timingSafeEqual } from 'node:crypto';

/** A provider sends few signatures; a stranger may send many. */
const MAX_SIGNATURES = 10;

/** Returns the HMAC-SHA-256 of the concatenated parts. */
export function hmacSha256(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/**
 * Whether any presented signature equals an expected one, in time that does not depend on their content. Checks only the
 * first ten.
 */
export function matchesAny(presented: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let found = false;
  for (const signature of presented.slice(0, MAX_SIGNATURES)) {
    for (const digest of expected) {
      if (signature.length === digest.length && timingSafeEqual(signature, digest)) found = true;
    }
  }
  return found;
}

/** Decodes 64 hexadecimal digits; an empty buffer for anything else. */
export function decodeHex(text: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.alloc(0);
}

/** Decodes the base64 of 32 bytes; an empty buffer for anything else. */
export function decodeBase64(text: string): Buffer {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}
