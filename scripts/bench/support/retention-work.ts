import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { cleanEvents } from '@/lib/retention/cleanup/clean-events';
import { deleteExpiredRows, dropExpiredPartitions } from '@/lib/retention/partitions/remove-expired';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import { startTestRun } from '@/tests/retention/test-run';

const DELIVERIES = 200;
const EXCESS_EACH = 5;
const BATCH_ROWS = 1000;
const FAR_DAYS = 36_500;
const KEPT_DAYS = 90;
const BRANCHES = ['delivery_attempts_succeeded', 'delivery_attempts_failed'];

const run = (sql: string, values: unknown[] = []) => sqlWithTimeout(LONG_STATEMENT_MS).query(sql, values);

async function count(what: string, values: unknown[]): Promise<number> {
  return (await run(`SELECT count(*)::int AS count FROM ${what}`, values)).rows[0].count;
}

/** Returns the time during which work had a connection, so without its pauses. Nothing else may use the database meanwhile. */
async function measureBusy(work: () => Promise<unknown>): Promise<number> {
  const pool = database();
  let out = 0;
  let outSince = 0;
  let busyMs = 0;
  const onAcquire = () => {
    if (out++ === 0) outSince = performance.now();
  };
  const onRelease = () => {
    if (--out === 0) busyMs += performance.now() - outSince;
  };
  pool.on('acquire', onAcquire).on('release', onRelease);
  try {
    await work();
  } finally {
    pool.off('acquire', onAcquire).off('release', onRelease);
  }
  return busyMs;
}

/** Times the cap. Each round has the same excess: 1,000 attempts of 200 deliveries, spread over the table. @returns milliseconds */
export async function measureCap(rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { rowCount } = await run(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
       SELECT gen_random_uuid(), project_id, id, 10 + n, now(), 20, false FROM (
         SELECT id, project_id FROM deliveries WHERE stored_attempts = 10 ORDER BY random() LIMIT ${DELIVERIES}
       ) d, generate_series(1, ${EXCESS_EACH}) n`,
    );
    if (rowCount !== DELIVERIES * EXCESS_EACH) throw new Error(`only ${rowCount} attempts were added`);
    const capRun = await startTestRun({ job: 'cap' });
    times.push(await measureBusy(() => capAttempts.clean(capRun)));
    const over = await count('deliveries WHERE stored_attempts > 10', []);
    if (over !== 0) throw new Error(`${over} deliveries are still over the cap`);
  }
  return times;
}

/** The cost of removing one day of attempts. */
export interface RemovedDay {
  rows: number;
  /** Without pauses. */
  ms: number;
  /** Bytes of write-ahead log, from all writers. */
  walBytes: number;
}

/**
 * Measures a way of removal. A day that expires was written weeks ago and is no longer in the page cache, so its files are
 * evicted before.
 */
export async function measureDay(
  day: Date,
  dataDir: string,
  prepare: (day: Date) => Promise<() => Promise<unknown>>,
): Promise<RemovedDay> {
  const suffix = day.toISOString().slice(0, 10).replaceAll('-', '');
  const tables = BRANCHES.map((branch) => `${branch}_p${suffix}`);
  const countRows = () =>
    count('delivery_attempts WHERE created_at >= $1 AND created_at < $2', [day, addMs(day, DAY_MS)]);
  const rows = await countRows();
  const work = await prepare(day);
  await evictTables(dataDir, tables);
  const walFrom = (await run('SELECT pg_current_wal_lsn()::text AS lsn')).rows[0].lsn;
  const ms = await measureBusy(work);
  const wal = await run('SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn) AS bytes', [walFrom]);
  if ((await countRows()) > 0) throw new Error(`the day ${day.toISOString()} still has rows`);
  for (const table of tables) await run(`DROP TABLE IF EXISTS ${table}`);
  return { rows, ms, walBytes: Number(wal.rows[0].bytes) };
}

/** Retention in batches, with partition maintenance disabled. */
export async function prepareDelete(day: Date): Promise<() => Promise<unknown>> {
  const expired = await startRun(addMs(day, DAY_MS - 1), { maintainsPartitions: false });
  return () => deleteExpiredRows.clean(expired);
}

/** As `main` does once all rows of the day have expired. */
export async function prepareDrop(day: Date): Promise<() => Promise<unknown>> {
  const expired = await startRun(addMs(day, DAY_MS), { maintainsPartitions: true });
  return () => dropExpiredPartitions.clean(expired);
}

/** Starts a run at the time when all rows up to `until` have expired. */
function startRun(until: Date, policy: Partial<RetentionPolicy>) {
  const days = { failedAttemptsDays: KEPT_DAYS, succeededAttemptsDays: KEPT_DAYS, tunnelLogDays: FAR_DAYS };
  return startTestRun({ now: addMs(until, KEPT_DAYS * DAY_MS), policy: { ...days, batchSize: BATCH_ROWS, ...policy } });
}

/**
 * Evicts tables from the page cache, so that they are read from disk again and deleting their files frees no memory. Uses
 * GNU dd, which calls posix_fadvise.
 *
 * @throws Error without GNU dd
 */
async function evictTables(dataDir: string, tables: readonly string[]): Promise<void> {
  const { rows } = await run(
    `WITH t AS (SELECT oid, reltoastrelid FROM pg_class WHERE oid = ANY($1::regclass[]))
     SELECT pg_relation_filepath(c.oid) AS file FROM pg_class c
     WHERE c.oid IN (SELECT oid FROM t UNION SELECT reltoastrelid FROM t
       UNION SELECT i.indexrelid FROM pg_index i JOIN t ON i.indrelid IN (t.oid, t.reltoastrelid))`,
    [tables],
  );
  for (const { file } of rows) {
    const absolute = path.join(dataDir, 'postgres', file);
    if (!existsSync(absolute)) continue;
    const how = ['oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
    await promisify(execFile)('dd', [`of=${absolute}`, ...how]);
  }
}

/** Removes the events before a time. @returns events per second, without pauses */
export async function measureEvents(before: Date, remove: (before: Date) => Promise<void>): Promise<number> {
  const countBefore = () => count('events WHERE created_at < $1', [before]);
  const events = await countBefore();
  const ms = await measureBusy(() => remove(before));
  if ((await countBefore()) > 0) throw new Error('some expired events remain');
  return events / (ms / 1000);
}

/** A plain DELETE in batches: the foreign key deletes the deliveries. The order of the index is the fastest. */
export async function deleteBefore(before: Date): Promise<void> {
  const text = `DELETE FROM events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM events WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH_ROWS}))`;
  while (((await run(text, [before])).rowCount ?? 0) > 0);
}

export async function cleanBefore(before: Date): Promise<void> {
  const now = addMs(before, KEPT_DAYS * DAY_MS - 1);
  await cleanEvents.clean(await startTestRun({ now, policy: { eventsDays: KEPT_DAYS } }));
}
