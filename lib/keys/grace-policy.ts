/** The longest grace period of a rotated key, in hours: a year. */
export const MAX_GRACE_HOURS = 365 * 24;

/** The longest grace period of a secret or URL that is rotated, in hours: a week. */
export const MAX_SECRET_GRACE_HOURS = 168;

/** The grace period of a rotated key when the caller names none, in hours. */
export const DEFAULT_GRACE_HOURS = 24;
