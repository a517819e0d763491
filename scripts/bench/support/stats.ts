/** Returns the median, which outliers of a noisy machine hardly move. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value below which the share `q` (0 to 1) of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Returns a line "label  median  (min – max, rounds)". */
export function summarize(label: string, values: readonly number[], unit = ''): string {
  const shown = (value: number) => {
    if (value >= 100) return Math.round(value).toLocaleString('en-US') + unit;
    return value.toFixed(value < 0.1 ? 4 : 2) + unit;
  };
  const range = `(${shown(Math.min(...values))} – ${shown(Math.max(...values))}, ${values.length} rounds)`;
  return `${label.padEnd(58)} ${shown(median(values)).padStart(10)}  ${range}`;
}
