/** The longest grace period of a rotated key, in hours: a year. */
export const MAX_GRACE_HOURS = 365 * 24;

/** The grace period of a rotated key when the caller names none, in hours. */
export const DEFAULT_GRACE_HOURS = 24;
