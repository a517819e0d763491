import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '@/lib/platform/crypto';
import { keyedHash } from '@/lib/platform/keyed-hash';

/**
 * Hashes the password of a tunnel's basic authentication. Uses a keyed hash instead of bcrypt, because every public request
 * is checked (docs/decisions/038-the-password-of-a-tunnel.md).
 */
export function hashTunnelPassword(tunnelId: string, password: string): Buffer<ArrayBuffer> {
  return Buffer.from(keyedHash(`${tunnelId}\0${password}`, 'tunnel password'));
}

/** Whether the password has this hash. Compares in constant time. */
export function isTunnelPassword(tunnelId: string, password: string, passwordHash: Uint8Array): boolean {
  return timingSafeEqual(sha256Of(hashTunnelPassword(tunnelId, password)), sha256Of(passwordHash));
}

/** Hashes to a fixed length, which `timingSafeEqual` requires. */
function sha256Of(bytes: Uint8Array): Buffer {
  return sha256(Buffer.from(bytes).toString('hex'));
}
