import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { AttemptWindowCache } from './attempt-window-cache';

useDatabase();

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

describe('AttemptWindowCache', () => {
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
