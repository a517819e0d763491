import { nextRetryMs } from '@/lib/delivery/backoff';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { type SpanStart, tracer } from '@/lib/platform/tracing/tracer';
import { makeAttempt } from './make-attempt';
import { OWN_URL_FAULT } from './own-service';
import { GONE_STATUS } from './record/target-health';
import type { AttemptResult, Job, Outcome, Target } from './types';

/** Makes the attempt of a job and computes when to retry. Never rejects. */
export async function attemptJob(pools: HttpPools, job: Job, target: Target): Promise<Outcome> {
  const span = tracer()?.start(attemptSpan(job, target)) ?? null;
  const result = await makeAttempt(pools, target, job.message, {
    tenant: target.projectId,
    ...(span === null ? {} : { traceparent: span.traceparent }),
  });
  const outcome = { job, target, result, retryMs: retryMsAfter(result, job, target) };
  span?.end(
    { ...(result.responseStatus === null ? {} : { 'http.response.status_code': result.responseStatus }) },
    result.error ?? undefined,
  );
  return outcome;
}

/** The host of a receiver is its owner's: the span names the target by its id. */
function attemptSpan(job: Job, target: Target): SpanStart {
  const { eventId, incomingEventId } = job.source;
  return {
    name: 'delivery attempt',
    kind: 'client',
    parent: job.message.traceparent ?? null,
    attributes: {
      'http.request.method': 'POST',
      'eds.delivery.id': job.deliveryId,
      'eds.delivery.attempt': job.attemptNumber,
      'eds.project.id': job.projectId,
      [`eds.${target.kind}.id`]: target.id,
      ...(eventId === null ? {} : { 'eds.event.id': eventId }),
      ...(incomingEventId === null ? {} : { 'eds.incoming_event.id': incomingEventId }),
    },
  };
}

/** Null if no retry follows: after a success, after 410 Gone, to this service itself, and at the end of the schedule. */
function retryMsAfter(result: AttemptResult, job: Job, target: Target): number | null {
  if (result.succeeded || result.responseStatus === GONE_STATUS || target.fault === OWN_URL_FAULT) return null;
  return nextRetryMs({
    scheduleSeconds: target.scheduleSeconds,
    attempts: job.scheduleStep + 1,
    responseStatus: result.responseStatus,
    retryAfter: result.retryAfter,
    now: new Date(),
    random: Math.random(),
  });
}
