/** Where time comes from. Passed in, so that tests move it; leases and claims compare with the database's now() instead. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The instant `ms` milliseconds after `at`. */
export function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
