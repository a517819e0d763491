/** The source of time, a parameter so that tests can move it. Leases and claims use the database's now() instead. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The range that both RFC 3339 and PostgreSQL support. An offset can move a well-formed time out of it. */
export const EARLIEST_MS = Date.UTC(1970, 0, 1);
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the time `ms` milliseconds after `at`. */
export function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** Returns an expiry in RFC 3339 while it is in the future; null once it has passed, and without one. */
export function unexpired(expiresAt: Date | null, at: Date): string | null {
  return expiresAt !== null && expiresAt > at ? expiresAt.toISOString() : null;
}
