import { addHistograms, quantileMs } from './histogram';
import type { StatsCounts } from './schema';
import type { StatsRow } from './stats-sql';

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
    attemptDuration: quantilesOf(rows.map(({ durations }) => durations)),
    deliveryLatency: quantilesOf(rows.map(({ latencies }) => latencies)),
  };
}

/** Returns median and 95th percentile of histograms together; null when they are empty. */
export function quantilesOf(
  histograms: readonly (readonly number[] | null)[],
): { p50Ms: number; p95Ms: number } | null {
  const merged = addHistograms(histograms.map((histogram) => histogram ?? []));
  const [p50Ms, p95Ms] = [quantileMs(merged, 0.5), quantileMs(merged, 0.95)];
  return p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms };
}
