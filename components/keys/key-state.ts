import { inPreferredZone, showsUtc } from '@/components/ui/time-zone';
import type { EventListItem } from '@/lib/events/schema';
import type { ApiKey, KeyScope } from '@/lib/keys/schema';

/** The label and description of each scope. */
export const SCOPES: Record<KeyScope, { label: string; description: string }> = {
  READ_WRITE: { label: 'Read and write', description: 'Sends and reads events. For servers that send events.' },
  READ_ONLY: { label: 'Read only', description: 'Reads events and deliveries. Sending events fails with 403.' },
};

const EXPIRING_MS = 7 * 24 * 60 * 60 * 1000;

/** The time of the last use is up to a minute late, and people wait for the first one. */
const NEW_MS = 5 * 60 * 1000;

/** Says that a key has not been used: a new one may have been, a moment ago. */
export function describeUnused({ createdAt }: Pick<ApiKey, 'createdAt'>, now: Date): string {
  return now.getTime() - Date.parse(createdAt) < NEW_MS ? 'Not yet (up to a minute late)' : 'Never';
}

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

const HOUR_MS = 3_600_000;

/** Returns when a key ends if it is rotated now: its grace period, or its own expiry when that is sooner. */
export function rotationEnd(
  key: Pick<ApiKey, 'expiresAt'>,
  graceHours: number,
  now: Date,
): { at: Date; isOwnExpiry: boolean } {
  const graceEnd = new Date(now.getTime() + graceHours * HOUR_MS);
  const ownEnd = key.expiresAt === null ? null : new Date(key.expiresAt);
  const isOwnExpiry = ownEnd !== null && ownEnd < graceEnd;
  return { at: isOwnExpiry ? ownEnd : graceEnd, isOwnExpiry };
}

/** Formats a time as "21 Nov 13:05 UTC+1", with the year when it is not the current one. */
export function formatEnd(at: Date, now: Date): string {
  const year = yearOf(at) === yearOf(now) ? {} : ({ year: 'numeric' } as const);
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year, ...inPreferredZone() });
  const time = at.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...inPreferredZone(),
  });
  return `${day} ${time}`;
}

function yearOf(at: Date): number {
  return showsUtc() ? at.getUTCFullYear() : at.getFullYear();
}

/** Says until when a rotation leaves the old key valid. */
export function describeRotationEnd(key: Pick<ApiKey, 'expiresAt'>, graceHours: number, now: Date): string {
  if (graceHours === 0) return 'The old key stops working immediately.';
  const { at, isOwnExpiry } = rotationEnd(key, graceHours, now);
  return `The old key is valid until ${formatEnd(at, now)}${isOwnExpiry ? ', when it expires.' : '.'}`;
}

interface Sender {
  /** Null for browsers, whose address is not kept. */
  address: string | null;
  events: number;
  newestAt: string;
}

/** Groups events, newest first, by the address that sent them: the address of the newest event comes first. */
export function sendersOf(events: readonly Pick<EventListItem, 'clientAddress' | 'createdAt'>[]): Sender[] {
  const byAddress = new Map<string | null, Sender>();
  for (const { clientAddress: address, createdAt: newestAt } of events) {
    const sender = byAddress.get(address);
    if (sender === undefined) byAddress.set(address, { address, events: 1, newestAt });
    else sender.events += 1;
  }
  return [...byAddress.values()];
}
