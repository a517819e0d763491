import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import type { StatsCounts } from './schema';

type Quantiles = NonNullable<StatsCounts['attemptDuration']>;

type Counter =
  | 'events'
  | 'incoming_verified'
  | 'incoming_unsigned'
  | 'incoming_rejected'
  | 'succeeded'
  | 'redirects'
  | 'client_errors'
  | 'server_errors'
  | 'timeouts'
  | 'no_responses'
  | 'deliveries_failed';
type Summed = Record<Counter, number | null> & Record<'durations' | 'latencies', readonly number[] | null>;

/** Sums the statistics of buckets. An attempt that succeeds ends its delivery, so both are the same number. */
export function sumStats(rows: readonly Summed[]): StatsCounts {
  const sum = (name: Counter) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const failures = {
    redirects: sum('redirects'),
    clientErrors: sum('client_errors'),
    serverErrors: sum('server_errors'),
    timeouts: sum('timeouts'),
    noResponses: sum('no_responses'),
  };
  const succeeded = sum('succeeded');
  return {
    events: sum('events'),
    incoming: {
      verified: sum('incoming_verified'),
      unsigned: sum('incoming_unsigned'),
      rejected: sum('incoming_rejected'),
    },
    attempts: { succeeded, failed: Object.values(failures).reduce((total, value) => total + value, 0) },
    failures,
    deliveries: { succeeded, failed: sum('deliveries_failed') },
    attemptDuration: attemptQuantilesOf(rows.map(({ durations }) => durations)),
    deliveryLatency: quantilesOf(rows.map(({ latencies }) => latencies)),
  };
}

type Histograms = readonly (readonly number[] | null)[];

/** Returns the quantiles of durations of attempts, none of which lasts longer than its timeout. */
export function attemptQuantilesOf(histograms: Histograms): Quantiles | null {
  return quantilesOf(histograms, RESPONSE_TIMEOUT_MS);
}

/** Returns median and 95th percentile of histograms together; null when they are empty. */
function quantilesOf(histograms: Histograms, longestMs?: number): Quantiles | null {
  const merged = addHistograms(histograms.map((histogram) => histogram ?? []));
  const p50Ms = quantileMs(merged, 0.5, longestMs);
  const p95Ms = quantileMs(merged, 0.95, longestMs);
  return p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms };
}

const STEPS_PER_OCTAVE = 4;
/** 2^28 ms are three days: longer than the default schedule of retries. */
const OCTAVES = 28;

/**
 * The bounds of the buckets in milliseconds: bucket n counts from bound n - 1 on, below bound n; bucket 0 counts below 1 ms, and
 * the last one has no end. Four buckets per octave, so a quantile is at most 19 % off, whatever its size. Fixed, so that the
 * histograms of any periods and targets can be added.
 */
export const BUCKET_BOUNDS_MS: readonly number[] = [
  ...new Set(Array.from({ length: OCTAVES * STEPS_PER_OCTAVE + 1 }, (_, n) => Math.round(2 ** (n / STEPS_PER_OCTAVE)))),
];

/** Adds histograms, which may differ in length. */
export function addHistograms(histograms: readonly (readonly number[])[]): number[] {
  const sum: number[] = [];
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram.entries()) sum[bucket] = (sum[bucket] ?? 0) + count;
  }
  return sum;
}

/**
 * Estimates a quantile, evenly distributed within its bucket, and never above the longest value that was measured: nothing says where in
 * the last bucket that is, so its start counts. Only in the bucket that holds `longestMs`, where values gather, it is the estimate.
 * @param share from 0 to 1
 * @param longestMs the longest value that can occur, such as a timeout: the bucket that holds it ends there
 * @returns whole milliseconds; null for an empty histogram
 */
export function quantileMs(histogram: readonly number[], share: number, longestMs = Infinity): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(share * total);
  let below = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = BUCKET_BOUNDS_MS[bucket - 1] ?? 0;
      const bound = BUCKET_BOUNDS_MS[bucket] ?? from;
      const holdsLongest = from < longestMs && longestMs <= bound;
      const isLast = below + count === total;
      const to = holdsLongest ? longestMs : isLast ? from : bound;
      return Math.round(from + ((rank - below) / count) * (to - from));
    }
    below += count;
  }
  return BUCKET_BOUNDS_MS.at(-1) ?? null;
}
