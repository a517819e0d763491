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
