import type { ApiKey } from '@/lib/keys/schema';

const EXPIRING_MS = 7 * 24 * 60 * 60 * 1000;

export type KeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

/** What a key's badge says. A key that ends within seven days is told apart from one that lives on. */
export function keyStateOf(key: Pick<ApiKey, 'status' | 'expiresAt'>, now: Date): KeyState {
  if (key.status === 'REVOKED') return 'revoked';
  const endsInMs =
    key.expiresAt === null ? Number.POSITIVE_INFINITY : new Date(key.expiresAt).getTime() - now.getTime();
  // The answer may be older than the key's end.
  if (key.status === 'EXPIRED' || endsInMs <= 0) return 'expired';
  if (key.status === 'ROTATING') return 'rotating';
  return endsInMs <= EXPIRING_MS ? 'expiring' : 'active';
}

/** Why a key cannot be rotated; undefined when it can (spec 5.4.7, CONTRACT 4). */
export function rotateDisabledReason(
  key: Pick<ApiKey, 'status' | 'expiresAt' | 'replacedById'>,
  now: Date,
): string | undefined {
  if (key.replacedById !== null) return 'It was rotated before: rotate its replacement.';
  const state = keyStateOf(key, now);
  if (state === 'expired') return 'It has expired: create a new key.';
  return state === 'revoked' ? 'It is revoked: create a new key.' : undefined;
}
