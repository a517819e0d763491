import { LATEST_MS } from '@/lib/platform/clock';
import { KEPT_HOURS } from './kept-policy';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ranges of the overview: how long each is, and how long one bucket of its charts. */
export const RANGES = {
  '1h': { spanMs: HOUR_MS, bucketMs: MINUTE_MS },
  '6h': { spanMs: 6 * HOUR_MS, bucketMs: 5 * MINUTE_MS },
  '24h': { spanMs: 24 * HOUR_MS, bucketMs: HOUR_MS },
  '7d': { spanMs: 7 * 24 * HOUR_MS, bucketMs: 3 * HOUR_MS },
  '30d': { spanMs: 30 * 24 * HOUR_MS, bucketMs: 12 * HOUR_MS },
} as const;
export type RangeName = keyof typeof RANGES;

/** Buckets of a custom range, shortest first. */
const BUCKETS_MS = [1, 5, 15, 60, 180, 720].map((minutes) => minutes * MINUTE_MS);
/** Of a custom range, and two more where it does not begin and end with a bucket. */
const MAX_BUCKETS = 72;
/** The longest custom range. */
export const MAX_SPAN_MS = KEPT_HOURS.hours * HOUR_MS;

/** A range that begins and ends with a bucket, and the statistics that it is made of. */
export interface Range {
  from: Date;
  to: Date;
  bucketMs: number;
  period: 'MINUTE' | 'HOUR';
}

/** Returns the range of a name that includes `now` in its last bucket. */
export function namedRange(name: RangeName, now: Date): Range {
  const { spanMs, bucketMs } = RANGES[name];
  const to = ceil(now.getTime() + 1, bucketMs);
  return { from: new Date(to - spanMs), to: new Date(to), bucketMs, period: periodOf(bucketMs) };
}

/**
 * Returns the range of two times, with at most 74 buckets. Minutes are not kept for long: earlier times get hours. The last bucket of the
 * year 9999 is a millisecond shorter: RFC 3339 has no year after it.
 */
export function customRange(from: Date, to: Date, now: Date): Range {
  const isRecent = now.getTime() - from.getTime() < (KEPT_HOURS.minutes - 1) * HOUR_MS;
  const spanMs = to.getTime() - from.getTime();
  const fits = (bucketMs: number) => spanMs / bucketMs <= MAX_BUCKETS && (isRecent || bucketMs >= HOUR_MS);
  const bucketMs = BUCKETS_MS.find(fits) ?? 12 * HOUR_MS;
  const start = Math.floor(from.getTime() / bucketMs) * bucketMs;
  const end = Math.min(ceil(to.getTime(), bucketMs), LATEST_MS);
  return { from: new Date(start), to: new Date(end), bucketMs, period: periodOf(bucketMs) };
}

/** Returns the range of the same length before another; null when its statistics are no longer kept. */
export function previousRange(range: Range, now: Date): Range | null {
  const from = new Date(range.from.getTime() - (range.to.getTime() - range.from.getTime()));
  const keptHours = range.period === 'MINUTE' ? KEPT_HOURS.minutes : KEPT_HOURS.hours;
  return now.getTime() - from.getTime() > keptHours * HOUR_MS ? null : { ...range, from, to: range.from };
}

function periodOf(bucketMs: number): Range['period'] {
  return bucketMs < HOUR_MS ? 'MINUTE' : 'HOUR';
}

function ceil(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs;
}
