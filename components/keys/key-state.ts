import type { ApiKey } from '@/lib/keys/schema';

const EXPIRING_MS = 7 * 24 * 60 * 60 * 1000;

export type KeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

/** Returns the state that a badge shows. A key that expires within seven days is `expiring`. */
export function keyStateOf(key: Pick<ApiKey, 'status' | 'expiresAt'>, now: Date): KeyState {
  if (key.status === 'REVOKED') return 'revoked';
  const endsInMs =
    key.expiresAt === null ? Number.POSITIVE_INFINITY : new Date(key.expiresAt).getTime() - now.getTime();
  // The key may have expired since it was loaded.
  if (key.status === 'EXPIRED' || endsInMs <= 0) return 'expired';
  if (key.status === 'ROTATING') return 'rotating';
  return endsInMs <= EXPIRING_MS ? 'expiring' : 'active';
}

/** Why a key cannot be rotated; undefined when it can. See docs/specification.md#api-keys. */
export function rotateDisabledReason(
  key: Pick<ApiKey, 'status' | 'expiresAt' | 'replacedById'>,
  now: Date,
): string | undefined {
  if (key.replacedById !== null) return 'This key has already been rotated. Rotate its replacement instead.';
  const state = keyStateOf(key, now);
  if (state === 'expired') return 'This key has expired. Create a new one.';
  return state === 'revoked' ? 'This key was revoked. Create a new one.' : undefined;
}
