import { DEFAULT_GRACE_HOURS, MAX_GRACE_HOURS } from '@/lib/keys/grace-policy';

/** The grace periods that the rotation dialog offers, in hours; `custom` shows a field for another number. */
export const GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: `${DEFAULT_GRACE_HOURS}`, label: `${DEFAULT_GRACE_HOURS} h` },
  { value: '72', label: '72 h' },
  { value: 'custom', label: 'Custom' },
] as const;

/** What the form shows for an invalid number of hours. */
export const GRACE_HOURS_MESSAGE = `Enter a whole number of hours from 0 to ${MAX_GRACE_HOURS}.`;

/**
 * Returns the hours of a choice, or those typed beside `custom`; null when the text is not a whole number from 0 to
 * the maximum.
 */
export function graceHoursOf(choice: string, typed: string): number | null {
  const text = choice === 'custom' ? typed.trim() : choice;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return hours <= MAX_GRACE_HOURS ? hours : null;
}
