const MINUTE_MS = 60_000;

let usesUtc = false;

/** Sets the time zone in which this tab shows times, as the account prefers. The browser's zone is the default. */
export function showTimesIn(zone: 'LOCAL' | 'UTC'): void {
  usesUtc = zone === 'UTC';
}

/** Returns whether this tab shows times in UTC, instead of the browser's zone. */
export function showsUtc(): boolean {
  return usesUtc;
}

/** Returns the option that makes Intl format in the preferred zone. */
export function inPreferredZone(): { timeZone?: 'UTC' } {
  return usesUtc ? { timeZone: 'UTC' } : {};
}

/** Returns the value of a datetime-local control in the preferred zone; empty for an invalid time. */
export function toTimeInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - (usesUtc ? 0 : at.getTimezoneOffset() * MINUTE_MS)).toISOString().slice(0, 16);
}

/** Reads the value of a datetime-local control in the preferred zone. The result is an invalid Date for an invalid value. */
export function fromTimeInput(value: string): Date {
  return new Date(usesUtc ? `${value}Z` : value);
}
