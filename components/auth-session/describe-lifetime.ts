const DAY_SECONDS = 86_400;
const SECONDS = { day: DAY_SECONDS, hour: 3600, minute: 60 };

/** Says how long a session lasts without use: "1 day", "12 hours". */
export function describeLifetime(sessionSeconds: number): string {
  const unit = sessionSeconds % DAY_SECONDS === 0 ? 'day' : sessionSeconds % 3600 === 0 ? 'hour' : 'minute';
  const count = Math.max(1, Math.round(sessionSeconds / SECONDS[unit]));
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
