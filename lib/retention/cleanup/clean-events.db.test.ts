import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction, type Sql, sqlWithTimeout, storingDatabase } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { useDatabase } from '@/tests/database/use-database';
import {
  countOrphans,
  countRows,
  idsOf,
  insertDeliveryProject,
  insertDeliverySource,
  useDeliveryProject,
} from '@/tests/fixtures/delivery-sources';
import { readCounters, runStep, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { cleanEvents, cleanIncomingEvents } from './clean-events';
import { deleteEvents, EVENT, INCOMING_EVENT, lockDeliveries, lockExpired, preferIndexes } from './event-sql';

useDatabase();

const now = new Date('2028-03-01T02:00:00.000Z');
const project = useDeliveryProject();

const KINDS = [
  { kind: 'an event', source: EVENT, step: cleanEvents, days: 90 },
  { kind: 'an incoming event', source: INCOMING_EVENT, step: cleanIncomingEvents, days: 30 },
] as const;

describe.each(KINDS)('$kind', ({ source, step, days }) => {
  const { table } = source;
  const cutoff = expiryCutoff(now, days);
  const insert = (options: Partial<Parameters<typeof insertDeliverySource>[0]> = {}) =>
    insertDeliverySource({ project, source, at: addMs(cutoff, -HOUR_MS), ...options });
  const clean = (options: TestRunOptions = {}) => runStep(step, { now, ...options });

  it(`is removed when it is exactly ${days} days old, and not a millisecond before`, async () => {
    await insert({ at: cutoff });
    const kept = await insert({ at: addMs(cutoff, 1) });
    expect(await clean()).toEqual({ [table]: 1 });
    expect(await idsOf(table)).toEqual([kept]);
  });

  it('is removed with its deliveries, their attempts and its dead outbox row, and without rows of other events', async () => {
    await insert({ deliveries: 2, attempts: 3, outbox: 'DEAD' });
    await insert({ deliveries: 1, attempts: 4, outbox: 'DEAD', at: addMs(cutoff, 1) });
    expect(await clean()).toEqual({ [table]: 1, deliveries: 2, delivery_attempts: 6, outbox: 1 });
    expect(await countRows(table, 'deliveries', 'delivery_attempts', 'outbox')).toEqual({
      [table]: 1,
      deliveries: 1,
      delivery_attempts: 4,
      outbox: 1,
    });
    expect(await countOrphans()).toBe(0);
    expect(await readCounters()).toMatchObject({ [`retention_rows_removed_total ${table}`]: 1 });
  });

  it('is removed with attempts of any time: before it, long after its deliveries ended, or without a known end', async () => {
    await insert({ deliveries: 2, attempts: 3, attemptsAt: addMs(cutoff, -400 * DAY_MS) });
    await insert({ deliveries: 2, attempts: 3, attemptsAt: now });
    await insert({ deliveries: 2, attempts: 3, attemptsAt: now });
    await database().query(
      'UPDATE deliveries SET completed_at = NULL WHERE id = (SELECT max(id::text)::uuid FROM deliveries)',
    );
    await insert({ deliveries: 1, attempts: 2, attemptsAt: now, at: now });
    expect(await clean()).toMatchObject({ deliveries: 6, delivery_attempts: 18 });
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 2 });
  });

  it('is removed with the attempts of deliveries whose ids are random', async () => {
    await insert({ deliveries: 3, attempts: 2, attemptsAt: now });
    const { rows } = await database().query<{ id: string }>('SELECT id FROM deliveries');
    for (const [index, { id }] of rows.entries()) {
      const far = `${index}fffffff-0000-4000-8000-000000000000`;
      await database().query('UPDATE deliveries SET id = $2 WHERE id = $1', [id, far]);
      await database().query('UPDATE delivery_attempts SET delivery_id = $2 WHERE delivery_id = $1', [id, far]);
    }
    expect(await clean()).toMatchObject({ deliveries: 3, delivery_attempts: 6 });
    expect(await countOrphans()).toBe(0);
  });

  it('stays with all of its rows while one of its deliveries is pending, and is removed by the next run', async () => {
    const id = await insert({ deliveries: 2, attempts: 2, outbox: 'DEAD' });
    const gone = await insert({ deliveries: 1 });
    await database().query(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() WHERE id = (
         SELECT id FROM deliveries WHERE ${source.column} = $1 LIMIT 1)`,
      [id],
    );
    expect(await clean()).toEqual({ [table]: 1, deliveries: 1 });
    expect(await idsOf(table)).not.toContain(gone);
    expect(await countRows('deliveries', 'delivery_attempts', 'outbox')).toEqual({
      deliveries: 2,
      delivery_attempts: 4,
      outbox: 1,
    });
    await database().query(`UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL`);
    expect(await clean()).toEqual({ [table]: 1, deliveries: 2, delivery_attempts: 4, outbox: 1 });
  });

  it('stays while it waits for its fan-out, however old it is', async () => {
    const waiting = await insert({ outbox: 'PENDING', at: new Date('2020-01-01T00:00:00Z') });
    await insert();
    expect(await clean({ policy: { batchSize: 1 } })).toEqual({ [table]: 1 });
    expect(await idsOf(table)).toEqual([waiting]);
    await database().query('DELETE FROM outbox');
    expect(await clean()).toEqual({ [table]: 1 });
  });

  it('is counted by a preview, which changes nothing', async () => {
    await insert({ deliveries: 2, attempts: 3, outbox: 'DEAD', attemptsAt: addMs(now, -HOUR_MS) });
    await insert({ deliveries: 1, deliveryStatus: 'PENDING' });
    await insert({ outbox: 'PENDING' });
    await insert({ at: addMs(cutoff, 1), deliveries: 1 });
    const before = await countRows(table, 'deliveries', 'delivery_attempts', 'outbox');
    const preview = await step.preview(await startTestRun({ now }));
    expect(await countRows(table, 'deliveries', 'delivery_attempts', 'outbox')).toEqual(before);
    expect(preview).toEqual({ rows: await clean() });
    expect(preview.rows).toEqual({ [table]: 1, deliveries: 2, delivery_attempts: 6, outbox: 1 });
  });

  it('is previewed without the attempts that have expired themselves', async () => {
    const policy = { failedAttemptsDays: 20, succeededAttemptsDays: 20 };
    const startOfDay = addMs(new Date('2028-03-01T00:00:00Z'), -20 * DAY_MS);
    await insert({ deliveries: 1, attempts: 1, attemptsAt: startOfDay });
    await insert({ deliveries: 1, attempts: 2, attemptsAt: addMs(startOfDay, -1) });
    await insert({ deliveries: 1, attempts: 4, attemptsAt: addMs(now, -20 * DAY_MS + 1) });
    const preview = async (maintainsPartitions: boolean) =>
      (await step.preview(await startTestRun({ now, policy: { ...policy, maintainsPartitions } }))).rows
        ?.delivery_attempts;
    expect(await preview(true)).toBe(5);
    expect(await preview(false)).toBe(4);
  });
});

describe('events of all projects', () => {
  it('are removed', async () => {
    const other = await insertDeliveryProject();
    await insertDeliverySource({ project: other, at: new Date('2020-01-01T00:00:00Z') });
    await insertDeliverySource({ project, at: new Date('2020-01-01T00:00:00Z') });
    await cleanEvents.clean(await startTestRun({ now }));
    expect(await idsOf('events')).toEqual([]);
  });
});

describe('emails in the outbox', () => {
  it('stay when events are removed', async () => {
    await insertDeliverySource({ project, at: new Date('2020-01-01T00:00:00Z'), outbox: 'DEAD' });
    await database().query(`INSERT INTO outbox (id, kind, status, dead_at) VALUES ($1, 'EVENT', 'DEAD', $2)`, [
      newId(),
      now,
    ]);
    await cleanEvents.clean(await startTestRun({ now }));
    expect(await countRows('outbox')).toEqual({ outbox: 1 });
  });
});

const at = addMs(new Date(), -100 * DAY_MS);

describe.each([EVENT, INCOMING_EVENT])('the statement that deletes $table', (source) => {
  const { table } = source;
  const insert = (options: Partial<Parameters<typeof insertDeliverySource>[0]> = {}) =>
    insertDeliverySource({ project, source, at, ...options });
  const countAll = () => countRows(table, 'deliveries', 'outbox');

  /** Deletes the first `count` of these, up to `limit` deliveries. */
  async function deleteFirst(ids: string[], { count = ids.length, limit = 10 } = {}) {
    return inSqlTransaction(async (tx) => {
      await preferIndexes(tx);
      return deleteEvents[source.table].one(tx, { events: `{${ids}}`, count, maxDeliveries: limit });
    });
  }

  const retry = (sql: Sql) =>
    sql.query(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now()
       WHERE id = (SELECT id FROM deliveries ORDER BY id DESC LIMIT 1)`,
    );
  const requeue = (sql: Sql) => sql.query(`UPDATE outbox SET status = 'PENDING', dead_at = NULL`);

  it.each([
    ['one of its deliveries is retried', { deliveries: 2 }, retry],
    ['its outbox row is put back into the queue', { deliveries: 2, outbox: 'DEAD' }, requeue],
  ] as const)('keeps an event when %s, from before the commit on, and deletes the others', async (_, options, work) => {
    const free = [await insert({ deliveries: 1 }), await insert()];
    const busy = await insert(options);
    await inSqlTransaction(async (tx) => {
      await work(tx);
      expect(await deleteFirst([...free, busy])).toMatchObject({ events: 2, count: 1, outbox: 0 });
    });
    expect(await deleteFirst([busy])).toMatchObject({ events: 0, count: 0, outbox: 0 });
    expect(await idsOf(table)).toEqual([busy]);
    expect((await countAll()).deliveries).toBe(2);
    expect(await countOrphans()).toBe(0);
  });
});

describe('DATA_RETENTION_BATCH_SIZE', () => {
  const at = addMs(now, -100 * DAY_MS);
  const TABLES = ['events', 'deliveries', 'delivery_attempts', 'outbox'];

  beforeAll(async () => {
    await storingDatabase().query('CREATE TABLE public.removals (tx bigint, table_name text, rows int)');
    await database().query(`CREATE FUNCTION log_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.removals SELECT txid_current(), TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$`);
    for (const table of TABLES) {
      await database().query(`CREATE TRIGGER log_removal AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION log_removal()`);
    }
  });

  beforeEach(() => storingDatabase().query('TRUNCATE public.removals'));

  const clean = (policy: { batchSize: number }) => runStep(cleanEvents, { now, policy });

  /** Returns the most rows that one transaction has removed from one table. */
  async function largestBatch(): Promise<number> {
    const { rows } = await storingDatabase().query<{ most: number }>(
      'SELECT max(rows)::int AS most FROM (SELECT sum(rows) AS rows FROM public.removals GROUP BY tx, table_name) AS by_table',
    );
    return rows[0]?.most ?? 0;
  }

  it.each([1, 3, 7, 1000])(
    'of %i limits the rows that a transaction removes from each table, while one run removes everything',
    async (batchSize) => {
      const shapes = [
        [0, 0],
        [1, 7],
        [5, 1],
        [2, 3],
        [2, 0],
        [1, 1],
      ] as const;
      for (const [deliveries, attempts] of shapes) {
        await insertDeliverySource({ project, at, deliveries, attempts, outbox: 'DEAD' });
      }
      const kept = await insertDeliverySource({ project, at: now, deliveries: 3, attempts: 3 });
      const before = await countRows(...TABLES);
      const removed = await clean({ batchSize });
      expect(removed).toEqual({
        events: shapes.length,
        deliveries: (before.deliveries ?? 0) - 3,
        delivery_attempts: (before.delivery_attempts ?? 0) - 9,
        outbox: shapes.length,
      });
      expect(await idsOf('events')).toEqual([kept]);
      expect(await countOrphans()).toBe(0);
      expect(await largestBatch()).toBeLessThanOrEqual(batchSize);
    },
  );

  it('smaller than an event still removes it, although the count of its attempts is too high', async () => {
    await insertDeliverySource({ project, at, deliveries: 2, attempts: 5 });
    await database().query('DELETE FROM delivery_attempts WHERE attempt_number > 3');
    expect(await clean({ batchSize: 2 })).toEqual({ events: 1, deliveries: 2, delivery_attempts: 6 });
  });

  it.each([
    [
      'have equal numbers',
      "UPDATE delivery_attempts SET attempt_number = 1, created_at = (created_at AT TIME ZONE 'UTC' + attempt_number * interval '1 s') AT TIME ZONE 'UTC'",
    ],
    ['are more than their deliveries say', 'UPDATE deliveries SET stored_attempts = 1'],
    ['are far fewer than their deliveries say', 'UPDATE deliveries SET stored_attempts = 2147483647'],
  ])('limits each statement that removes attempts which %s, as an import may create them', async (_, sql) => {
    await insertDeliverySource({ project, at, deliveries: 1, attempts: 17 });
    await insertDeliverySource({ project, at, deliveries: 3, attempts: 9 });
    await insertDeliverySource({ project, at, deliveries: 7, attempts: 2 });
    await database().query(sql);
    expect(await clean({ batchSize: 4 })).toEqual({ events: 3, deliveries: 11, delivery_attempts: 17 + 27 + 14 });
    const { rows } = await storingDatabase().query('SELECT max(rows) AS most FROM public.removals');
    expect(rows[0].most).toBeLessThanOrEqual(4);
  });
});

describe('the statements of a batch', () => {
  it.each([EVENT, INCOMING_EVENT])('for $table use indexes, even without statistics', async (source) => {
    await sqlWithTimeout(LONG_STATEMENT_MS).query(
      `INSERT INTO outbox (id, kind, project_id, event_id, incoming_event_id)
       SELECT gen_random_uuid(), 'EVENT', $1, gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 20000)`,
      [project.id],
    );
    const plans = await inSqlTransaction(async (tx) => {
      await preferIndexes(tx);
      await tx.query(`PREPARE lock_expired AS ${lockExpired[source.table].text}`);
      await tx.query(`PREPARE remove (uuid[], int, int) AS ${deleteEvents[source.table].text}`);
      await tx.query(`PREPARE drain (uuid[], int, int, int) AS ${lockDeliveries[source.table].text}`);
      const ids = `'{${newId()},${newId()}}'`;
      const explained = [
        await tx.query(`EXPLAIN EXECUTE lock_expired (now(), '-infinity', '${newId()}', 1000)`),
        await tx.query(`EXPLAIN EXECUTE remove (${ids}, 2, 1000)`),
        await tx.query(`EXPLAIN EXECUTE drain (${ids}, 1, 1000, 1000)`),
      ];
      await tx.query('DEALLOCATE lock_expired; DEALLOCATE remove; DEALLOCATE drain');
      return explained.flatMap(({ rows }) => rows.map((row) => row['QUERY PLAN'])).join('\n');
    });
    expect(plans).toContain(`${source.table}_created_at_id_idx`);
    expect(plans).toContain(`outbox_${source.column}_idx`);
    expect(plans).not.toContain('Seq Scan');
  });
});
