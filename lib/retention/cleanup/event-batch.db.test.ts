import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { useDatabase } from '@/tests/database/use-database';
import {
  countOrphans,
  countRows,
  idsOf,
  insertDeliverySource,
  useDeliveryProject,
} from '@/tests/fixtures/delivery-sources';
import { readRun, startTestRun } from '@/tests/retention/test-run';
import { AttemptLockedError, AttemptWindowCache, deleteAttempts, drainEvent } from './event-batch';
import { EVENT, INCOMING_EVENT, preferIndexes } from './event-sql';

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
    return drainEvent({ tx, run, source, windows: new AttemptWindowCache(), limit: LIMIT }, id);
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
  it.each([EVENT, INCOMING_EVENT])(
    'removes a batch of deliveries with their attempts, and counts both: $table',
    async (source) => {
      const id = await insert({ source, deliveries: 5, attempts: 1 });
      await insert({ source, deliveries: 2, attempts: 1 });
      const seen = [];
      for (let n = 0; n < 2; n += 1) seen.push([await drain(id, source), await left()]);
      expect(seen).toEqual([
        [true, { deliveries: 5, delivery_attempts: 5 }],
        [true, { deliveries: 3, delivery_attempts: 3 }],
      ]);
      expect((await readRun(run)).rows_removed).toEqual({ deliveries: 4, delivery_attempts: 4 });
      expect(await countOrphans()).toBe(0);
    },
  );

  it('removes fewer deliveries when they have more attempts than a batch', async () => {
    const id = await insert({ deliveries: 4, attempts: 2 });
    expect(await drain(id)).toBe(true);
    expect(await left()).toEqual({ deliveries: 3, delivery_attempts: 6 });
  });

  it('removes the oldest attempts of a delivery that has more than a batch, and lowers its count', async () => {
    const id = await insert({ deliveries: 1, attempts: 5 });
    expect(await drain(id)).toBe(true);
    const { rows } = await database().query('SELECT attempt_number AS n FROM delivery_attempts ORDER BY n');
    expect(rows.map(({ n }) => n)).toEqual([3, 4, 5]);
    expect((await database().query('SELECT stored_attempts FROM deliveries')).rows).toEqual([{ stored_attempts: 3 }]);
  });

  it('removes at most a batch of attempts with the same number, as an import may create them', async () => {
    const id = await insert({ deliveries: 1, attempts: 5 });
    await database().query(
      `UPDATE delivery_attempts SET attempt_number = 1, created_at = created_at + attempt_number * interval '1 s'`,
    );
    expect(await drain(id)).toBe(true);
    expect((await left()).delivery_attempts).toBe(3);
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

describe('deleteAttempts', () => {
  const PLENTY = 1_000;

  beforeAll(async () => {
    await createPartitionsAhead(at);
  });

  const insertDelivery = (attempts: number, attemptsAt = at) =>
    insertDeliverySource({ project, at, deliveries: 1, attempts, attemptsAt });

  /** Deletes the attempts of the first `count` deliveries by id. */
  async function deleteOf(count: number, limit = PLENTY, of?: unknown[]): Promise<number | null> {
    const ids = `{${of ?? (await idsOf('deliveries'))}}`;
    const batch = { run: await startTestRun(), source: EVENT };
    return inSqlTransaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '20ms'`);
      return deleteAttempts(
        { ...batch, tx, windows: new AttemptWindowCache(), limit },
        { ids, count, touchedAt: null },
      );
    });
  }

  const attemptsLeft = async () => (await countRows('delivery_attempts')).delivery_attempts;

  it('deletes every attempt of the first deliveries and keeps those of the others', async () => {
    for (const attempts of [3, 2, 4]) await insertDelivery(attempts);
    expect(await deleteOf(2)).toBe(5);
    const { rows } = await database().query('SELECT DISTINCT delivery_id FROM delivery_attempts');
    expect(rows).toEqual([{ delivery_id: (await idsOf('deliveries')).at(2) }]);
  });

  it.each([
    ['in a partition of its day', at],
    ['on the last day that has a partition', addMs(at, 7 * DAY_MS)],
    ['in a default partition, long before its delivery', addMs(at, -400 * DAY_MS)],
    ['in a default partition, long after its delivery', addMs(at, 80 * DAY_MS)],
  ])('finds an attempt %s', async (_, attemptsAt) => {
    await insertDelivery(1, at);
    await insertDelivery(1, attemptsAt);
    expect(await deleteOf(2)).toBe(2);
    expect(await attemptsLeft()).toBe(0);
  });

  it('keeps the attempts of a delivery whose id lies between those of the batch', async () => {
    for (const attempts of [1, 1, 1]) await insertDelivery(attempts);
    const [first, between, last] = await idsOf('deliveries');
    await deleteOf(2, PLENTY, [first, last]);
    expect((await database().query('SELECT delivery_id FROM delivery_attempts')).rows).toEqual([
      { delivery_id: between },
    ]);
  });

  it('deletes up to as many as the limit, and nothing when there are more', async () => {
    for (const attempts of [3, 2]) await insertDelivery(attempts);
    expect(await deleteOf(2, 4)).toBeNull();
    expect(await attemptsLeft()).toBe(5);
    expect(await deleteOf(2, 5)).toBe(5);
  });

  it('counts stored rows, whatever the counts of the deliveries say', async () => {
    await insertDelivery(3);
    await database().query('UPDATE deliveries SET stored_attempts = 1');
    expect(await deleteOf(1, 2)).toBeNull();
    await database().query('UPDATE deliveries SET stored_attempts = 2147483647');
    expect(await deleteOf(1, 3)).toBe(3);
  });

  it('returns 0 when no delivery has an attempt, and for no deliveries', async () => {
    await insertDelivery(0);
    expect([await deleteOf(1), await deleteOf(0)]).toEqual([0, 0]);
  });

  it('reports a locked attempt without a long wait', async () => {
    for (const attempts of [3, 2]) await insertDelivery(attempts);
    await inSqlTransaction(async (holder) => {
      await holder.query('SELECT FROM delivery_attempts LIMIT 1 FOR UPDATE');
      await expect(deleteOf(2)).rejects.toBeInstanceOf(AttemptLockedError);
    });
    expect(await attemptsLeft()).toBe(5);
  });
});

describe('AttemptWindowCache', () => {
  const day = new Date('2026-01-01T00:00:00Z');
  const idAt = (minutes: number) => lowestIdAt(addMs(day, minutes * MINUTE_MS));

  beforeEach(() => database().query('TRUNCATE delivery_attempts'));

  const insertAttempt = (deliveryId: string) =>
    database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
     VALUES ($1, $1, $2, 1, now(), 5, false)`,
      [newId(), deliveryId],
    );

  /** Asks for the deliveries of some minutes. @returns whether it found attempts, and how many queries that took */
  async function ask(cache: AttemptWindowCache, from: number, to: number, touchedAt: Date | null = day) {
    return inSqlTransaction(async (tx) => {
      let queries = 0;
      const counting = new Proxy(tx, {
        get: (target, key) => {
          if (key === 'query') queries += 1;
          const value = Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const range = { firstId: idAt(from), lastId: idAt(to), touchedAt };
      const found = (await cache.find(counting, range)) !== null;
      return { found, queries };
    });
  }

  it('finds attempts at both ends of a batch, and no attempt outside its range', async () => {
    for (const minute of [0, 5, 10]) {
      await database().query('TRUNCATE delivery_attempts');
      await insertAttempt(idAt(minute));
      expect((await ask(new AttemptWindowCache(), 0, 10)).found).toBe(true);
    }
    await database().query('TRUNCATE delivery_attempts');
    // One minute beyond the ten of the batch and the sixteen times ten ahead.
    await insertAttempt(idAt(171));
    await insertAttempt(idAt(-1));
    expect((await ask(new AttemptWindowCache(), 0, 10)).found).toBe(false);
  });

  it('needs one query for many batches without attempts', async () => {
    const cache = new AttemptWindowCache();
    const queries = [];
    for (let from = 0; from < 160; from += 10) queries.push((await ask(cache, from, from + 10)).queries);
    expect(queries.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await ask(cache, 165, 180)).toEqual({ found: false, queries: 1 });
  });

  it('queries again for deliveries that may have got an attempt since', async () => {
    const cache = new AttemptWindowCache();
    expect((await ask(cache, 0, 10)).found).toBe(false);
    await insertAttempt(idAt(25));
    expect(await ask(cache, 20, 30, new Date())).toMatchObject({ found: true });
    expect(await ask(cache, 30, 40, addMs(new Date(), -DAY_MS))).toMatchObject({ found: false });
  });

  it('returns a window that contains every attempt of all batches that its query covers', async () => {
    const cache = new AttemptWindowCache();
    await insertAttempt(idAt(5));
    await insertAttempt(idAt(45));
    const { rows } = await database().query<{ first: string; last: string }>(
      'SELECT min(created_at)::text AS first, max(created_at)::text AS last FROM delivery_attempts',
    );
    await inSqlTransaction(async (tx) => {
      for (const [from, to] of [
        [0, 10],
        [40, 50],
      ] as const) {
        const window = await cache.find(tx, { firstId: idAt(from), lastId: idAt(to), touchedAt: day });
        expect(window).toEqual({ first: rows[0]?.first, last: rows[0]?.last });
      }
    });
  });

  it('finds attempts of ids that are not times, up to the highest id', async () => {
    const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    await insertAttempt(last);
    await inSqlTransaction(async (tx) => {
      const range = { firstId: '00000000-0000-4000-8000-000000000000', lastId: last, touchedAt: null };
      expect(await new AttemptWindowCache().find(tx, range)).not.toBeNull();
    });
  });
});
