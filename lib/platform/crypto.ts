import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of UTF-8 text. Stored for keys and tokens, which need no salt or stretching: they have 256 bits of entropy. */
export function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer');
}

/** Returns `bytes` random bytes in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares two texts in constant time, whatever their lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
