import { nextRetryMs } from '@/lib/delivery/backoff';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { makeAttempt } from './make-attempt';
import { GONE_STATUS } from './record/target-health';
import type { AttemptResult, Job, Outcome, Target } from './types';

/** Makes the attempt of a job and computes when to retry. Never rejects. */
export async function attemptJob(pools: HttpPools, job: Job, target: Target): Promise<Outcome> {
  const result = await makeAttempt(pools, target, job.message, { tenant: target.projectId });
  return { job, target, result, retryMs: retryMsAfter(result, job, target) };
}

/** Null if no retry follows: after a success, after 410 Gone, and at the end of the schedule. */
function retryMsAfter(result: AttemptResult, job: Job, target: Target): number | null {
  if (result.succeeded || result.responseStatus === GONE_STATUS) return null;
  return nextRetryMs({
    scheduleSeconds: target.scheduleSeconds,
    attempts: job.scheduleStep + 1,
    responseStatus: result.responseStatus,
    retryAfter: result.retryAfter,
    now: new Date(),
    random: Math.random(),
  });
}
