import { describe, expect, it } from 'vitest';
import { endLeases, failDue } from '@/lib/delivery/engine/claims/claim-sql';
import type { Job, Outcome } from '@/lib/delivery/engine/types';
import { database, hotDatabase } from '@/lib/platform/db';
import { newId, timeOfId } from '@/lib/platform/ids';
import { untilLockWait } from '@/tests/database/lock-waits';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { failure, makeJobs, SUCCESS, success, targetOf } from '@/tests/delivery/outcomes';
import {
  insertEndpoint,
  insertEvents,
  readAttempts,
  readDeliveries,
  type TestEndpoint,
} from '@/tests/fixtures/deliveries';
import { claimFirstJobs } from '@/tests/fixtures/outbox';
import { recordOutcomes } from './record-outcomes';
import { deleteEntries, insertAttempts, insertDeliveries, insertFirstAttempts } from './record-sql';
import { storeDeliveries } from './store-deliveries';
import { storeQueued } from './store-jobs';

useDatabase();

const countAttempts = async (jobs: readonly Job[]) =>
  (
    await database().query('SELECT FROM delivery_attempts WHERE delivery_id = ANY($1)', [
      jobs.map(({ deliveryId }) => deliveryId),
    ])
  ).rowCount;

const countOutbox = async ({ projectId }: TestEndpoint) =>
  (await database().query('SELECT FROM outbox WHERE project_id = $1', [projectId])).rowCount;

