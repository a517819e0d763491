import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inTransaction, type Transaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { useDatabase } from '@/tests/database';
import {
  countOrphans,
  countRows,
  type DeliveryProject,
  insertDeliveryProject,
  insertDeliverySource,
} from '@/tests/delivery-sources';
import { readRun, startTestRun } from '@/tests/retention';
import { AttemptLookout } from './attempt-lookout';
import { BatchHeld } from './batches';
import type { OriginBatch } from './origin-batch';
import { EVENT, INCOMING_EVENT, PLANNER_SETTINGS } from './origin-sql';
import { Thinning } from './thin-out';
import { nextSql } from './thin-out-sql';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
let project: DeliveryProject;
let run: JobRun;

beforeAll(async () => {
  project = await insertDeliveryProject();
});

beforeEach(async () => {
  await database().query('TRUNCATE outbox, delivery_attempts, deliveries, events, incoming_events, retention_runs');
  run = await startTestRun();
});

/** The transaction of a batch of two rows. */
const inBatch = <T>(work: (batch: OriginBatch) => Promise<T>, origin = EVENT) =>
  inTransaction(async (tx) => {
    await tx.query(PLANNER_SETTINGS);
    return work({ tx, run, origin, lookout: new AttemptLookout(), limit: 2 });
  });

const beginWith = (id: string, origin = EVENT) => inBatch((batch) => Thinning.begin(batch, id), origin);
const removeBatch = (thinning: Thinning | null, origin = EVENT) =>
  inBatch(async (batch) => thinning?.removeBatch(batch), origin);

/** Begins with an event and removes a first batch. */
async function beginAndRemove(id: string): Promise<Thinning | null> {
  const thinning = await beginWith(id);
  expect(await removeBatch(thinning)).toBe('more');
  return thinning;
}

const deliveriesLeft = async () => (await countRows('deliveries')).deliveries;
const REQUEUE = `UPDATE outbox SET status = 'PENDING', dead_at = NULL`;
/** Of the delivery at that place, 0 the first. */
const retry = (sql: Pick<Transaction, 'query'>, nth: number) =>
  sql.query(
    `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now()
     WHERE id = (SELECT id FROM deliveries ORDER BY id OFFSET $1 LIMIT 1)`,
    [nth],
  );

describe('an event with more deliveries than a batch removes', () => {
  it.each([EVENT, INCOMING_EVENT])(
    'loses them a batch at a time, until what is left fits into one: $table',
    async (origin) => {
      const id = await insertDeliverySource({ project, origin, at, deliveries: 7, attempts: 1 });
      await insertDeliverySource({ project, origin, at, deliveries: 2, attempts: 1 });
      const thinning = await beginWith(id, origin);
      const seen = [];
      for (let state: string | undefined = 'more'; state === 'more'; ) {
        state = await removeBatch(thinning, origin);
        seen.push([state, await deliveriesLeft()]);
      }
      expect(seen).toEqual([
        ['more', 7],
        ['more', 5],
        ['through', 3],
      ]);
      expect((await readRun(run)).rows_removed).toEqual({ deliveries: 6, delivery_attempts: 6 });
      expect(await countOrphans()).toBe(0);
    },
  );

  it('goes on with the same batch when that was rolled back', async () => {
    const thinning = await beginAndRemove(await insertDeliverySource({ project, at, deliveries: 6, attempts: 1 }));
    await inTransaction(async (tx) => {
      await tx.query('SELECT FROM delivery_attempts FOR UPDATE');
      const failing = inBatch(async (batch) => {
        await batch.tx.query(`SET LOCAL lock_timeout = '20ms'`);
        await thinning?.removeBatch(batch);
      });
      await expect(failing).rejects.toThrow(BatchHeld);
    });
    expect(await removeBatch(thinning)).toBe('through');
    expect(await deliveriesLeft()).toBe(2);
  });

  it('loses the rest though an erasure has taken some of the next', async () => {
    const thinning = await beginAndRemove(await insertDeliverySource({ project, at, deliveries: 7 }));
    await database().query(
      'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries ORDER BY id OFFSET 1 LIMIT 1)',
    );
    expect(await removeBatch(thinning)).toBe('more');
    expect(await removeBatch(thinning)).toBe('through');
    expect(await deliveriesLeft()).toBe(1);
  });
});

