import { knownOwnerOfProject } from '@/lib/orgs/tenant';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { type SpanStart, tracer } from '@/lib/platform/tracing/tracer';
import { makeAttempt } from './make-attempt';
import { OWN_URL_FAULT } from './own-service';
import { GONE_STATUS } from './record/target-health';
import type { AttemptResult, Job, Message, Outcome, Target } from './types';

/**
 * Makes the attempt of a job and computes when to retry. Never rejects.
 * @param message that of the job, with its entire body
 */
export async function attemptJob(
  pools: HttpPools,
  job: Job,
  target: Target,
  message: Message = job.message,
): Promise<Outcome> {
  const span = tracer()?.start(attemptSpan(job, target)) ?? null;
  const result = await makeAttempt(pools, target, message, {
    tenant: knownOwnerOfProject(target.projectId) ?? target.projectId,
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

/** A retry may be up to 10 % late (docs/specification.md#deliveries): 8 % spreads the retries, 2 % is for their queue. */
const MAX_JITTER = 0.08;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
const STATUSES_WITH_RETRY_AFTER: ReadonlySet<number | null> = new Set([429, 503]);

interface FailedAttempt {
  /** Seconds before each retry: the endpoint's own schedule, else the deployment's. */
  scheduleSeconds: readonly number[];
  /** Attempts since the delivery was created or last retried by hand, including this one. */
  attempts: number;
  responseStatus: number | null;
  /** The header Retry-After of the response. */
  retryAfter: string | null;
  now: Date;
  /** From 0 to 1. */
  random: number;
}

/**
 * Returns the milliseconds until the next attempt; null after the last one. A retry is never earlier than scheduled. A longer
 * Retry-After of a 429 or 503 replaces the schedule, up to 24 hours.
 */
export function nextRetryMs(failed: FailedAttempt): number | null {
  const seconds = failed.scheduleSeconds[failed.attempts - 1];
  if (seconds === undefined) return null;
  const scheduledMs = Math.ceil(seconds * SECOND_MS * (1 + MAX_JITTER * failed.random));
  if (!STATUSES_WITH_RETRY_AFTER.has(failed.responseStatus)) return scheduledMs;
  return Math.max(scheduledMs, Math.min(retryAfterMs(failed.retryAfter, failed.now), LONGEST_RETRY_AFTER_MS));
}

/** Parses a Retry-After of whole seconds or an HTTP date (RFC 9110, 10.2.3) into milliseconds; 0 for anything else. */
function retryAfterMs(value: string | null, now: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  // Only dates start with a letter. Date.parse would read "-5" as a year.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
