import { median, summarize } from './latencies';

/** The bound that a figure must meet. */
type Bound = { atMost: number } | { atLeast: number };

/** Prints the median with its target. The process exits with 1 when the median misses it. */
export function checkFigure(label: string, values: readonly number[], bound: Bound, unit = ''): void {
  reportFigure(`${label} ${compareWithBound(median(values), bound, unit)}`, values, unit);
}

/** Prints a single value with its target. The process exits with 1 when it misses it. */
export function checkValue(label: string, value: number, bound: Bound, unit = ''): void {
  const shown = Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2);
  process.stdout.write(
    `${`${label} ${compareWithBound(value, bound, unit)}`.padEnd(58)} ${shown.padStart(10)}${unit}\n`,
  );
}

/** "(target ≤ 8 ms)", followed by MISSED when the value misses it. NaN misses every target. */
function compareWithBound(value: number, bound: Bound, unit: string): string {
  const [sign, limit] = 'atMost' in bound ? ['≤', bound.atMost] : ['≥', bound.atLeast];
  const isMet = 'atMost' in bound ? value <= limit : value >= limit;
  if (!isMet) process.exitCode = 1;
  return `(target ${sign} ${limit}${unit})${isMet ? '' : ' MISSED'}`;
}

/** Prints a figure without a target. */
export function reportFigure(label: string, values: readonly number[], unit = ''): void {
  process.stdout.write(`${summarize(label, values, unit)}\n`);
}

/** Returns the ratio of the two figures of each round. */
export function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}
