import { database, inTransaction } from '@/lib/platform/db';
import { countMetric } from '@/lib/platform/metrics-counters';
import { recordAttempts } from './record-attempts';
import { concernsHealth, updateHealth } from './target-health';
import type { Outcome, Target } from './types';

/** What was recorded, and which targets were disabled by it. */
export interface Recorded {
  counted: Outcome[];
  disabled: Target[];
}

/** Records a batch of outcomes, with what they mean for their targets, all or nothing. */
export async function recordOutcomes(outcomes: readonly Outcome[]): Promise<Recorded> {
  const recorded = concernsHealth(outcomes)
    ? await inTransaction(async (tx) => {
        const counted = await recordAttempts(tx, outcomes);
        return { counted, disabled: await updateHealth(tx, counted) };
      })
    : { counted: await recordAttempts(database(), outcomes), disabled: [] };
  for (const outcome of recorded.counted) note(outcome);
  return recorded;
}

function note({ result, target, retryMs }: Outcome): void {
  target.isFailing = !result.succeeded;
  countMetric('worker_attempts_total', result.succeeded ? 'succeeded' : 'failed');
  if (result.succeeded || retryMs === null) {
    countMetric('worker_deliveries_completed_total', result.succeeded ? 'succeeded' : 'failed');
  }
}
