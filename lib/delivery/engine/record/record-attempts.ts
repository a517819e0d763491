import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { newId, timeOfId } from '@/lib/platform/ids';
import { isTimeout } from '@/lib/platform/net/failure-reason';
import { toBinaryTexts } from '@/lib/platform/sql/binary-texts';
import {
  type AttemptKind,
  type AttemptsValues,
  insertAttempts,
  insertFirstAttempts,
  type StatsValues,
} from './record-sql';
import { deliveryColumns, type OutboxEntries } from './store-deliveries';

/**
 * Records attempts of stored deliveries, and updates the deliveries, in one statement.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordAttempts(sql: Sql, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  const rows = await insertAttempts.all(sql, {
    deliveryIds: column(({ job }) => job.deliveryId),
    attemptNumbers: column(({ job }) => job.attemptNumber),
    scheduleSteps: column(({ job }) => job.scheduleStep),
    projectIds: column(({ job }) => job.projectId),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
  });
  return recordedOf(outcomes, rows);
}

/**
 * Records first attempts together with their deliveries, in one statement. The caller settles `entries` after the commit.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordFirstAttempts(
  sql: Sql,
  outcomes: readonly Outcome[],
  entries: OutboxEntries,
): Promise<Outcome[]> {
  const now = performance.now();
  const rows = await insertFirstAttempts.all(sql, {
    ...entries.values,
    ...deliveryColumns((read) => outcomes.map(({ job }) => read(job))),
    agesSeconds: outcomes.map(({ job }) => (now - job.leasedAt) / 1000),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
  });
  return recordedOf(outcomes, rows);
}

/** Reads the parameters of attempts, with a new id for each. */
function attemptColumns(outcomes: readonly Outcome[]): AttemptsValues {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return {
    haveSucceeded: column(({ result }) => result.succeeded),
    retrySeconds: column(({ retryMs }) => (retryMs === null ? null : retryMs / 1000)),
    startTimes: column(({ result }) => result.startedAt.toISOString()),
    durationsMs: column(({ result }) => result.durationMs),
    statuses: column(({ result }) => result.responseStatus),
    bodies: toBinaryTexts(column(({ result }) => result.responseBody)),
    errors: toBinaryTexts(column(({ result }) => result.error)),
    attemptIds: column(() => newId()),
    requestParts: toBinaryTexts(column(({ result }) => result.requestParts)),
    responseHeaders: toBinaryTexts(column(({ result }) => result.responseHeaders)),
    remoteAddresses: toBinaryTexts(column(({ result }) => result.remoteAddress)),
    dnsUs: integers(column(({ result }) => result.timing.dnsUs)),
    connectUs: integers(column(({ result }) => result.timing.connectUs)),
    tlsUs: integers(column(({ result }) => result.timing.tlsUs)),
    firstByteUs: integers(column(({ result }) => result.timing.firstByteUs)),
  };
}

/** Writes an array of PostgreSQL: the driver would quote and escape each number. */
function integers(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** @returns the outcomes whose deliveries the statement returned; the others were too late */
function recordedOf(outcomes: readonly Outcome[], rows: readonly { delivery_id: string }[]): Outcome[] {
  const recorded = new Set(rows.map(({ delivery_id }) => delivery_id));
  return outcomes.filter(({ job }) => recorded.has(job.deliveryId));
}

/** The largest value of an integer column: 24 days. */
const MAX_MS = 2_147_483_647;

/** Reads the parameters that the statistics need of attempts. */
function statColumns(outcomes: readonly Outcome[]): StatsValues {
  return {
    targetIds: outcomes.map(({ job }) => job.targetId),
    kinds: outcomes.map(kindOf),
    areLast: outcomes.map(({ result, retryMs }) => !result.succeeded && retryMs === null),
    latenciesMs: outcomes.map(latencyOf),
  };
}

/** The same rules as in the trigger of what others insert: prisma/migrations/20261125000000_initial. */
function kindOf({ result: { succeeded, error, responseStatus } }: Outcome): AttemptKind {
  if (succeeded) return 'SUCCEEDED';
  if (error !== null && isTimeout(error)) return 'TIMED_OUT';
  if (responseStatus === null || responseStatus < 300) return 'NO_RESPONSE';
  if (responseStatus < 400) return 'REDIRECT';
  return responseStatus < 500 ? 'CLIENT_ERROR' : 'SERVER_ERROR';
}

/**
 * Returns the milliseconds from the event's creation to the success of a delivery; null without one. A delivery that was retried
 * by hand would measure the person, and an incoming event that is replayed is old: neither has a latency.
 */
export function latencyOf({ job, result }: Outcome): number | null {
  const { source, attemptNumber, scheduleStep } = job;
  if (!result.succeeded || source.eventId === null || attemptNumber !== scheduleStep + 1) return null;
  const elapsedMs = result.startedAt.getTime() + result.durationMs - timeOfId(source.eventId);
  return Math.min(MAX_MS, Math.max(0, elapsedMs));
}
