import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import {
  cap,
  clear,
  countRemoved,
  NOW,
  readNumbers,
  readStored,
  upTo,
  useCappedDeliveries,
} from '@/tests/retention/capped-deliveries';
import { startTestRun } from '@/tests/retention/test-run';
import { capAttempts } from './cap-attempts';

useDatabase();
const { insertDelivery, insertAttempts } = useCappedDeliveries();

describe('the cap of attempts per delivery', () => {
  it('keeps the newest attempts and removes the others, of every day and of both outcomes', async () => {
    const spread = [-40, -3, 0, 1, 2, 3, 8, 9, 40].map((day, index) => ({
      number: index + 1,
      day,
      succeeded: index % 2 === 0,
    }));
    const [many, few] = [await insertDelivery(spread), await insertDelivery(upTo(3))];
    expect(await cap(3)).toBe(6);
    expect(await readNumbers(many)).toEqual([7, 8, 9]);
    expect(await readNumbers(few)).toEqual([1, 2, 3]);
    expect(await countRemoved()).toBe(6);
  });

  it('counts imported attempts that are older than their delivery', async () => {
    const days = [-40, -3, 0, 2, 9].map((day, index) => ({ number: index + 1, day }));
    const [inTheMiddle, after] = [
      await insertDelivery(days, 'FAILED', addMs(NOW, -DAY_MS)),
      await insertDelivery(days, 'FAILED', addMs(NOW, 30 * DAY_MS)),
    ];
    expect(await cap(2)).toBe(6);
    for (const id of [inTheMiddle, after]) {
      expect(await readNumbers(id)).toEqual([4, 5]);
      expect(await readStored(id)).toBe(2);
    }
  });

  it('takes the one recorded last as the newest of attempts with the same number', async () => {
    const id = await insertDelivery([
      { number: 2, day: 1, succeeded: true },
      { number: 2, day: 3 },
      { number: 1, day: 5 },
    ]);
    await cap(1);
    const { rows } = await database().query('SELECT created_at FROM delivery_attempts WHERE delivery_id = $1', [id]);
    expect(rows).toEqual([{ created_at: addMs(NOW, 3 * DAY_MS) }]);
  });

  it('of 1 keeps the last attempt', async () => {
    const id = await insertDelivery(upTo(2));
    expect(await cap(1)).toBe(1);
    expect(await readNumbers(id)).toEqual([2]);
  });

  it('removes more after it is lowered, and nothing after it is raised', async () => {
    const id = await insertDelivery(upTo(12));
    expect(await cap(10)).toBe(2);
    expect(await cap(4)).toBe(6);
    expect(await cap(10)).toBe(0);
    await insertAttempts(id, [{ number: 13 }]);
    expect(await cap(5)).toBe(0);
    expect(await readNumbers(id)).toEqual([9, 10, 11, 12, 13]);
  });

  it('changes nothing else of a delivery that is retried', async () => {
    const id = await insertDelivery(upTo(8));
    const read = async () => {
      const { rows } = await database().query('SELECT * FROM deliveries WHERE id = $1', [id]);
      const { stored_attempts, ...rest } = rows[0];
      return { stored: stored_attempts, rest };
    };
    const before = await read();
    await cap(5);
    expect(await read()).toEqual({ stored: 5, rest: before.rest });
  });

  it('reads a delivery once when its attempts were dropped with their partitions', async () => {
    const id = await insertDelivery(upTo(3));
    await database().query('UPDATE deliveries SET stored_attempts = 50 WHERE id = $1', [id]);
    expect(await cap(5)).toBe(0);
    expect(await readStored(id)).toBe(3);
    await insertAttempts(id, [{ number: 4 }, { number: 5 }, { number: 6 }, { number: 7 }]);
    await database().query('UPDATE deliveries SET stored_attempts = 60 WHERE id = $1', [id]);
    expect(await cap(5)).toBe(2);
    expect(await readNumbers(id)).toEqual([3, 4, 5, 6, 7]);
    expect(await readStored(id)).toBe(5);
  });

  it('corrects the counts of all deliveries of a batch, including those without attempts', async () => {
    const ids = [];
    for (const count of [0, 1, 5, 7]) ids.push(await insertDelivery(upTo(count)));
    const other = await insertDelivery(upTo(4));
    await database().query('UPDATE deliveries SET stored_attempts = 50 WHERE id = ANY($1)', [ids]);
    expect(await cap(5)).toBe(2);
    expect(await Promise.all(ids.map(readStored))).toEqual([0, 1, 5, 5]);
    expect(await readStored(other)).toBe(4);
  });

  it('keeps exactly what a plain model keeps', async () => {
    const attempts = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 12 }),
        succeeded: fc.boolean(),
        day: fc.integer({ min: -2, max: 10 }),
      }),
      { maxLength: 14, selector: ({ number, day }) => number * 100 + day },
    );
    const overstatedBy = fc.integer({ min: 0, max: 3 });
    // Before, during or after its attempts.
    const madeOn = fc.constantFrom(-50, 3, 20);
    const deliveries = fc.array(fc.record({ attempts, overstatedBy, madeOn }), { maxLength: 6 });
    const [caps, batches] = [fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 })];
    await fc.assert(
      fc.asyncProperty(deliveries, caps, batches, async (made, max, batchSize) => {
        await clear();
        const ids: string[] = [];
        for (const delivery of made) {
          const id = await insertDelivery(delivery.attempts, 'PENDING', addMs(NOW, delivery.madeOn * DAY_MS));
          ids.push(id);
          await database().query('UPDATE deliveries SET stored_attempts = stored_attempts + $2 WHERE id = $1', [
            id,
            delivery.overstatedBy,
          ]);
        }
        const excess = made.reduce((sum, delivery) => sum + Math.max(0, delivery.attempts.length - max), 0);
        expect(await capAttempts.preview(await startTestRun({ policy: { maxAttemptsPerDelivery: max } }))).toEqual({
          rows: { delivery_attempts: excess },
        });
        expect(await cap(max, batchSize)).toBe(excess);
        for (const [index, id] of ids.entries()) {
          const kept = [...(made[index]?.attempts ?? [])]
            .sort((a, b) => b.number - a.number || b.day - a.day)
            .slice(0, max)
            .map(({ number, day }) => `${number} ${addMs(NOW, day * DAY_MS).toISOString()}`);
          const { rows } = await database().query(
            `SELECT attempt_number, created_at FROM delivery_attempts WHERE delivery_id = $1
             ORDER BY attempt_number DESC, created_at DESC`,
            [id],
          );
          expect(rows.map((row) => `${row.attempt_number} ${row.created_at.toISOString()}`)).toEqual(kept);
          const stored = await readStored(id);
          if (stored > max) throw new Error(`${stored} are said to be stored, of at most ${max}`);
          expect(stored).toBeGreaterThanOrEqual(kept.length);
        }
      }),
      { numRuns: 25 },
    );
  });
});
