import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordAttempts } from '@/lib/delivery/engine/record/record-attempts';
import type { Outcome } from '@/lib/delivery/engine/types';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, storingDatabase } from '@/lib/platform/db';
import { itOnOneServer } from '@/tests/database/one-server';
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
import { makeCapStatements } from './cap-attempts-sql';

useDatabase();
const { insertDelivery, insertAttempts } = useCappedDeliveries();

describe('the cap of attempts per delivery', () => {
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
    const caps = fc.integer({ min: 1, max: 6 });
    const batches = fc.integer({ min: 1, max: 9 });
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

describe('a batch of the cap', () => {
  it('removes at most its limit, and at most what fits into memory, even of one delivery with many times as many', async () => {
    await storingDatabase().query('CREATE TABLE public.batches_seen (removed int)');
    await database().query(`CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.batches_seen SELECT count(*) FROM gone; RETURN NULL; END $$`);
    await database().query(`CREATE TRIGGER note_batch AFTER DELETE ON delivery_attempts REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`);
    const huge = await insertDelivery(upTo(2_503));
    const small = await insertDelivery(upTo(8));
    expect(await cap(3, 400)).toBe(2_505);
    const { rows } = await storingDatabase().query<{ removed: number }>('SELECT removed FROM public.batches_seen');
    expect(rows.map(({ removed }) => removed)).toEqual([5, 400, 400, 400, 400, 400, 400, 100]);
    expect(await readNumbers(huge)).toEqual([2_501, 2_502, 2_503]);
    expect(await readNumbers(small)).toEqual([6, 7, 8]);
    await insertAttempts(
      huge,
      upTo(2_004).map(({ number }) => ({ number: 3_000 + number })),
    );
    await storingDatabase().query('TRUNCATE public.batches_seen');
    expect(await cap(3, 100_000)).toBe(2_004);
    const large = await storingDatabase().query<{ removed: number }>('SELECT removed FROM public.batches_seen');
    expect(large.rows.map(({ removed }) => removed)).toEqual([2_000, 4]);
    await database().query('DROP TRIGGER note_batch ON delivery_attempts');
    await storingDatabase().query('DROP TABLE public.batches_seen');
  });

  it('is the last after the run is told to stop, and its rows are counted', async () => {
    const ids = [await insertDelivery(upTo(54)), await insertDelivery(upTo(54))];
    const stop = new AbortController();
    const running = cap(4, 1, stop.signal);
    while ((await readNumbers(ids[0] ?? '')).length === 54 && (await readNumbers(ids[1] ?? '')).length === 54)
      await sleep(1);
    stop.abort();
    const removed = await running;
    const left = (await Promise.all(ids.map(readNumbers))).flat().length;
    expect(left).toBe(108 - removed);
    expect(removed).toBeLessThan(100);
    expect(await cap(4)).toBe(100 - removed);
    expect(await Promise.all(ids.map(readStored))).toEqual([4, 4]);
  });
});

/** A failed attempt that a worker records. */
const failure = (deliveryId: string, attemptNumber: number) =>
  ({
    job: { deliveryId, attemptNumber, scheduleStep: attemptNumber - 1 },
    result: {
      succeeded: false,
      responseStatus: 500,
      responseBody: 'no',
      error: 'Answered with status 500',
      startedAt: new Date(),
      durationMs: 5,
      requestParts: null,
      responseHeaders: null,
      remoteAddress: null,
      timing: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null },
    },
    retryMs: 1,
  }) as Outcome;

describe('the cap while a worker records attempts', () => {
  it('keeps exactly the newest attempts while attempts are recorded and capped at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => insertDelivery([])));
    await database().query('UPDATE deliveries SET schedule_step = 0');
    const ATTEMPTS = 40;
    let recorded = 0;
    let isRecording = true;
    const worker = async () => {
      for (let number = 1; number <= ATTEMPTS; number += 1) {
        recorded += (
          await recordAttempts(
            database(),
            ids.map((id) => failure(id, number)),
          )
        ).length;
      }
      isRecording = false;
    };
    const capper = async () => {
      while (isRecording) await cap(3, 5);
    };
    await Promise.all([worker(), capper(), capper()]);
    expect(await countRemoved()).toBeGreaterThan(0);
    await cap(3);
    expect(recorded).toBe(ids.length * ATTEMPTS);
    expect(await countRemoved()).toBe(ids.length * (ATTEMPTS - 3));
    for (const id of ids) expect(await readNumbers(id)).toEqual([ATTEMPTS - 2, ATTEMPTS - 1, ATTEMPTS]);
    expect(await Promise.all(ids.map(readStored))).toEqual(ids.map(() => 3));
  });

  it('skips a locked delivery until the next run, and caps the others without waiting', async () => {
    const held = await insertDelivery(upTo(6));
    const free = await insertDelivery(upTo(6));
    await inSqlTransaction(async (worker) => {
      await recordAttempts(worker, [failure(held, 7)]);
      expect(await cap(2, 1)).toBe(4);
    });
    expect(await readNumbers(free)).toEqual([5, 6]);
    expect(await cap(2)).toBe(5);
    expect(await readNumbers(held)).toEqual([6, 7]);
  });
});

itOnOneServer(
  'the cap ends, and caps the others, where a guard keeps deliveries of an organization that has moved',
  async () => {
    const moved = [await insertDelivery(upTo(6)), await insertDelivery(upTo(1))];
    const others = [await insertDelivery(upTo(6)), await insertDelivery(upTo(1))];
    await database().query('UPDATE deliveries SET stored_attempts = 6');
    await database().query(`CREATE SEQUENCE kept;
      CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('kept') > 20 THEN RAISE 'the cap does not end'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER keep BEFORE UPDATE ON deliveries FOR EACH ROW
        WHEN (OLD.id = ANY ('{${moved.join()}}'::uuid[])) EXECUTE FUNCTION keep()`);
    onTestFinished(async () => {
      await database().query('DROP FUNCTION keep CASCADE; DROP SEQUENCE kept');
    });
    await cap(2);
    expect(await Promise.all([...moved, ...others].map(readStored))).toEqual([6, 6, 2, 1]);
  },
);

itOnOneServer.each([1, 10])(
  'the candidates of the cap are read from their own index, with a cap of %i',
  async (max) => {
    const { rows } = await database().query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${makeCapStatements(max).findCandidates.text}`,
      [[], 1000],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using deliveries_stored_attempts_idx');
    expect(plan).not.toContain('Sort');
  },
);
