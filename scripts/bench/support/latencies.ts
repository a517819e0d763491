import type { AcceptedEvent } from './paced-sender';
import { quantile } from './stats';

/** The latency of events from 202 to the receiver, and the events that did not arrive. */
export interface Latencies {
  latenciesMs: number[];
  missing: string[];
}

/**
 * Compares the events that got 202 with the arrivals at a receiver. An event that arrives before its sender reads the 202
 * counts as 0 ms.
 */
export function compareArrivals(accepted: readonly AcceptedEvent[], seen: ReadonlyMap<string, number>): Latencies {
  const result: Latencies = { latenciesMs: [], missing: [] };
  for (const [id, , acceptedAt] of accepted) {
    const seenAt = seen.get(id);
    if (seenAt === undefined) result.missing.push(id);
    else result.latenciesMs.push(Math.max(0, seenAt - acceptedAt));
  }
  return result;
}

/** Returns all latencies; those of missing events are Infinity. */
export function allLatencies({ latenciesMs, missing }: Latencies): number[] {
  return [...latenciesMs, ...missing.map(() => Number.POSITIVE_INFINITY)];
}

/** "p50 1.2 ms, p95 3.4 s, worst never" */
export function describeSpread(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return 'none';
  const [p50, p95, worst] = [0.5, 0.95, 1].map((q) => formatMs(quantile(valuesMs, q)));
  return `p50 ${p50}, p95 ${p95}, worst ${worst}`;
}

/** "1.2 ms", "3.4 s", or "never" for Infinity. */
export function formatMs(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'never';
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
