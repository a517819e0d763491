import type { Fault } from './inject-faults';
import type { AcceptedEvent } from './paced-sender';

/** A fault with how long it took until an event that was first sent after it had arrived; Infinity: never. */
export interface Recovery extends Fault {
  recoveryMs: number;
  /** The faults that struck before this one was overcome. */
  meanwhile: Fault[];
}

/** @param seen event id and when it first arrived, in milliseconds since 1970 like all times here */
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
