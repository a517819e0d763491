import type { AttemptResult, Outcome, Target } from '@/lib/delivery/engine/types';
import { type AttemptResultLabel, type DisableReason, FIRST_ATTEMPT, SUCCESS } from '@/lib/delivery/worker-counters';
import { hotDatabase, hotDatabaseOfAllTables, inSqlTransaction, isCellElsewhere, type Sql } from '@/lib/platform/db';
import { timeOfId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { countMetric, observeShared } from '@/lib/platform/metrics-counters';
import { classOfFailure, isTimeout } from '@/lib/platform/net/failure-reason';
import { latencyOf, recordAttempts, recordFirstAttempts } from './record-attempts';
import { sayCounted } from './record-sql';
import { outboxEntriesOf } from './store-deliveries';
import { concernsHealth, updateHealth } from './target-health';

interface Recorded {
  /** The outcomes that were recorded. The others were too late. */
  counted: Outcome[];
  /** The targets that were disabled. */
  disabled: Target[];
}

/** Records all outcomes of a batch, or none, and updates the health of their targets. */
export async function recordOutcomes(outcomes: readonly Outcome[]): Promise<Recorded> {
  const first = outcomes.filter(({ job }) => job.entry !== null);
  const later = outcomes.filter(({ job }) => job.entry === null);
  const entries = outboxEntriesOf(first.map(({ job }) => job));
  const write = async (sql: Sql) => [
    ...(first.length > 0 ? await recordFirstAttempts(sql, first, entries) : []),
    ...(later.length > 0 ? await recordAttempts(sql, later) : []),
  ];
  const isOneStatement = first.length === 0 || later.length === 0;
  const recorded =
    isOneStatement && !concernsHealth(outcomes)
      ? { counted: await write(hotDatabase()), disabled: [], reasons: new Map<string, DisableReason>() }
      : await inSqlTransaction(
          async (tx) => {
            if (isCellElsewhere()) await sayCounted.run(tx);
            const counted = await write(tx);
            return { counted, ...(await updateHealth(tx, counted)) };
          },
          // A target that is disabled has an audit entry and mails, which are in no cell.
          { pool: hotDatabaseOfAllTables() },
        );
  await entries.settle(hotDatabase());
  for (const outcome of recorded.counted) note(outcome);
  for (const [targetId, reason] of recorded.reasons) {
    countMetric('delivery_targets_disabled_total', reason);
    log().info({ targetId, reason }, 'target disabled');
  }
  return recorded;
}

function note(outcome: Outcome): void {
  const { job, result, target, retryMs } = outcome;
  target.failingSinceMs = result.succeeded ? null : (target.failingSinceMs ?? Date.now());
  countMetric('worker_attempts_total', result.succeeded ? 'succeeded' : 'failed');
  countMetric('delivery_attempt_results_total', resultLabelOf(result));
  if (result.succeeded || retryMs === null) {
    countMetric('worker_deliveries_completed_total', result.succeeded ? 'succeeded' : 'failed');
  }
  const { eventId } = job.source;
  if (eventId !== null && job.attemptNumber === 1) {
    observeShared(FIRST_ATTEMPT, result.startedAt.getTime() - timeOfId(eventId));
  }
  const latencyMs = latencyOf(outcome);
  if (latencyMs !== null) observeShared(SUCCESS, latencyMs);
  logAttempt(outcome);
}

/** Lines of single attempts are for debugging; a delivery that is given up has one at info. */
function logAttempt({ job, result, target, retryMs }: Outcome): void {
  const isGivenUp = !result.succeeded && retryMs === null;
  const level = isGivenUp ? 'info' : 'debug';
  if (!log().isLevelEnabled(level)) return;
  const { deliveryId, projectId, attemptNumber, source } = job;
  const { succeeded, responseStatus, durationMs } = result;
  log()[level](
    {
      deliveryId,
      projectId,
      targetId: target.id,
      ...source,
      attemptNumber,
      succeeded,
      responseStatus,
      durationMs,
      result: resultLabelOf(result),
      retryMs,
    },
    isGivenUp ? 'delivery failed' : 'attempt recorded',
  );
}

/** Returns what an attempt led to, as the metric of attempts names it. */
export function resultLabelOf({ succeeded, error, responseStatus, requestParts }: AttemptResult): AttemptResultLabel {
  if (succeeded) return 'succeeded';
  if (requestParts === null) return 'not_sent';
  if (error !== null && isTimeout(error)) return 'timed_out';
  if (responseStatus === null || responseStatus < 300) return classOfFailure(error ?? '');
  if (responseStatus < 400) return 'redirect';
  return responseStatus < 500 ? 'client_error' : 'server_error';
}
