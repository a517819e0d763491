/** The vertical scale of a chart, with the lines to draw. */
export interface Scale {
  /** Ascending, from the lowest value of the chart to its highest. */
  ticks: number[];
  /** Returns how high a value is: 0 at the bottom, 1 at the top. */
  shareOf: (value: number) => number;
}

const STEPS = [1, 2, 2.5, 5, 10];

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Round durations in milliseconds, the closest ones first. */
const DURATIONS = [
  [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    ...[1, 2, 5, 10, 20].map((seconds) => seconds * SECOND),
    ...[1, 2, 5, 10, 20].map((minutes) => minutes * MINUTE),
    ...[1, 2, 5, 10, 24, 48, 100, 1000].map((hours) => hours * HOUR),
  ],
  [1, 10, 100, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, 100 * HOUR, 1000 * HOUR],
  [1, 100, 10 * SECOND, 10 * MINUTE, 10 * HOUR, 1000 * HOUR],
];
const MOST_TICKS = 6;

/** Returns a scale from zero in up to four steps of whole numbers that holds `highest`. */
export function scaleFor(highest: number): Scale {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest / 4, 1)));
  const steps = STEPS.map((step) => step * power).filter(Number.isInteger);
  const step = steps.find((each) => each * 4 >= highest) ?? 10 * power;
  const count = Math.max(1, Math.ceil(highest / step));
  const max = step * count;
  return { ticks: Array.from({ length: count + 1 }, (_, n) => n * step), shareOf: (value) => value / max };
}

/**
 * Returns a logarithmic scale between round durations that holds all values: a median of 200 ms is read as well as a 95th
 * percentile of two minutes.
 */
export function durationScaleFor(lowestMs: number, highestMs: number): Scale {
  const scales = DURATIONS.map((durations) => between(durations, lowestMs, highestMs));
  const ticks = scales.find(({ length }) => length <= MOST_TICKS) ?? scales.at(-1) ?? [];
  const bottom = Math.log(ticks[0] ?? 1);
  const top = Math.log(ticks.at(-1) ?? 1);
  return { ticks, shareOf: (value) => Math.max(0, (Math.log(Math.max(value, 1)) - bottom) / (top - bottom)) };
}

/** Returns the durations, at least two, from the last one at or below `lowest` to the first one above `highest`. */
function between(durations: readonly number[], lowest: number, highest: number): number[] {
  const start = durations.findLastIndex((duration) => duration <= lowest);
  const end = durations.findIndex((duration) => duration > highest);
  const last = end === -1 ? durations.length - 1 : end;
  return durations.slice(Math.max(0, Math.min(start, last - 1)), last + 1);
}

/** Chooses up to `most` places of a time axis, evenly spaced, the first one included. */
export function chooseLabels(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}

/** One series of a chart. */
export interface Series {
  label: string;
  /** A token of app/globals.css. */
  color: string;
  /** A value for each bucket; null draws a gap. */
  values: readonly (number | null)[];
  /** Shown beside its label. */
  total?: string;
  /** The rows that it counts. */
  href?: string;
}

/** The time axis that the series of a chart share. */
export interface TimeAxis {
  starts: readonly string[];
  bucketSeconds: number;
}
