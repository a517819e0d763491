import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { hashAddress } from './lockout';

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
  const { rows } = await database().query<{ address_hash: Buffer; failures: number; locked_until: Date | null }>(
    `SELECT address_hash, CASE WHEN locked_until > now() THEN locked_until END AS locked_until,
            (SELECT count(*)::int FROM unnest(failed_at) AS at WHERE at > now() - make_interval(mins => $2::int)) AS failures
     FROM login_lockouts WHERE address_hash = ANY($1::bytea[])`,
    [[...emailOf.keys()].map((hex) => Buffer.from(hex, 'hex')), config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES],
  );
  return new Map(
    rows
      .filter((row) => row.failures > 0 || row.locked_until !== null)
      .map((row) => [
        emailOf.get(row.address_hash.toString('hex')) ?? '',
        { failures: row.failures, lockedUntil: row.locked_until?.toISOString() ?? null },
      ]),
  );
}
