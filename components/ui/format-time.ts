import { inPreferredZone } from './time-zone';

const UNITS = [
  { name: 'year', ms: 365 * 86_400_000 },
  { name: 'month', ms: 30 * 86_400_000 },
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
] as const;

const SHORT = { year: 'y', month: 'mo', day: 'd', hour: 'h', minute: 'min' } as const;

/** Formats a time relative to now: "just now", "2 min ago", "in 3 h". */
export function formatRelative(at: Date, now: Date): string {
  const differenceMs = at.getTime() - now.getTime();
  const distanceMs = Math.abs(differenceMs);
  const direct = (text: string) => (differenceMs < 0 ? `${text} ago` : `in ${text}`);
  if (distanceMs < 10_000) return differenceMs <= 0 ? 'just now' : direct('a few seconds');
  const unit = UNITS.find(({ ms }) => distanceMs >= ms);
  if (unit === undefined) return direct(`${Math.floor(distanceMs / 1000)} s`);
  const count = distanceMs / unit.ms;
  // A link that is valid for seven days expires in 7 d, not in 6, a second later.
  return direct(`${differenceMs > 0 ? Math.round(count) : Math.floor(count)} ${SHORT[unit.name]}`);
}

/** Formats a time in the zone that the reader prefers: "21 Nov 2026, 13:05:09 UTC+1". */
export function formatAbsolute(at: Date): string {
  return at.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...inPreferredZone(),
  });
}

/** Formats the time of day with milliseconds, and the day unless it is today: "13:05:09.120", "21 Nov, 13:05:09.120". */
export function formatClock(at: Date, now: Date): string {
  const day = (date: Date) =>
    date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...inPreferredZone() });
  const time = at.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    ...inPreferredZone(),
  });
  return day(at) === day(now) ? time : `${day(at)}, ${time}`;
}

/** Formats a duration with at most one decimal: "34 ms", "1.2 s", "15 s", "2.1 min", "3.5 h". */
export function formatDuration(durationMs: number): string {
  const inUnits = (unitMs: number) => Number((durationMs / unitMs).toFixed(1));
  if (Math.round(durationMs) < 1000) return `${Math.round(durationMs)} ms`;
  if (inUnits(1000) < 60) return `${inUnits(1000)} s`;
  if (inUnits(60_000) < 60) return `${inUnits(60_000)} min`;
  return `${inUnits(3_600_000)} h`;
}

/** Formats a span of whole seconds: "5 s", "30 min", "5 h 30 min". */
export function formatSpan(seconds: number): string {
  const parts: string[] = [];
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  if (hours > 0) parts.push(`${hours} h`);
  if (minutes > 0) parts.push(`${minutes} min`);
  if (rest > 0 || parts.length === 0) parts.push(`${rest} s`);
  return parts.join(' ');
}
