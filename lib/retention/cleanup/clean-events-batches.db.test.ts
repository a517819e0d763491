import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import {
  countOrphans,
  countRows,
  idsOf,
  insertDeliverySource,
  useDeliveryProject,
} from '@/tests/fixtures/delivery-sources';
import { runStep } from '@/tests/retention/test-run';
import { cleanEvents } from './clean-events';
import { deleteEvents, EVENT, INCOMING_EVENT, lockDeliveries, lockExpired, preferIndexes } from './event-sql';

useDatabase();

const now = new Date('2028-03-01T02:00:00.000Z');
const at = addMs(now, -100 * DAY_MS);
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'outbox'];
const project = useDeliveryProject();

beforeAll(async () => {
  await database().query(`CREATE TABLE removals (tx bigint, table_name text, rows int);
    CREATE FUNCTION log_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO removals SELECT txid_current(), TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$`);
  for (const table of TABLES) {
    await database().query(`CREATE TRIGGER log_removal AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION log_removal()`);
  }
});

beforeEach(() => database().query('TRUNCATE removals'));

const clean = (policy: { batchSize: number }) => runStep(cleanEvents, { now, policy });

/** Returns the most rows that one transaction has removed from one table. */
async function largestBatch(): Promise<number> {
  const { rows } = await database().query<{ most: number }>(
    'SELECT max(rows)::int AS most FROM (SELECT sum(rows) AS rows FROM removals GROUP BY tx, table_name) AS by_table',
  );
  return rows[0]?.most ?? 0;
}

describe('DATA_RETENTION_BATCH_SIZE', () => {
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
      "UPDATE delivery_attempts SET attempt_number = 1, created_at = created_at + attempt_number * interval '1 s'",
    ],
    ['are more than their deliveries say', 'UPDATE deliveries SET stored_attempts = 1'],
    ['are far fewer than their deliveries say', 'UPDATE deliveries SET stored_attempts = 2147483647'],
  ])('limits each statement that removes attempts which %s, as an import may create them', async (_, sql) => {
    await insertDeliverySource({ project, at, deliveries: 1, attempts: 17 });
    await insertDeliverySource({ project, at, deliveries: 3, attempts: 9 });
    await insertDeliverySource({ project, at, deliveries: 7, attempts: 2 });
    await database().query(sql);
    expect(await clean({ batchSize: 4 })).toEqual({ events: 3, deliveries: 11, delivery_attempts: 17 + 27 + 14 });
    const { rows } = await database().query('SELECT max(rows) AS most FROM removals');
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
