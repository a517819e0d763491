import type { ApiKey } from '@/lib/keys/schema';

const SOON_MS = 30 * 86_400_000;

/** Returns the working keys that expire within 30 days, the first one first. The end of a rotated key is that of its grace period. */
export function keysExpiringSoon(keys: readonly ApiKey[], now: Date): { id: string; name: string; endsAt: string }[] {
  return keys
    .filter(({ status }) => status === 'ACTIVE' || status === 'ROTATING')
    .flatMap(({ id, name, expiresAt }) => (expiresAt === null ? [] : [{ id, name, endsAt: expiresAt }]))
    .filter(({ endsAt }) => Date.parse(endsAt) - now.getTime() < SOON_MS)
    .sort((a, b) => a.endsAt.localeCompare(b.endsAt));
}
