import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database, inTransaction } from '@/lib/platform/db';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database';
import { AttemptLookout } from './attempt-lookout';

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

/** Asks for the deliveries of some minutes, and tells how many looks that took. */
async function ask(lookout: AttemptLookout, from: number, to: number, touchedAt: Date | null = day) {
  return inTransaction(async (tx) => {
    let looks = 0;
    const counting = new Proxy(tx, {
      get: (target, key) => {
        if (key === 'query') looks += 1;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const range = { first_id: idAt(from), last_id: idAt(to), touched_at: touchedAt };
    const found = (await lookout.findWindow(counting, range)) !== null;
    return { found, looks };
  });
}

describe('the look-out for attempts', () => {
  it('sees those of a batch, at either end and in whatever partition, and none beyond what it looks at', async () => {
    for (const minute of [0, 5, 10]) {
      await database().query('TRUNCATE delivery_attempts');
      await insertAttempt(idAt(minute));
      expect((await ask(new AttemptLookout(), 0, 10)).found).toBe(true);
    }
    await database().query('TRUNCATE delivery_attempts');
    // Ten minutes, and sixteen times as much ahead of them.
    await insertAttempt(idAt(171));
    await insertAttempt(idAt(-1));
    expect((await ask(new AttemptLookout(), 0, 10)).found).toBe(false);
  });

  it('needs one look for many batches that have none', async () => {
    const lookout = new AttemptLookout();
    const looks = [];
    for (let from = 0; from < 160; from += 10) looks.push((await ask(lookout, from, from + 10)).looks);
    expect(looks.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await ask(lookout, 165, 180)).toEqual({ found: false, looks: 1 });
  });

  it('looks again for what an attempt was recorded of since, or may have been', async () => {
    const lookout = new AttemptLookout();
    expect((await ask(lookout, 0, 10)).found).toBe(false);
    await insertAttempt(idAt(25));
    expect(await ask(lookout, 20, 30, new Date())).toMatchObject({ found: true });
    expect(await ask(lookout, 30, 40, addMs(new Date(), -DAY_MS))).toMatchObject({ found: false });
  });

  it('tells of times that hold every attempt, also of the other batches that its look covers', async () => {
    const lookout = new AttemptLookout();
    await insertAttempt(idAt(5));
    await insertAttempt(idAt(45));
    const { rows } = await database().query<{ first: string; last: string }>(
      'SELECT min(created_at)::text AS first, max(created_at)::text AS last FROM delivery_attempts',
    );
    await inTransaction(async (tx) => {
      for (const [from, to] of [
        [0, 10],
        [40, 50],
      ] as const) {
        const window = await lookout.findWindow(tx, { first_id: idAt(from), last_id: idAt(to), touched_at: day });
        expect(window).toEqual({ firstAt: rows[0]?.first, lastAt: rows[0]?.last });
      }
    });
  });

  it('holds for ids that are no times and lie at the very end', async () => {
    const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    await insertAttempt(last);
    await inTransaction(async (tx) => {
      const range = { first_id: '00000000-0000-4000-8000-000000000000', last_id: last, touched_at: null };
      expect(await new AttemptLookout().findWindow(tx, range)).not.toBeNull();
    });
  });
});
