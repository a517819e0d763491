import { countMetric } from '@/lib/platform/metrics-counters';

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
