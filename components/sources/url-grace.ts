import { formatAbsolute } from '@/components/ui/format-time';

const HOUR_MS = 60 * 60_000;

/** How long the old URL of a source can keep working, in hours. */
export const URL_GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
] as const;

/** Says when the old URL ends: "The old URL works until 21 Nov 2026, 13:05:09 UTC." */
export function describeUrlEnd(hours: number, now: Date): string {
  if (hours === 0) return 'The old URL stops working immediately.';
  return `The old URL works until ${formatAbsolute(new Date(now.getTime() + hours * HOUR_MS))}.`;
}