itOnOneServer(
  'records of attempts read only their outbox rows, also with a plan that is made while the outbox is empty',
  async () => {
    await database().query('ANALYZE outbox');
    const settings = ['enable_hashjoin', 'enable_nestloop'].map((name) => `SET LOCAL ${name} = off;`).join(' ');
    for (const { text } of [deleteEntries, insertDeliveries, insertFirstAttempts]) {
      const client = await hotDatabase().connect();
      try {
        // A merge join is what the planner chose by stale estimates.
        await client.query(`BEGIN; ${settings}`);
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
        const plan = rows.map((row) => row['QUERY PLAN']);
        const scans = plan.flatMap((line, at) => (/(?:Scan|outbox_pkey).* on outbox/.test(line) ? [plan[at + 1]] : []));
        expect(scans.length).toBeGreaterThan(0);
        for (const condition of scans) expect(condition).toMatch(/(?:Index|Recheck) Cond: .*id = ANY/);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  },
);

itOnOneServer(
  'deliveries in flight are found by their ids, also when the statistics know none that is pending',
  async () => {
    const { endpoint } = await makeJobs(0);
    const [eventId] = await insertEvents(endpoint.projectId, 1);
    const insert = (status: string, dueAt: string) =>
      database().query(
        `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, $3, $4::"DeliveryStatus", ${dueAt} FROM generate_series(1, 20_000)`,
        [endpoint.projectId, eventId, endpoint.id, status],
      );
    await insert('SUCCEEDED', 'NULL');
    await database().query('ANALYZE deliveries');
    await insert('PENDING', 'now()');
    for (const { text } of [endLeases, insertAttempts]) {
      const { rows } = await hotDatabase().query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
      const scans = rows
        .map((row) => row['QUERY PLAN'])
        .filter((line) => /Scan.* (?:on|using) .*deliver(?:y|ies)/.test(line));
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) expect(scan).toContain('deliveries_pkey');
    }
    await database().query('DELETE FROM deliveries WHERE project_id = $1', [endpoint.projectId]);
  },
);

/** Stores an event for two endpoints and claims its two jobs. */
async function claimTwoOfOneEvent() {
  const { endpoint } = await makeJobs(0);
  await insertEndpoint({ url: 'http://receiver.test/', projectId: endpoint.projectId });
  await insertEvents(endpoint.projectId, 1);
  const [a, b] = (await claimFirstJobs(endpoint.projectId)) as [Job, Job];
  return { endpoint, a, b, target: await targetOf(endpoint) };
}

describe('a result', () => {
  it('is recorded with its attempt', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const target = await targetOf(endpoint);
    const [a, b] = jobs as [Job, Job];
    const startedAt = Date.now();
    const { counted } = await recordOutcomes([success(a, target), failure(b, target)]);
    const endedAt = Date.now();
    expect(counted).toHaveLength(2);
    const byId = new Map((await readDeliveries(endpoint.id)).map((delivery) => [delivery.id, delivery]));
    expect(byId.get(a.deliveryId)).toMatchObject({
      status: 'SUCCEEDED',
      attempt_count: 1,
      schedule_step: 1,
      next_attempt_at: null,
    });
    expect(byId.get(b.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempt_count: 1,
      last_error: 'Answered with status 500',
      completed_at: null,
    });
    const dueAt = byId.get(b.deliveryId)?.next_attempt_at?.getTime();
    expect(dueAt).toBeGreaterThanOrEqual(startedAt + 5_000);
    expect(dueAt).toBeLessThanOrEqual(endedAt + 5_000);
    expect(await readAttempts(endpoint.id)).toMatchObject([
      { started_at: SUCCESS.startedAt, duration_ms: 12 },
      { started_at: SUCCESS.startedAt, duration_ms: 12 },
    ]);
  });

  it('that is recorded twice counts once', async () => {
    const { endpoint, jobs } = await makeJobs();
    const target = await targetOf(endpoint);
    const [job] = jobs as [Job];
    await recordOutcomes([failure(job, target)]);
    expect((await recordOutcomes([failure(job, target)])).counted).toEqual([]);
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ attempt_count: 1, stored_attempts: 1 }]);
    expect(await readAttempts(endpoint.id)).toHaveLength(1);
  });

  it('changes nothing after the lease has ended and another worker has recorded the attempt', async () => {
    const { endpoint, jobs } = await makeJobs();
    const target = await targetOf(endpoint);
    const [stale] = jobs as [Job];
    await recordOutcomes([failure(stale, target)]);
    await recordOutcomes([success({ ...stale, attemptNumber: 2, scheduleStep: 1 }, target)]);
    for (const late of [
      failure(stale, target, null),
      failure({ ...stale, attemptNumber: 2, scheduleStep: 1 }, target, null),
    ]) {
      expect((await recordOutcomes([late])).counted).toEqual([]);
    }
    expect(await readDeliveries(endpoint.id)).toMatchObject([
      { status: 'SUCCEEDED', attempt_count: 2, stored_attempts: 2 },
    ]);
  });

  it('is recorded by only one of two workers that made the same attempt', async () => {
    const { endpoint, jobs } = await makeJobs();
    const target = await targetOf(endpoint);
    const [job] = jobs as [Job];
    const done = await Promise.all([success(job, target), failure(job, target)].map((each) => recordOutcomes([each])));
    expect(done.flatMap(({ counted }) => counted)).toHaveLength(1);
    expect(await readAttempts(endpoint.id)).toHaveLength(1);
  });

  it('does not cancel a retry by hand that was requested during the attempt', async () => {
    const { endpoint, jobs } = await makeJobs(1, true);
    const target = await targetOf(endpoint);
    const job = { ...(jobs[0] as Job), attemptNumber: 3, scheduleStep: 2 };
    await database().query(
      'UPDATE deliveries SET attempt_count = 2, schedule_step = 0, next_attempt_at = now() WHERE id = $1',
      [job.deliveryId],
    );
    await recordOutcomes([failure(job, target, null)]);
    const [delivery] = await readDeliveries(endpoint.id);
    expect(delivery).toMatchObject({ status: 'PENDING', attempt_count: 3, schedule_step: 0 });
    expect(delivery?.next_attempt_at?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('of a deleted delivery is dropped', async () => {
    const { endpoint, jobs } = await makeJobs(1, true);
    const target = await targetOf(endpoint);
    await database().query('DELETE FROM events WHERE project_id = $1', [endpoint.projectId]);
    expect((await recordOutcomes([success(jobs[0] as Job, target)])).counted).toEqual([]);
    expect(await countAttempts(jobs)).toBe(0);
  });

  it('is dropped and stores no delivery after an erasure has removed the outbox row', async () => {
    const { endpoint, jobs } = await makeJobs();
    const target = await targetOf(endpoint);
    await database().query('DELETE FROM outbox WHERE project_id = $1', [endpoint.projectId]);
    expect((await recordOutcomes([success(jobs[0] as Job, target)])).counted).toEqual([]);
    expect(await readDeliveries(endpoint.id)).toEqual([]);
    expect(await countAttempts(jobs)).toBe(0);
  });

  it('keeps the outbox row until every delivery of the event is stored', async () => {
    const { endpoint, a, b, target } = await claimTwoOfOneEvent();
    await recordOutcomes([success(a, { ...target, id: a.targetId })]);
    expect(await countOutbox(endpoint)).toBe(1);
    await recordOutcomes([success(b, { ...target, id: b.targetId })]);
    expect(await countOutbox(endpoint)).toBe(0);
  });

  it('removes the outbox row even when its last two deliveries are stored at the same time', async () => {
    const { endpoint, a, b, target } = await claimTwoOfOneEvent();
    await Promise.all([
      recordOutcomes([success(a, { ...target, id: a.targetId })]),
      storeDeliveries(database(), [b], 30),
    ]);
    expect(await countOutbox(endpoint)).toBe(0);
  });

  it('does not remove an outbox row that another worker has taken meanwhile', async () => {
    const { endpoint, jobs } = await makeJobs();
    const endLease = () =>
      database().query('UPDATE outbox SET available_at = now() WHERE project_id = $1', [endpoint.projectId]);
    await endLease();
    const again = await claimFirstJobs(endpoint.projectId);
    const target = await targetOf(endpoint);
    expect((await recordOutcomes([success(jobs[0] as Job, target)])).counted).toHaveLength(1);
    expect(await countOutbox(endpoint)).toBe(1);
    expect((await recordOutcomes([failure(again[0] as Job, target)])).counted).toEqual([]);
    expect(await countOutbox(endpoint)).toBe(0);
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 1 }]);
    expect(await readAttempts(endpoint.id)).toHaveLength(1);
  });
});

