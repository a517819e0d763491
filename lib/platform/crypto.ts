import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of UTF-8 text, as stored for keys and tokens (they have 256 bits of entropy, so no salt or stretching). */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** An opaque token of `bytes` random bytes in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares two texts in a time that depends on neither; texts of unlike length included. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