describe('an event on which somebody works', () => {
  it.each([
    ['a delivery is pending', (tx: Transaction) => retry(tx, 5)],
    ['a dead row of the outbox was put back', (tx: Transaction) => tx.query(REQUEUE)],
  ])('is not begun with while %s, nor while that is not committed', async (_, work) => {
    const id = await insertDeliverySource({ project, at, deliveries: 6, outbox: 'DEAD' });
    await inTransaction(async (tx) => {
      await work(tx);
      expect(await beginWith(id)).toBeNull();
    });
    expect(await beginWith(id)).toBeNull();
  });

  it('keeps what is left from the moment at which any of its deliveries is retried', async () => {
    const thinning = await beginAndRemove(await insertDeliverySource({ project, at, deliveries: 8, attempts: 1 }));
    await retry(database(), 5);
    expect(await removeBatch(thinning)).toBe('held');
    expect(await countRows('deliveries', 'delivery_attempts')).toEqual({ deliveries: 6, delivery_attempts: 6 });
  });

  it.each([
    ['was put back into the queue', REQUEUE],
    ['was put back and is fanned out already', 'DELETE FROM outbox'],
  ])('keeps what is left when its row of the outbox %s, also before that is committed', async (_, sql) => {
    const thinning = await beginAndRemove(await insertDeliverySource({ project, at, deliveries: 8, outbox: 'DEAD' }));
    await inTransaction(async (tx) => {
      await tx.query(sql);
      expect(await removeBatch(thinning)).toBe('held');
    });
    expect(await removeBatch(thinning)).toBe('held');
    expect(await deliveriesLeft()).toBe(6);
  });

  it('keeps what is left when a delivery of the batch is being retried; a retry of another comes after the batch', async () => {
    const thinning = await beginAndRemove(await insertDeliverySource({ project, at, deliveries: 8 }));
    await inTransaction(async (tx) => {
      await retry(tx, 3);
      expect(await removeBatch(thinning)).toBe('more');
      expect(await removeBatch(thinning)).toBe('held');
    });
    expect(await removeBatch(thinning)).toBe('held');
    expect(await deliveriesLeft()).toBe(4);
  });

  it('is none of those whose own deliveries are pending: they keep nothing of another', async () => {
    const id = await insertDeliverySource({ project, at, deliveries: 6 });
    await insertDeliverySource({ project, at, deliveries: 2, deliveryStatus: 'PENDING', outbox: 'PENDING' });
    await beginAndRemove(id);
    expect(await deliveriesLeft()).toBe(6);
  });
});

describe('the statement of a further batch', () => {
  it.each([EVENT, INCOMING_EVENT])('reads nothing of the other deliveries of the event: $table', async (origin) => {
    const id = await insertDeliverySource({ project, origin, at, deliveries: 1 });
    const [target, targetId] =
      origin === EVENT ? ['endpoint_id', project.endpointId] : ['destination_id', project.destinationId];
    await database().query(
      `INSERT INTO deliveries (id, project_id, ${origin.column}, ${target}, status)
       SELECT gen_random_uuid(), $1, $2, $3, 'FAILED' FROM generate_series(1, 5000)`,
      [project.id, id, targetId],
    );
    for (const statistics of ['none', 'fresh']) {
      if (statistics === 'fresh') await database().query('ANALYZE deliveries');
      const plan = await inTransaction(async (tx) => {
        await tx.query(PLANNER_SETTINGS);
        await tx.query(`PREPARE next AS ${nextSql(origin)}`);
        const { rows } = await tx.query(
          `EXPLAIN EXECUTE next ('${id}', '{${newId()},${newId()}}', '${project.id}', '${newId()}', '${newId()}', 0)`,
        );
        await tx.query('DEALLOCATE next');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toContain('deliveries_unsucceeded_idx');
      expect(plan).not.toContain(`deliveries_${origin.column}_idx`);
      expect(plan).not.toContain('Seq Scan');
    }
  });
});
