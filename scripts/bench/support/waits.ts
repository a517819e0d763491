import type { AcceptedEvent } from './paced-sender';
import { quantile } from './stats';

/** How long events took from 202 to their receiver, and which never came. */
export interface Waits {
  waitsMs: number[];
  missing: string[];
}

/**
 * Holds what was answered 202 against what a receiver has seen. An event that the receiver has before its sender reads the
 * 202 waited 0 ms.
 */
export function waitsOf(accepted: readonly AcceptedEvent[], seen: ReadonlyMap<string, number>): Waits {
  const result: Waits = { waitsMs: [], missing: [] };
  for (const [id, , acceptedAt] of accepted) {
    const seenAt = seen.get(id);
    if (seenAt === undefined) result.missing.push(id);
    else result.waitsMs.push(Math.max(0, seenAt - acceptedAt));
  }
  return result;
}

/** The waits with those that have not ended: an event that never came waits for ever. */
export function allWaits({ waitsMs, missing }: Waits): number[] {
  return [...waitsMs, ...missing.map(() => Number.POSITIVE_INFINITY)];
}

/** "p50 1.2 ms, p95 3.4 s, worst never" */
export function spread(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return 'none';
  const [p50, p95, worst] = [0.5, 0.95, 1].map((q) => inWords(quantile(valuesMs, q)));
  return `p50 ${p50}, p95 ${p95}, worst ${worst}`;
}

/** "1.2 ms", "3.4 s", or "never" for Infinity. */
export function inWords(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'never';
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
