const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Says how far a time is from now, in its largest unit: "5m ago", "in 2h". Times more than 30 days away are dates. */
export function formatAge(time: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '-';
  if (Math.abs(seconds) > 30 * 86_400) return time.toISOString().slice(0, 10);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['s', 1];
  const count = Math.floor(Math.abs(seconds) / size);
  if (count === 0) return 'now';
  return seconds > 0 ? `${count}${unit} ago` : `in ${count}${unit}`;
}
