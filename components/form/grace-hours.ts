/** How long an old key, URL or secret can keep working, in hours; `custom` shows a field for another number. */
export const GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: 'custom', label: 'Custom' },
] as const;

/** The form fields of a grace period. */
export interface GraceValues {
  grace: string;
  /** What is typed for `custom`. */
  graceHours: string;
}

export const DEFAULT_GRACE: GraceValues = { grace: '24', graceHours: '48' };

/** What the form shows for an invalid number of hours. */
export const graceMessage = (maxHours: number) => `Enter a whole number of hours from 0 to ${maxHours}.`;

/** Returns the hours of a choice, or those typed for `custom`; null when that is not a whole number from 0 to the maximum. */
export function graceHoursOf({ grace, graceHours }: GraceValues, maxHours: number): number | null {
  const text = grace === 'custom' ? graceHours.trim() : grace;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return hours <= maxHours ? hours : null;
}
