import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { type Branch, type Period, utcDayOf } from './partitions';

/**
 * ATTACH reads the entire default under a lock: a quarter of a second for 280 MB, which is a million rows or what a DELETE
 * has left of them. This size takes about 10 ms.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

/** Whether a default partition is too large to be read under a lock. */
export async function isDefaultLarge({ defaultTable }: Branch): Promise<boolean> {
  const { rows } = await database().query<{ bytes: string }>('SELECT pg_relation_size($1::regclass) AS bytes', [
    defaultTable,
  ]);
  return Number(rows[0]?.bytes) >= LARGE_BYTES;
}

/**
 * Lists the UTC days of a default partition's rows, the oldest first. Rows from before the year 1 count for its first day.
 * Imported rows from the year 10000 on, or of 'infinity', have no day that a name could contain: they stay where they are and
 * do not keep other rows from their partitions.
 */
export async function listDefaultDays({ defaultTable }: Branch): Promise<Period[]> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ day: Date }>(
    `SELECT DISTINCT date_trunc('day', greatest(created_at, '0001-01-01 00:00:00+00'), 'UTC') AS day FROM ${defaultTable}
     WHERE created_at < '10000-01-01 00:00:00+00' ORDER BY day`,
  );
  return rows.map(({ day }) => utcDayOf(day));
}

/** Returns the space of removed rows, so that the default is small again. Blocks no write. */
export async function vacuumDefault({ defaultTable }: Branch): Promise<void> {
  await sqlWithTimeout(LONG_STATEMENT_MS).query(`VACUUM (SKIP_LOCKED) ${defaultTable}`);
}
