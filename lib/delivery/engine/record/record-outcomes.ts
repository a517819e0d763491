import type { Outcome, Target } from '@/lib/delivery/engine/types';
import { hotDatabase, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { countMetric } from '@/lib/platform/metrics-counters';
import { recordAttempts } from './record-attempts';
import { recordFirstAttempts } from './record-first-attempts';
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
      ? { counted: await write(hotDatabase()), disabled: [] }
      : await inSqlTransaction(
          async (tx) => {
            const counted = await write(tx);
            return { counted, disabled: await updateHealth(tx, counted) };
          },
          { pool: hotDatabase() },
        );
  await entries.settle(hotDatabase());
  for (const outcome of recorded.counted) note(outcome);
  return recorded;
}

function note({ result, target, retryMs }: Outcome): void {
  target.failingSinceMs = result.succeeded ? null : (target.failingSinceMs ?? Date.now());
  countMetric('worker_attempts_total', result.succeeded ? 'succeeded' : 'failed');
  if (result.succeeded || retryMs === null) {
    countMetric('worker_deliveries_completed_total', result.succeeded ? 'succeeded' : 'failed');
  }
}
