/** A scale from zero to a round number, with the lines to draw. */
export interface Scale {
  max: number;
  /** Ascending, from zero to `max`. */
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Returns a scale of three or four steps that holds `highest`. Of whole numbers, unless `isFraction`. */
export function scaleFor(highest: number, isFraction = false): Scale {
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, isFraction ? 0.01 : 1)));
  const steps = STEPS.map((step) => step * power).filter((step) => isFraction || Number.isInteger(step));
  const step = steps.find((candidate) => candidate * 4 >= highest) ?? 10 * power;
  const count = Math.max(1, Math.ceil(highest / step));
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}

/** Chooses up to `most` places of a time axis, evenly spaced, the first one included. */
export function chooseLabels(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}
