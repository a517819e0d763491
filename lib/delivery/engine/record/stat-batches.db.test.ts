import { expect, it } from 'vitest';
import { failDue } from '@/lib/delivery/engine/claims/claim-sql';
import type { Job, Outcome } from '@/lib/delivery/engine/types';
import { database } from '@/lib/platform/db';
import { timeOfId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { failure, makeJobs, SUCCESS, success, targetOf } from '@/tests/delivery/outcomes';
import { recordOutcomes } from './record-outcomes';

useDatabase();

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
    'DELETE FROM stat_batches RETURNING id, project_ids, target_ids, kinds::text, are_last, durations_ms, latencies_ms',
  );
  return rows.sort((a, b) => Number(a.id) - Number(b.id));
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
  const queued = await takeBatches();
  expect(queued.map(({ kinds, are_last }) => [kinds, are_last])).toEqual([['{SERVER_ERROR,SUCCEEDED}', [true, false]]]);
  expect(queued[0]?.latencies_ms[0]).toBeNull();
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
  expect(await failDue.run(database(), endpoint.id, 'Endpoint is disabled', 10)).toBe(1);
  expect(await takeBatches()).toMatchObject([{ kinds: '{NOT_SENT}', are_last: [true], target_ids: [endpoint.id] }]);
});
