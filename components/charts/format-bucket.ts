import { inPreferredZone, showsUtc } from '@/components/ui/time-zone';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const time = (at: Date) => at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...inPreferredZone() });
const day = (at: Date) => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...inPreferredZone() });

/** Labels a place of the time axis, in the reader's time zone: "13:05" within a day, else "21 Nov". */
export function formatAxisTime(startsAt: string, spanMs: number): string {
  return spanMs <= 2 * DAY_MS ? time(new Date(startsAt)) : day(new Date(startsAt));
}

/** Names a bucket in the reader's time zone: "21 Nov, 13:00–14:00". */
export function formatBucket(startsAt: string, bucketSeconds: number): string {
  const from = new Date(startsAt);
  const to = new Date(from.getTime() + bucketSeconds * 1000);
  const end = day(from) === day(to) ? time(to) : `${day(to)}, ${time(to)}`;
  return bucketSeconds <= 60 ? `${day(from)}, ${time(from)}` : `${day(from)}, ${time(from)}–${end}`;
}

/** Names a range of days: "23 Oct – 22 Nov", or of times within two days. */
export function formatRange(from: string, to: string): string {
  const start = new Date(from);
  const end = new Date(to);
  const isShort = end.getTime() - start.getTime() <= 2 * DAY_MS;
  const part = (at: Date) => (isShort ? `${day(at)}, ${time(at)}` : day(at));
  return `${part(start)} – ${part(end)}`;
}

/** The reader's time zone: "Europe/Berlin". */
export function timeZoneName(): string {
  return showsUtc() ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
