import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { newId, timeOfId } from '@/lib/platform/ids';
import { isTimeout } from '@/lib/platform/net/failure-reason';
import { insertAttempts, insertFirstAttempts } from './record-sql';
import { deliveryColumns, type OutboxEntries } from './store-deliveries';

/**
 * Records attempts of stored deliveries, and updates the deliveries, in one statement.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordAttempts(sql: Sql, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return runRecord(sql, outcomes, insertAttempts, [
    column(({ job }) => job.deliveryId),
    column(({ job }) => job.attemptNumber),
    column(({ job }) => job.scheduleStep),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
    column(({ job }) => job.projectId),
  ]);
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
  return runRecord(sql, outcomes, insertFirstAttempts, [
    ...entries.columns,
    ...deliveryColumns((read) => outcomes.map(({ job }) => read(job))),
    outcomes.map(({ job }) => (now - job.leasedAt) / 1000),
    ...attemptColumns(outcomes),
    ...statColumns(outcomes),
  ]);
}

/**
 * Reads the parameters of attempts: succeeded, seconds until the retry, start, duration in milliseconds, status, body, error, a new
 * id for each attempt, the variable parts of the request, the response headers, the remote address, and the timing.
 */
function attemptColumns(outcomes: readonly Outcome[]): unknown[] {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return [
    column(({ result }) => result.succeeded),
    column(({ retryMs }) => (retryMs === null ? null : retryMs / 1000)),
    column(({ result }) => result.startedAt.toISOString()),
    column(({ result }) => result.durationMs),
    column(({ result }) => result.responseStatus),
    column(({ result }) => result.responseBody),
    column(({ result }) => result.error),
    column(() => newId()),
    column(({ result }) => result.requestParts),
    column(({ result }) => result.responseHeaders),
    column(({ result }) => result.remoteAddress),
    integers(column(({ result }) => result.timing.dnsUs)),
    integers(column(({ result }) => result.timing.connectUs)),
    integers(column(({ result }) => result.timing.tlsUs)),
    integers(column(({ result }) => result.timing.firstByteUs)),
  ];
}

/** Writes an array of PostgreSQL: the driver would quote and escape each number. */
function integers(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Runs a statement that records outcomes. @returns the outcomes that were recorded; the others were too late */
async function runRecord(
  sql: Sql,
  outcomes: readonly Outcome[],
  statement: typeof insertAttempts,
  values: readonly unknown[],
): Promise<Outcome[]> {
  const rows = await statement.all(sql, ...values);
  const recorded = new Set(rows.map(({ delivery_id }) => delivery_id));
  return outcomes.filter(({ job }) => recorded.has(job.deliveryId));
}

/** The largest value of an integer column: 24 days. */
const MAX_MS = 2_147_483_647;

/**
 * Reads the parameters that the statistics need of attempts: target, outcome, whether it was the last of the delivery's schedule,
 * and milliseconds from the event's creation to its success; null without one.
 */
function statColumns(outcomes: readonly Outcome[]): unknown[][] {
  return [
    outcomes.map(({ job }) => job.targetId),
    outcomes.map(kindOf),
    outcomes.map(({ result, retryMs }) => !result.succeeded && retryMs === null),
    outcomes.map(latencyOf),
  ];
}

/** The same rules as in the trigger of what others insert: prisma/migrations/20261125000000_initial. */
function kindOf({ result: { succeeded, error, responseStatus } }: Outcome): string {
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
