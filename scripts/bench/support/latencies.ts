import type { AcceptedEvent } from './paced-sender';

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

/** Returns the median, which outliers of a noisy machine hardly move. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value below which the share `q` (0 to 1) of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Returns a line "label  median  (min – max, rounds)". */
export function summarize(label: string, values: readonly number[], unit = ''): string {
  const shown = (value: number) => {
    if (value >= 100) return Math.round(value).toLocaleString('en-US') + unit;
    return value.toFixed(value < 0.1 ? 4 : 2) + unit;
  };
  const range = `(${shown(Math.min(...values))} – ${shown(Math.max(...values))}, ${values.length} rounds)`;
  return `${label.padEnd(58)} ${shown(median(values)).padStart(10)}  ${range}`;
}
