/**
 * How long statistics are kept, in hours. Minutes exist for projects only, and hours of a target are replaced by its days, so
 * that a project with a thousand endpoints keeps at most 85,000 rows, however much it sends.
 */
export const KEPT_HOURS = { minutes: 49, targetHours: 49, hours: 35 * 24, targetDays: 35 * 24 } as const;
