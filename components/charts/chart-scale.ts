/** A scale from zero to a round number, with the lines to draw. */
export interface Scale {
  max: number;
  /** Ascending, from zero to `max`. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Steps of durations that have round labels, in milliseconds. */
const DURATION_STEPS = [
  ...[1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24, 48, 96].map((hours) => hours * 3_600_000),
];

/** Returns a scale of up to four steps of whole numbers that holds `highest`. */
export function scaleFor(highest: number): Scale {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest / 4, 1)));
  const steps = STEPS.map((step) => step * power).filter(Number.isInteger);
  return inSteps(steps.find((step) => step * 4 >= highest) ?? 10 * power, highest);
}

/** Returns a scale of up to four steps of seconds, minutes or hours that holds `highestMs`; of more above 16 days. */
export function durationScaleFor(highestMs: number): Scale {
  const longest = DURATION_STEPS.at(-1) ?? 1;
  return inSteps(DURATION_STEPS.find((step) => step * 4 >= highestMs) ?? longest, highestMs);
}

function inSteps(step: number, highest: number): Scale {
  const count = Math.max(1, Math.ceil(highest / step));
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}

/** Chooses up to `most` places of a time axis, evenly spaced, the first one included. */
export function chooseLabels(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}
