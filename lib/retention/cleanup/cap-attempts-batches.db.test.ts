import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { recordAttempts } from '@/lib/delivery/engine/record/record-attempts';
import type { Outcome } from '@/lib/delivery/engine/types';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import {
  cap,
  countRemoved,
  readNumbers,
  readStored,
  upTo,
  useCappedDeliveries,
} from '@/tests/retention/capped-deliveries';
import { makeCapStatements } from './cap-attempts-sql';

useDatabase();
const { insertDelivery, insertAttempts } = useCappedDeliveries();

describe('a batch of the cap', () => {
  it('removes at most its limit, and at most what fits into memory, even of one delivery with many times as many', async () => {
    await database().query(`CREATE TABLE batches_seen (removed int);
      CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO batches_seen SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER note_batch AFTER DELETE ON delivery_attempts REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`);
    const [huge, small] = [await insertDelivery(upTo(2_503)), await insertDelivery(upTo(8))];
    expect(await cap(3, 400)).toBe(2_505);
    const { rows } = await database().query<{ removed: number }>('SELECT removed FROM batches_seen');
    expect(rows.map(({ removed }) => removed)).toEqual([400, 400, 400, 400, 400, 400, 105]);
    expect(await readNumbers(huge)).toEqual([2_501, 2_502, 2_503]);
    expect(await readNumbers(small)).toEqual([6, 7, 8]);
    await insertAttempts(
      huge,
      upTo(2_004).map(({ number }) => ({ number: 3_000 + number })),
    );
    await database().query('TRUNCATE batches_seen');
    expect(await cap(3, 100_000)).toBe(2_004);
    const large = await database().query<{ removed: number }>('SELECT removed FROM batches_seen');
    expect(large.rows.map(({ removed }) => removed)).toEqual([2_000, 4]);
    await database().query('DROP TRIGGER note_batch ON delivery_attempts; DROP TABLE batches_seen');
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
    let [recorded, isRecording] = [0, true];
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
    const [held, free] = [await insertDelivery(upTo(6)), await insertDelivery(upTo(6))];
    await inSqlTransaction(async (worker) => {
      await recordAttempts(worker, [failure(held, 7)]);
      expect(await cap(2, 1)).toBe(4);
    });
    expect(await readNumbers(free)).toEqual([5, 6]);
    expect(await cap(2)).toBe(5);
    expect(await readNumbers(held)).toEqual([6, 7]);
  });
});

describe('the candidates of the cap', () => {
  it.each([1, 10])('are read from their own index, with a cap of %i', async (max) => {
    const { rows } = await database().query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${makeCapStatements(max).findCandidates.text}`,
      [1000, []],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using deliveries_stored_attempts_idx');
    expect(plan).not.toContain('Sort');
  });
});
