import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import { addHistograms, quantileMs } from './histogram';
import type { StatsCounts } from './schema';
import type { StatsRow } from './stats-sql';

type Quantiles = NonNullable<StatsCounts['attemptDuration']>;

type Counter = Exclude<keyof StatsRow, 'starts_at' | 'durations' | 'latencies'>;

/** Sums the statistics of periods. An attempt that succeeds ends its delivery, so both are the same number. */
export function sumStats(rows: readonly StatsRow[]): StatsCounts {
  const sum = (name: Counter) => rows.reduce((total, row) => total + row[name], 0);
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
  const [p50Ms, p95Ms] = [quantileMs(merged, 0.5, longestMs), quantileMs(merged, 0.95, longestMs)];
  return p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms };
}