describe('a batch of results', () => {
  it('locks its deliveries in the order of their ids, as replays do, so that neither waits for the other', async () => {
    const { endpoint, jobs } = await makeJobs(40, true);
    const target = await targetOf(endpoint);
    const sorted = [...jobs].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
    const [lowest, ...others] = sorted as [Job, ...Job[]];
    const replay = await database().connect();
    try {
      await replay.query(`BEGIN; SET LOCAL lock_timeout = '2s'`);
      await replay.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [lowest.deliveryId]);
      const recording = recordOutcomes([...sorted].reverse().map((job) => failure(job, target)));
      await untilLockWait(recording);
      const ids = others.map(({ deliveryId }) => deliveryId);
      await replay.query('SELECT FROM deliveries WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
      await replay.query('COMMIT');
      expect((await recording).counted).toHaveLength(40);
    } finally {
      replay.release(true);
    }
  });
});

describe('storing deliveries', () => {
  async function makeJob(): Promise<{ endpoint: TestEndpoint; job: Job }> {
    const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
    await insertEvents(endpoint.projectId, 1);
    const [job] = (await claimFirstJobs(endpoint.projectId)) as [Job];
    return { endpoint, job };
  }

  const readOutbox = async ({ projectId }: TestEndpoint) =>
    (await database().query('SELECT last_error, attempts FROM outbox WHERE project_id = $1', [projectId])).rows;

  it('a delivery that the database rejects reschedules its own event and delays no other', async () => {
    const good = await makeJob();
    const bad = await makeJob();
    const also = await makeJob();
    bad.job.targetId = newId();
    const stored = await storeQueued([good.job, bad.job, also.job]);
    expect(stored).toEqual([good.job, also.job]);
    for (const { endpoint } of [good, also]) {
      expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'PENDING' }]);
      expect(await readOutbox(endpoint)).toEqual([]);
    }
    expect(await readDeliveries(bad.endpoint.id)).toEqual([]);
    expect(await readOutbox(bad.endpoint)).toMatchObject([{ last_error: expect.stringContaining('foreign key') }]);
  });
});

