import type { AcceptedEvent } from './children';

/** The bound that a figure must meet. */
type Bound = { atMost: number } | { atLeast: number };

/** Prints the median with its target. The process exits with 1 when the median misses it. */
export function checkFigure(label: string, values: readonly number[], bound: Bound, unit = ''): void {
  reportFigure(`${label} ${compareWithBound(median(values), bound, unit)}`, values, unit);
}

/** Prints a single value with its target. The process exits with 1 when it misses it. */
export function checkValue(label: string, value: number, bound: Bound, unit = ''): void {
  const shown = Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2);
  say(`${`${label} ${compareWithBound(value, bound, unit)}`.padEnd(58)} ${shown.padStart(10)}${unit}`);
}

/** "(target ≤ 8 ms)", followed by MISSED when the value misses it. NaN misses every target. */
function compareWithBound(value: number, bound: Bound, unit: string): string {
  const [sign, limit] = 'atMost' in bound ? ['≤', bound.atMost] : ['≥', bound.atLeast];
  const isMet = 'atMost' in bound ? value <= limit : value >= limit;
  if (!isMet) process.exitCode = 1;
  return `(target ${sign} ${limit}${unit})${isMet ? '' : ' MISSED'}`;
}

/** Prints a figure without a target: "label  median  (min – max, rounds)". */
export function reportFigure(label: string, values: readonly number[], unit = ''): void {
  const shown = (value: number) => {
    if (value >= 100) return Math.round(value).toLocaleString('en-US') + unit;
    return value.toFixed(value < 0.1 ? 4 : 2) + unit;
  };
  const range = `(${shown(Math.min(...values))} – ${shown(Math.max(...values))}, ${values.length} rounds)`;
  say(`${label.padEnd(58)} ${shown(median(values)).padStart(10)}  ${range}`);
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the ratio of the two figures of each round. */
export function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
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
