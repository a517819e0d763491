import { loadTargets } from '@/lib/delivery/engine/targets';
import type { AttemptResult, Job, Outcome, Target } from '@/lib/delivery/engine/types';
import { database } from '@/lib/platform/db';
import { insertEndpoint, insertEvents, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { claimAndStore, claimFirstJobs } from '@/tests/fixtures/outbox';

/** Makes leased first attempts, whose deliveries exist only in memory or are stored. */
export async function makeJobs(count = 1, isStored = false): Promise<{ endpoint: TestEndpoint; jobs: Job[] }> {
  const endpoint = await insertEndpoint({ url: 'http://user:secret@receiver.test/hook?token=secret' });
  await insertEvents(endpoint.projectId, count);
  const { projectId } = endpoint;
  return { endpoint, jobs: isStored ? await claimAndStore(projectId, 30) : await claimFirstJobs(projectId) };
}

/** Reads an endpoint as the target of deliveries. */
export async function targetOf(endpoint: TestEndpoint): Promise<Target> {
  const found = (await loadTargets(database(), [endpoint.id])).get(endpoint.id);
  if (found === undefined || !('target' in found)) throw new Error('no target');
  return found.target;
}

export const SUCCESS: AttemptResult = {
  succeeded: true,
  responseStatus: 200,
  responseBody: 'ok',
  error: null,
  retryAfter: null,
  startedAt: new Date('2026-11-20T12:00:00.123Z'),
  durationMs: 12,
  requestParts: 'user-agent: Test/1.0\nwebhook-signature: v1,c2ln',
  responseHeaders: 'content-type: text/plain',
  remoteAddress: '203.0.113.7:443',
  timing: { dnsUs: 1_200, connectUs: 3_400, tlsUs: 5_600, firstByteUs: 11_000 },
};

export const FAILURE: AttemptResult = {
  ...SUCCESS,
  succeeded: false,
  responseStatus: 500,
  error: 'Answered with status 500',
};

/** What a worker records of a delivered attempt. */
export const success = (job: Job, target: Target): Outcome => ({ job, target, result: SUCCESS, retryMs: null });

/** What a worker records of a failed attempt. */
export const failure = (job: Job, target: Target, retryMs: number | null = 5_000): Outcome => ({
  job,
  target,
  result: FAILURE,
  retryMs,
});
