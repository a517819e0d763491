import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { insertAttempts } from './record-sql';

/**
 * Reads the parameters of attempts: succeeded, seconds until the retry, start, duration in milliseconds, status, body, error, a new
 * id for each attempt, the variable parts of the request, the response headers, the remote address, and the timing.
 */
export function attemptColumns(outcomes: readonly Outcome[]): unknown[] {
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
export async function runRecord(
  sql: Sql,
  outcomes: readonly Outcome[],
  statement: typeof insertAttempts,
  values: readonly unknown[],
): Promise<Outcome[]> {
  const rows = await statement.all(sql, ...values);
  const recorded = new Set(rows.map(({ delivery_id }) => delivery_id));
  return outcomes.filter(({ job }) => recorded.has(job.deliveryId));
}
