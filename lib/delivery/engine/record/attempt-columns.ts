import type { Outcome } from '@/lib/delivery/engine/types';
import { newId } from '@/lib/platform/ids';

/**
 * What came of attempts, as parameters of a statement that records them: succeeded, seconds until the retry, start, duration in
 * milliseconds, status, body, error, and an id for each attempt.
 */
export function attemptColumns(outcomes: readonly Outcome[]): unknown[][] {
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
  ];
}
