import { median, summarize } from './stats';

/** What a median should be at most or at least. */
export type Aim = { atMost: number } | { atLeast: number };

/** Prints a figure beside its aim; the process ends with 1 when the median misses it. */
export function reportAim(label: string, values: readonly number[], aim: Aim, unit = ''): void {
  reportFigure(`${label} ${judge(median(values), aim, unit)}`, values, unit);
}

/** Prints what was measured once beside its aim; the process ends with 1 when it misses it. */
export function reportOnce(label: string, value: number, aim: Aim, unit = ''): void {
  const shown = Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2);
  process.stdout.write(`${`${label} ${judge(value, aim, unit)}`.padEnd(58)} ${shown.padStart(10)}${unit}\n`);
}

/** "(aim ≤ 8 ms)", with MISSED where it is. No number at all misses every aim. */
function judge(value: number, aim: Aim, unit: string): string {
  const [sign, bound] = 'atMost' in aim ? ['≤', aim.atMost] : ['≥', aim.atLeast];
  const isMet = 'atMost' in aim ? value <= bound : value >= bound;
  if (!isMet) process.exitCode = 1;
  return `(aim ${sign} ${bound}${unit})${isMet ? '' : ' MISSED'}`;
}

/** Prints a figure that has no aim. */
export function reportFigure(label: string, values: readonly number[], unit = ''): void {
  process.stdout.write(`${summarize(label, values, unit)}\n`);
}

/** The ratio of each round's two figures. */
export function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}
