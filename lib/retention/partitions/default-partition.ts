import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { type Branch, type Period, utcDayOf } from './partitions';

/**
 * Attaching a partition has PostgreSQL read the whole default under a lock: a quarter of a second for a million rows, or
 * what is left of them, of 280 MB. Of this size it takes some 10 ms.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Whether a default partition is too large for a partition to be attached without more ado. */
export async function isDefaultLarge({ defaultTable }: Branch): Promise<boolean> {
  const { rows } = await database().query<{ bytes: string }>('SELECT pg_relation_size($1::regclass) AS bytes', [
    defaultTable,
  ]);
  return Number(rows[0]?.bytes) >= LARGE_BYTES;
}

/**
 * The UTC days of which a default partition holds rows, the oldest first; rows from before our era count as of the first.
 * What was imported with a time from the year 10000 on, or 'infinity', has no day that could be named: it stays where it is,
 * and must not keep anything else from its partition.
 */
export async function listDefaultDays({ defaultTable }: Branch): Promise<Period[]> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ day: Date }>(
    `SELECT DISTINCT date_trunc('day', greatest(created_at, '0001-01-01 00:00:00+00'), 'UTC') AS day FROM ${defaultTable}
     WHERE created_at < '10000-01-01 00:00:00+00' ORDER BY day`,
  );
  return rows.map(({ day }) => utcDayOf(day));
}

/** Gives the room of removed rows back, so that the default is small again. Stops no write. */
export async function vacuumDefault({ defaultTable }: Branch): Promise<void> {
  await sqlWithTimeout(LONG_STATEMENT_MS).query(`VACUUM (SKIP_LOCKED) ${defaultTable}`);
}
