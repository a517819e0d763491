import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, insertDeliverySource, useDeliveryProject } from '@/tests/fixtures/delivery-sources';
import { startTestRun } from '@/tests/retention/test-run';
import { AttemptLockedError, drainEvent } from './clean-events';
import { EVENT, preferIndexes } from './event-sql';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
const LIMIT = 2;
const project = useDeliveryProject();
let run: JobRun;

beforeEach(async () => {
  run = await startTestRun();
});

const insert = (options: Partial<Parameters<typeof insertDeliverySource>[0]>) =>
  insertDeliverySource({ project, at, ...options });

/** Drains one batch. */
const drain = (id: string, source = EVENT) =>
  inSqlTransaction(async (tx) => {
    await preferIndexes(tx);
    await tx.query(`SET LOCAL lock_timeout = '20ms'`);
    return drainEvent({ tx, run, source, limit: LIMIT }, id);
  });

const left = () => countRows('deliveries', 'delivery_attempts');
const REQUEUE = `UPDATE outbox SET status = 'PENDING', dead_at = NULL`;
/** Retries the delivery at an index. */
const retry = (sql: Sql, index: number) =>
  sql.query(
    `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now()
     WHERE id = (SELECT id FROM deliveries ORDER BY id OFFSET $1 LIMIT 1)`,
    [index],
  );

describe('drainEvent', () => {
  it('removes the oldest attempts of a delivery that has more than a batch, and lowers its count', async () => {
    const id = await insert({ deliveries: 1, attempts: 5 });
    expect(await drain(id)).toBe(true);
    const { rows } = await database().query('SELECT attempt_number AS n FROM delivery_attempts ORDER BY n');
    expect(rows.map(({ n }) => n)).toEqual([3, 4, 5]);
    expect((await database().query('SELECT stored_attempts FROM deliveries')).rows).toEqual([{ stored_attempts: 3 }]);
  });

  it('removes the same batch at the next try when an attempt of it was held', async () => {
    const id = await insert({ deliveries: 6, attempts: 1 });
    await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM delivery_attempts FOR UPDATE');
      await expect(drain(id)).rejects.toThrow(AttemptLockedError);
    });
    expect(await drain(id)).toBe(true);
    expect(await left()).toEqual({ deliveries: 4, delivery_attempts: 4 });
  });

  it('continues after an erasure has deleted some of the deliveries', async () => {
    const id = await insert({ deliveries: 5 });
    await drain(id);
    await database().query(
      'DELETE FROM deliveries WHERE id = (SELECT id FROM deliveries ORDER BY id OFFSET 1 LIMIT 1)',
    );
    expect(await drain(id)).toBe(true);
    expect((await left()).deliveries).toBe(0);
  });

  it.each([0, 2, 5])(
    'keeps everything that is left while the delivery at %i is retried, from before the commit on',
    async (index) => {
      const id = await insert({ deliveries: 8, attempts: 1 });
      await drain(id);
      await inSqlTransaction(async (tx) => {
        await retry(tx, index);
        expect(await drain(id)).toBe(false);
      });
      expect(await drain(id)).toBe(false);
      expect(await left()).toEqual({ deliveries: 6, delivery_attempts: 6 });
    },
  );

  it('keeps everything that is left when its outbox row is put back into the queue, from before the commit on', async () => {
    const id = await insert({ deliveries: 8, outbox: 'DEAD' });
    await drain(id);
    await inSqlTransaction(async (tx) => {
      await tx.query(REQUEUE);
      expect(await drain(id)).toBe(false);
    });
    expect(await drain(id)).toBe(false);
    expect((await left()).deliveries).toBe(6);
  });

  it('keeps everything while its outbox row is fanned out, until that is committed', async () => {
    const id = await insert({ deliveries: 8, outbox: 'DEAD' });
    await inSqlTransaction(async (tx) => {
      await tx.query('DELETE FROM outbox');
      expect(await drain(id)).toBe(false);
    });
    expect((await left()).deliveries).toBe(8);
  });

  it('does not mind pending deliveries of other events', async () => {
    const id = await insert({ deliveries: 6 });
    await insert({ deliveries: 2, deliveryStatus: 'PENDING', outbox: 'PENDING' });
    expect(await drain(id)).toBe(true);
    expect((await left()).deliveries).toBe(6);
  });
});
