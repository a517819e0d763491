import { setTimeout as sleep } from 'node:timers/promises';
import { database, inTransaction, sqlState, type Transaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { BRANCHES, type Branch, type DayPartition, daysAhead } from './partitions';

const LOCK_NOT_AVAILABLE = '55P03';
const [LOCK_TIMEOUT_MS, RETRY_MS, JITTER_MS, MAX_TRIES] = [100, 400, 200, 50];

/**
 * Makes every partition of the days ahead that is missing; returns how many it made. Safe beside live writes and beside
 * other processes that do the same.
 */
export async function createPartitionsAhead(at: Date): Promise<number> {
  let made = 0;
  for (const branch of BRANCHES) {
    const existing = await listPartitionTables(branch);
    for (const day of daysAhead(branch, at)) {
      if (!existing.has(day.table) && (await withLockRetries(() => createDay(branch, day)))) made++;
    }
  }
  return made;
}

async function listPartitionTables(branch: Branch): Promise<Set<string>> {
  const { rows } = await database().query<{ name: string }>(
    'SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass',
    [branch.parent],
  );
  return new Set(rows.map((row) => row.name));
}

/**
 * Creates a day and attaches it. CREATE and ATTACH and not CREATE … PARTITION OF, which would lock the parent against
 * every write. Rows of the day that sit in the default are moved in the same transaction: attaching over them fails (23514).
 */
async function createDay(branch: Branch, day: DayPartition): Promise<boolean> {
  return inTransaction(async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('partition:' || $1, 0))`, [day.table]);
    const { rows } = await tx.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      `partitions.${day.table}`,
    ]);
    if (rows[0]?.there === true) return false;
    await tx.query(
      `CREATE TABLE partitions.${day.table} (LIKE ${branch.parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`,
    );
    await moveFromDefault(tx, branch, day);
    const [from, to] = [day.from.toISOString(), day.to.toISOString()];
    await tx.query(
      `ALTER TABLE ${branch.parent} ATTACH PARTITION partitions.${day.table} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    return true;
  });
}

async function moveFromDefault(tx: Transaction, branch: Branch, day: DayPartition): Promise<void> {
  const { rows } = await tx.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM ${branch.defaultTable} WHERE created_at >= $1 AND created_at < $2) AS any`,
    [day.from, day.to],
  );
  if (rows[0]?.any !== true) return;
  await tx.query(`LOCK TABLE ${branch.defaultTable} IN SHARE ROW EXCLUSIVE MODE`);
  const { rowCount } = await tx.query(
    `WITH moved AS (DELETE FROM ${branch.defaultTable} WHERE created_at >= $1 AND created_at < $2 RETURNING *)
     INSERT INTO partitions.${day.table} SELECT * FROM moved`,
    [day.from, day.to],
  );
  log().warn({ partition: day.table, rows: rowCount }, 'moved rows out of the default partition');
}

/** A lock that is not free at once is let go and tried again: a DDL that waits makes every later write wait behind it. */
async function withLockRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || tries >= MAX_TRIES) throw error;
      await sleep(RETRY_MS + Math.random() * JITTER_MS);
    }
  }
}