describe('the queue of the statistics', () => {
  interface Batch {
    project_ids: string[];
    target_ids: string[];
    kinds: string;
    are_last: boolean[];
    durations_ms: number[];
    latencies_ms: (number | null)[];
  }

  /** Reads what was queued for the statistics, and empties the queue. */
  async function takeBatches(): Promise<Batch[]> {
    const { rows } = await database().query<Batch & { id: string }>(
      'SELECT id, project_ids, target_ids, kinds::text, are_last, durations_ms, latencies_ms FROM stat_batches ORDER BY id',
    );
    await database().query('DELETE FROM stat_batches WHERE id = ANY($1)', [rows.map(({ id }) => id)]);
    return rows;
  }

  const withResult = (outcome: Outcome, result: Partial<Outcome['result']>): Outcome => ({
    ...outcome,
    result: { ...outcome.result, ...result },
  });

  it('a batch of results is queued for the statistics as one row', async () => {
    const { endpoint, jobs } = await makeJobs(6);
    const target = await targetOf(endpoint);
    await takeBatches();
    const [a, b, c, d, e, f] = jobs as [Job, Job, Job, Job, Job, Job];
    await recordOutcomes([
      success(a, target),
      failure(b, target, null),
      withResult(failure(c, target), { responseStatus: 404 }),
      withResult(failure(d, target), { responseStatus: 301 }),
      withResult(failure(e, target), { responseStatus: 200, error: 'No response within 15 s' }),
      withResult(failure(f, target), { responseStatus: null, error: 'Connection refused' }),
    ]);
    const [batch, ...others] = await takeBatches();
    expect(others).toEqual([]);
    expect(batch?.kinds).toBe('{SUCCEEDED,SERVER_ERROR,CLIENT_ERROR,REDIRECT,TIMED_OUT,NO_RESPONSE}');
    expect(batch?.are_last).toEqual([false, true, false, false, false, false]);
    expect(new Set(batch?.project_ids)).toEqual(new Set([endpoint.projectId]));
    expect(new Set(batch?.target_ids)).toEqual(new Set([endpoint.id]));
    const latencyMs = Math.max(0, SUCCESS.startedAt.getTime() + SUCCESS.durationMs - timeOfId(a.source.eventId ?? ''));
    expect(batch?.latencies_ms).toEqual([latencyMs, null, null, null, null, null]);
  });

  it('results that were too late are left out, alone and beside others', async () => {
    const { endpoint, jobs } = await makeJobs(3, true);
    const target = await targetOf(endpoint);
    const [a, b, c] = jobs as [Job, Job, Job];
    await recordOutcomes([failure(a, target)]);
    await takeBatches();
    await recordOutcomes([failure(b, target, null), failure(a, target, null), success(c, target)]);
    const [queued, ...others] = await takeBatches();
    expect(others).toEqual([]);
    const kinds = queued?.kinds.slice(1, -1).split(',') ?? [];
    const found = kinds.map((kind, n) => [kind, queued?.are_last[n], queued?.latencies_ms[n] === null]);
    expect(found.toSorted()).toEqual([
      ['SERVER_ERROR', true, true],
      ['SUCCEEDED', false, false],
    ]);
    await recordOutcomes([failure(a, target)]);
    expect(await takeBatches()).toEqual([]);
  });

  it('later attempts are queued too, and one that was retried by hand has no latency', async () => {
    const { endpoint, jobs } = await makeJobs(2);
    const target = await targetOf(endpoint);
    const [a, b] = jobs as [Job, Job];
    await recordOutcomes([failure(a, target), failure(b, target)]);
    await takeBatches();
    await recordOutcomes([
      success({ ...a, attemptNumber: 2, scheduleStep: 1 }, target),
      success({ ...b, attemptNumber: 2, scheduleStep: 0 }, target),
    ]);
    const [batch] = await takeBatches();
    expect(batch?.kinds).toBe('{SUCCEEDED,SUCCEEDED}');
    expect(batch?.latencies_ms.map((latency) => latency === null)).toEqual([false, true]);
  });

  it('deliveries that fail without an attempt count as failed', async () => {
    const { endpoint, jobs } = await makeJobs(1);
    await recordOutcomes([failure(jobs[0] as Job, await targetOf(endpoint), 0)]);
    await database().query('UPDATE deliveries SET next_attempt_at = now() WHERE endpoint_id = $1', [endpoint.id]);
    await takeBatches();
    const disabled = { targets: [endpoint.id], errors: ['Endpoint is disabled'], limits: [10] };
    expect(await failDue.all(database(), disabled)).toEqual([{ target_id: endpoint.id, failed: 1 }]);
    expect(await takeBatches()).toMatchObject([{ kinds: '{NOT_SENT}', are_last: [true], target_ids: [endpoint.id] }]);
  });
});
