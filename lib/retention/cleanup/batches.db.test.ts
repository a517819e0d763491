import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { sqlState } from '@/lib/platform/database-errors';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { countBatchResult } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, idsOf, insertDeliverySource, useDeliveryProject } from '@/tests/fixtures/delivery-sources';
import { readCounters, readRun, runStep, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { startEventLoopClock } from '@/tests/time/event-loop-clock';
import { runInBatches } from './batches';
import { cleanEvents, cleanIncomingEvents } from './clean-events';
import { cleanOutbox } from './clean-expired';
import { INCOMING_EVENT } from './event-sql';

useDatabase();

beforeEach(() => database().query('TRUNCATE retention_runs, metric_counters'));

/** Runs batches that end as `work` says. @returns the limit of each */
async function limitsOf(
  batchSize: number,
  work: (call: number) => Promise<boolean>,
  options: { signal?: AbortSignal } = {},
): Promise<number[]> {
  const limits: number[] = [];
  const run = await startTestRun({ policy: { batchSize }, ...options });
  await runInBatches(run, (_, limit) => {
    limits.push(limit);
    return work(limits.length);
  });
  return limits;
}

const failWith = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('runInBatches', () => {
  it("runs batches of the policy's size until one has nothing more to do", async () => {
    expect(await limitsOf(7, async (call) => call < 4)).toEqual([7, 7, 7, 7]);
  });

  it('pauses after a batch for at least as long as the batch took', async () => {
    const times: [start: number, end: number][] = [];
    await limitsOf(1, async (call) => {
      const start = performance.now();
      await database().query('SELECT pg_sleep($1)', [call === 1 ? 0.15 : 0.03]);
      times.push([start, performance.now()]);
      return call < 3;
    });
    for (const [index, [start]] of times.entries()) {
      const before = times[index - 1];
      // The transaction around it takes time too; timers may fire a millisecond early.
      if (before !== undefined) expect(start - before[1]).toBeGreaterThanOrEqual(before[1] - before[0] - 2);
    }
    expect(times).toHaveLength(3);
  });

  it("halves a batch whose statement times out, and lets it grow back to the policy's size", async () => {
    const run = await startTestRun({ policy: { batchSize: 400 } });
    const seen: number[] = [];
    await runInBatches(
      run,
      async (tx, limit) => {
        seen.push(limit);
        if (limit > 150 && seen.length < 4) await tx.query('SELECT pg_sleep(10)');
        return seen.length < 10;
      },
      // Longer than any other statement of a batch takes, also on a busy machine.
      { statementTimeoutMs: 1_000 },
    );
    expect(seen.slice(0, 5)).toEqual([400, 200, 100, 125, 157]);
    expect(seen.at(-1)).toBe(400);
  });

  it("never goes below ten rows or above the policy's size", async () => {
    const limits = await limitsOf(35, (call) => (call < 5 ? failWith('57014') : Promise.resolve(false)));
    expect(limits).toEqual([35, 17, 10, 10, 10]);
    expect(await limitsOf(4, (call) => (call < 3 ? failWith('57014') : Promise.resolve(false)))).toEqual([4, 4, 4]);
  });

  it.each(['57014', '55P03', '40P01'])('retries after %s, eight times at most', async (code) => {
    let calls = 0;
    const attempt = limitsOf(10, () => {
      calls += 1;
      return failWith(code);
    });
    expect(sqlState(await attempt.catch((error) => error))).toBe(code);
    expect(calls).toBe(8);
  });

  it('fails at once with any other error', async () => {
    let calls = 0;
    const attempt = limitsOf(10, () => {
      calls += 1;
      return failWith('42P01');
    });
    expect(sqlState(await attempt.catch((error) => error))).toBe('42P01');
    expect(calls).toBe(1);
  });

  it('finishes the batch under way when told to stop, and skips the pause after it', async () => {
    const stop = new AbortController();
    const run = await startTestRun({ signal: stop.signal });
    let elapsedMs = () => Number.NaN;
    await runInBatches(run, async (tx) => {
      await tx.query('SELECT pg_sleep(1)');
      stop.abort();
      await countBatchResult(tx, run, { rows: { events: 5 } });
      elapsedMs = startEventLoopClock();
      return true;
    });
    expect(elapsedMs()).toBeLessThan(700);
    expect((await readRun(run)).rows_removed).toEqual({ events: 5 });
    expect(await limitsOf(1, async () => true, { signal: AbortSignal.abort() })).toEqual([]);
  });

  it('waits half a second at most for a lock, and retries', async () => {
    const run = await startTestRun();
    const holder = await database().connect();
    await holder.query('BEGIN; LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE');
    const calls: number[] = [];
    await runInBatches(run, async (tx) => {
      calls.push(performance.now());
      if (calls.length === 2) await holder.query('ROLLBACK');
      await tx.query('DELETE FROM outbox');
      return false;
    });
    holder.release();
    expect(calls).toHaveLength(2);
  });
});

describe('the rows that a batch counts', () => {
  it('are counted if and only if the batch is committed', async () => {
    const run = await startTestRun();
    let calls = 0;
    await runInBatches(run, async (tx) => {
      calls += 1;
      await countBatchResult(tx, run, { rows: { events: 3, deliveries: 1 } });
      if (calls === 2) await failWith('40P01');
      return calls < 3;
    });
    expect((await readRun(run)).rows_removed).toEqual({ events: 6, deliveries: 2 });
    expect(await readCounters()).toEqual({
      'retention_rows_removed_total events': 6,
      'retention_rows_removed_total deliveries': 2,
    });
  });

  it('stay counted when a later batch fails for good', async () => {
    const run = await startTestRun();
    let calls = 0;
    const failing = runInBatches(run, async (tx) => {
      calls += 1;
      await countBatchResult(tx, run, { rows: { events: 3 } });
      if (calls === 2) await failWith('42P01');
      return true;
    });
    await expect(failing).rejects.toThrow();
    expect((await readRun(run)).rows_removed).toEqual({ events: 3 });
  });
});

const now = new Date('2028-03-01T02:00:00.000Z');
const cutoff = expiryCutoff(now, 90);
const project = useDeliveryProject();

async function insertMail(deadAt: Date | null, createdAt = addMs(now, -300 * DAY_MS)): Promise<string> {
  const id = newId();
  await database().query(
    `INSERT INTO outbox (id, kind, status, dead_at, created_at) VALUES ($1, 'EVENT', $2::"OutboxStatus", $3, $4)`,
    [id, deadAt === null ? 'PENDING' : 'DEAD', deadAt, createdAt],
  );
  return id;
}

const clean = (options: TestRunOptions = {}) => runStep(cleanOutbox, { now, ...options });

describe('an outbox row', () => {
  it('that died exactly 90 days ago is removed, and one that died a millisecond later stays', async () => {
    await insertMail(cutoff);
    const kept = await insertMail(addMs(cutoff, 1));
    expect(await clean()).toEqual({ outbox: 1 });
    expect(await idsOf('outbox')).toEqual([kept]);
  });

  it('of an event or incoming event is removed by the same rule, without its event', async () => {
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD' });
    await insertDeliverySource({ project, at: cutoff, source: INCOMING_EVENT, outbox: 'DEAD' });
    expect(await clean()).toEqual({ outbox: 2 });
    expect(await countRows('events', 'incoming_events')).toEqual({ events: 1, incoming_events: 1 });
  });

  it('that is pending stays, however old it is', async () => {
    await insertMail(null, new Date('2015-01-01T00:00:00Z'));
    await insertDeliverySource({ project, at: new Date('2015-01-01T00:00:00Z'), outbox: 'PENDING' });
    expect(await clean()).toEqual({});
    expect(await countRows('outbox')).toEqual({ outbox: 2 });
  });

  it('that an operator returns to the queue stays', async () => {
    const revived = await insertMail(cutoff);
    await insertMail(cutoff);
    await inSqlTransaction(async (tx) => {
      await tx.query(`UPDATE outbox SET status = 'PENDING', dead_at = NULL WHERE id = $1`, [revived]);
      expect(await clean()).toEqual({ outbox: 1 });
    });
    expect(await clean()).toEqual({});
    expect(await idsOf('outbox')).toEqual([revived]);
  });
});

describe('a preview of the outbox', () => {
  it('excludes rows that are removed with their event', async () => {
    await insertMail(cutoff);
    await insertMail(null);
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD' });
    await insertDeliverySource({ project, at: cutoff, outbox: 'DEAD', deliveries: 1, deliveryStatus: 'PENDING' });
    await insertDeliverySource({ project, at: cutoff, source: INCOMING_EVENT, outbox: 'DEAD' });
    const run = await startTestRun({ now });
    const preview = await cleanOutbox.preview(run);
    expect(await countRows('outbox')).toEqual({ outbox: 5 });
    await cleanEvents.clean(run);
    await cleanIncomingEvents.clean(run);
    expect(preview).toEqual({ rows: await clean() });
    expect(preview.rows).toEqual({ outbox: 2 });
  });
});
