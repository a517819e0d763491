import { median, summarize } from './stats';

/** What a median should be at most or at least. */
export type Aim = { atMost: number } | { atLeast: number };

/** Prints a figure beside its aim; the process ends with 1 when the median misses it. */
export function reportAim(label: string, values: readonly number[], aim: Aim, unit = ''): void {
  const [sign, bound] = 'atMost' in aim ? ['≤', aim.atMost] : ['≥', aim.atLeast];
  const isMet = 'atMost' in aim ? median(values) <= bound : median(values) >= bound;
  if (!isMet) process.exitCode = 1;
  reportFigure(`${label} (aim ${sign} ${bound}${unit})${isMet ? '' : ' MISSED'}`, values, unit);
}

/** Prints a figure that has no aim. */
export function reportFigure(label: string, values: readonly number[], unit = ''): void {
  process.stdout.write(`${summarize(label, values, unit)}\n`);
}

/** The ratio of each round's two figures. */
export function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}
