import { beforeEach, describe, expect, it } from 'vitest';
import { takeMany } from '@/lib/delivery/engine/outbox/outbox-sql';
import { takeEntries } from '@/lib/delivery/engine/outbox/take-entries';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import type { Columns, Statement, ValuesOf } from '@/lib/platform/sql/statement';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { leaseDue, pollDueWork, searchTargets, searchTurns } from './claim-sql';
import { claimDue, DueWorkPoller } from './due-work-poller';
import { LowWatermarks } from './low-watermarks';

useDatabase();

beforeEach(() => database().query('DELETE FROM deliveries; DELETE FROM outbox'));

const ROWS = 3_000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Stores events that wait in the outbox since `ago`, with a pending delivery of each. Their order in the tables is another. */
async function insertWaiting(endpoint: TestEndpoint, count: number, agoMs: number): Promise<void> {
  const eventIds = await insertEvents(endpoint.projectId, count);
  const times = () => eventIds.map(() => new Date(Date.now() - agoMs * (1 + Math.random())));
  await database().query(
    `UPDATE outbox o SET available_at = w.at FROM unnest($1::uuid[], $2::timestamptz[]) AS w(id, at) WHERE o.event_id = w.id`,
    [eventIds, times()],
  );
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at)
     SELECT gen_random_uuid(), $2, w.id, $3, w.at FROM unnest($1::uuid[], $4::timestamptz[]) AS w(id, at)`,
    [eventIds, endpoint.projectId, endpoint.id, times()],
  );
}

const makeEndpoint = () => insertEndpoint({ url: 'http://receiver.test/' });

itOnOneServer('while a backup keeps what was delivered, polls, probes, claims and takes read none of it', async () => {
  const endpoint = await makeEndpoint();
  const backup = await database().connect();
  try {
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await insertWaiting(endpoint, ROWS, HOUR_MS);
    await backup.query('SELECT count(*) FROM deliveries');
    await database().query('DELETE FROM outbox');
    await database().query(`UPDATE deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL, completed_at = now()`);
    await database().query('ANALYZE deliveries, outbox');
    await insertWaiting(endpoint, 1, 0);
    const before = await readPages(endpoint, new LowWatermarks());
    const watermarks = new LowWatermarks();
    await watermarks.advance(database());
    const after = await readPages(endpoint, watermarks);
    for (const name of ['poll', 'search', 'probe', 'claim', 'take'] as const) {
      expect([name, before[name] > 500]).toEqual([name, true]);
      expect([name, after[name] < 200]).toEqual([name, true]);
    }
  } finally {
    await backup.query('ROLLBACK');
    backup.release();
  }
});

/** The pages of the database that each statement reads. */
async function readPages({ id, projectId }: TestEndpoint, { outbox, deliveries: since }: LowWatermarks) {
  const wanted = { targets: [id], limits: [1], since, leaseSeconds: 0, maxBytes: 1 };
  const turn = {
    projects: [projectId],
    turnIds: [projectId],
    limits: [1],
    since: outbox,
    maxBytes: 1,
    maxDeliveries: 1,
    leaseSeconds: 0,
  };
  return {
    poll: await pagesOf(pollDueWork, {
      afterProject: LOWEST_ID,
      outboxSince: outbox,
      since,
    }),
    search: await pagesOf(searchTurns, { projects: [projectId], after: [LOWEST_ID], limits: [10], since: outbox }),
    probe: await pagesOf(searchTargets, { projects: [projectId], after: [LOWEST_ID], limits: [10], since }),
    claim: await pagesOf(leaseDue, wanted),
    take: await pagesOf(takeMany, turn),
  };
}

async function pagesOf<P extends Columns>(statement: Statement<Columns, P>, values: ValuesOf<P>): Promise<number> {
  const ordered = Object.keys(statement.params).map((name) => values[name]);
  const sql = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
  const { rows } = await database().query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(sql, ordered);
  const { Plan } = rows[0]?.['QUERY PLAN'][0] ?? {};
  return (Plan?.['Shared Hit Blocks'] ?? 0) + (Plan?.['Shared Read Blocks'] ?? 0);
}

describe('low watermarks', () => {
  const find = async (endpoint: TestEndpoint, watermarks: LowWatermarks) => {
    const { targets, turns: due } = await new DueWorkPoller(watermarks).poll(database());
    const turns = [{ key: endpoint.projectId, most: 10 }];
    const { entries } = await takeEntries(database(), turns, undefined, watermarks.outbox);
    const { jobs } = await claimDue(database(), new Map([[endpoint.id, 10]]), 1_000_000, watermarks.deliveries);
    return [targets.length, due.length, entries.length, jobs.length];
  };

  it('are below all that waits, however long it does', async () => {
    const endpoint = await makeEndpoint();
    await insertWaiting(endpoint, 2, 30 * DAY_MS);
    await insertWaiting(endpoint, 1, 0);
    const watermarks = new LowWatermarks();
    await watermarks.advance(database());
    expect(await find(endpoint, watermarks)).toEqual([1, 1, 3, 3]);
  });

  it('are below what was stored as of a minute before, and below all else once they are read again', async () => {
    const endpoint = await makeEndpoint();
    const watermarks = new LowWatermarks();
    await watermarks.advance(database());
    await insertWaiting(endpoint, 1, 20 * SECOND_MS);
    expect(await find(endpoint, watermarks)).toEqual([1, 1, 1, 1]);
    await insertWaiting(endpoint, 1, HOUR_MS);
    expect(await find(endpoint, watermarks)).toEqual([0, 0, 0, 0]);
    await watermarks.advance(database());
    expect(await find(endpoint, watermarks)).toEqual([1, 1, 1, 1]);
  });

  it('are the beginning of time while they cannot be read', async () => {
    const endpoint = await makeEndpoint();
    const watermarks = new LowWatermarks();
    await watermarks.advance(database());
    await insertWaiting(endpoint, 1, HOUR_MS);
    const failing = { query: () => Promise.reject(new Error('canceling statement due to statement timeout')) };
    await expect(watermarks.advance(failing as unknown as Sql)).rejects.toThrow('canceling');
    expect(await find(endpoint, watermarks)).toEqual([1, 1, 1, 1]);
  });
});
