import { SECOND_MS } from './clock';
import { database, type Sql } from './db';
import { once } from './globals';
import { log } from './log';
import { addCounts } from './metrics-sql';

const FLUSH_INTERVAL_MS = 10 * SECOND_MS;

interface Counters {
  /** Not yet in the database: by name, then by label. */
  pending: Map<string, Map<string, number>>;
}

const counters = (): Counters => once('metric-counters', () => ({ pending: new Map() }));

/**
 * Adds to a counter that all processes share. It is stored in the database, so it outlives this process, and /metrics of
 * any web process shows it.
 */
export function countMetric(name: string, label = '', by = 1): void {
  if (by === 0) return;
  const { pending } = counters();
  const labels = pending.get(name) ?? new Map<string, number>();
  labels.set(label, (labels.get(label) ?? 0) + by);
  pending.set(name, labels);
}

/** Adds the pending counts to the database. If that fails, they are kept for the next flush. */
export async function flushMetrics(sql: Sql = database()): Promise<void> {
  const { pending } = counters();
  // Sorted, so that two processes that update the same rows never deadlock.
  const rows = [...pending]
    .flatMap(([name, labels]) => [...labels].map(([label, value]) => ({ name, label, value })))
    .sort((a, b) => (`${a.name}\0${a.label}` < `${b.name}\0${b.label}` ? -1 : 1));
  if (rows.length === 0) return;
  pending.clear();
  try {
    await addCounts.run(sql, {
      names: rows.map(({ name }) => name),
      labels: rows.map(({ label }) => label),
      values: rows.map(({ value }) => value),
    });
  } catch (error) {
    for (const { name, label, value } of rows) countMetric(name, label, value);
    throw error;
  }
}

/** Flushes every ten seconds. The returned function stops that and flushes a last time. */
export function startMetricFlush(): () => Promise<void> {
  const flush = () =>
    flushMetrics().catch((error: unknown) => {
      log().warn({ err: error }, 'could not flush metrics; retrying');
    });
  const timer = setInterval(flush, FLUSH_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await flush();
  };
}

/** A histogram of durations that all processes share, stored in metric_counters, as /metrics shows it. */
export interface SharedHistogram {
  /** Ends in _seconds. */
  name: string;
  help: string;
  /** Upper bounds in seconds, ascending; one more bucket has the rest. */
  buckets: readonly number[];
}

/** A shared counter has one label: that of a bucket is its upper bound, and this one counts milliseconds. */
export const SUM_LABEL = 'sum_ms';
/** The label of the last bucket. */
export const REST_LABEL = '+Inf';

/** The name under which the counts of a histogram are stored. */
export function countsName({ name }: SharedHistogram): string {
  return `${name.replace(/_seconds$/, '')}_buckets_total`;
}

/** Adds a duration to a shared histogram, in the memory of this process until the next flush. */
export function observeShared(histogram: SharedHistogram, ms: number): void {
  const seconds = ms / 1000;
  const bound = histogram.buckets.find((limit) => seconds <= limit);
  const name = countsName(histogram);
  countMetric(name, bound === undefined ? REST_LABEL : String(bound));
  countMetric(name, SUM_LABEL, Math.max(0, Math.round(ms)));
}
