/** Formats a number briefly: "940", "12.4K", "1.2M". */
export function formatCompact(value: number): string {
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: value < 1000 ? 0 : 1 });
}

/** Formats a number in full: "12,431". */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes in powers of 1000: "0 B", "312 kB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/**
 * Formats a share of `total` with one decimal: "86.0%". Only all of them are "100%" and only none "0%"; what is close to either is
 * "99.9%" or "<0.1%". Null without any.
 */
export function formatShare(part: number, total: number): string | null {
  if (total === 0) return null;
  if (part === 0 || part === total) return part === 0 ? '0%' : '100%';
  const percent = (part / total) * 100;
  return percent < 0.05 ? '<0.1%' : `${Math.min(percent, 99.9).toFixed(1)}%`;
}

/** How a figure compares with the range before. */
export interface Change {
  /** "+12%", "−0.4 pt". */
  text: string;
  direction: 'up' | 'down' | 'same';
}

/** Compares two numbers in percent; null when there was nothing before. */
export function changeOf(now: number | null, before: number | null | undefined): Change | null {
  if (now === null || before === null || before === undefined || before === 0) return null;
  const percent = ((now - before) / before) * 100;
  const rounded = Math.abs(percent) >= 10 ? Math.round(percent) : Number(percent.toFixed(1));
  if (rounded > 999) return { text: '>999%', direction: 'up' };
  return withSign(rounded, '%');
}

/** Compares two shares in percentage points; null when one of them is of nothing. */
export function pointsBetween(
  now: { part: number; total: number },
  before: { part: number; total: number } | null,
): Change | null {
  if (now.total === 0 || before === null || before.total === 0) return null;
  return withSign(Number(((now.part / now.total - before.part / before.total) * 100).toFixed(1)), ' pt');
}

function withSign(value: number, unit: string): Change {
  if (value === 0) return { text: `0${unit}`, direction: 'same' };
  return { text: `${value > 0 ? '+' : '−'}${Math.abs(value)}${unit}`, direction: value > 0 ? 'up' : 'down' };
}

/** Describes how many there were in a span: "4.2 per second", "12 per minute", "3 per hour". */
export function formatRate(count: number, seconds: number): string {
  const perSecond = count / Math.max(1, seconds);
  const [value, unit] =
    perSecond >= 1
      ? ([perSecond, 'second'] as const)
      : perSecond * 60 >= 1
        ? ([perSecond * 60, 'minute'] as const)
        : ([perSecond * 3600, 'hour'] as const);
  return `${Number(value.toPrecision(2)).toLocaleString('en-US')} per ${unit}`;
}
