import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { hashAddress } from './lockout';
import { listFailures } from './lockout-sql';

/** The failed sign-ins of an address, and the lockout they led to. */
export interface Lockout {
  /** Within AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES. */
  failures: number;
  /** RFC 3339; null while the address is not locked. */
  lockedUntil: string | null;
}

/** Returns the failures and lockouts of folded addresses; an address without failures is absent. For the operator. */
export async function listLockouts(emails: readonly string[]): Promise<Map<string, Lockout>> {
  if (!config().AUTH_LOCKOUT_ENABLED) return new Map();
  const emailOf = new Map(emails.map((email) => [hashAddress(email).toString('hex'), email]));
  const hashes = [...emailOf.keys()].map((hex) => Buffer.from(hex, 'hex'));
  const rows = await listFailures.all(database(), hashes, config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES);
  return new Map(
    rows
      .filter((row) => row.failures > 0 || row.locked_until !== null)
      .map((row) => [
        emailOf.get(row.address_hash.toString('hex')) ?? '',
        { failures: row.failures, lockedUntil: row.locked_until?.toISOString() ?? null },
      ]),
  );
}
