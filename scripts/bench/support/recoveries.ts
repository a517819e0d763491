import type { Fault } from './inject-faults';
import type { AcceptedEvent } from './paced-sender';

/** A fault with the time until the first event sent after it arrived. */
export interface Recovery extends Fault {
  /** Infinity when none arrived. */
  recoveryMs: number;
  /** Other faults before the recovery. */
  meanwhile: Fault[];
}

/** @param seen event id and its first arrival; all times are in milliseconds since 1970 */
export function measureRecoveries(
  faults: readonly Fault[],
  accepted: readonly AcceptedEvent[],
  seen: ReadonlyMap<string, number>,
): Recovery[] {
  const arrivals = accepted.map(([id, firstAt]) => ({ firstAt, seenAt: seen.get(id) ?? Number.POSITIVE_INFINITY }));
  return faults.map((fault) => {
    let firstSeenAt = Number.POSITIVE_INFINITY;
    for (const { firstAt, seenAt } of arrivals) if (firstAt > fault.at && seenAt < firstSeenAt) firstSeenAt = seenAt;
    const meanwhile = faults.filter(({ at }) => at > fault.at && at < firstSeenAt);
    return { ...fault, recoveryMs: firstSeenAt - fault.at, meanwhile };
  });
}
