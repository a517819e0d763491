/** What the rotation dialog offers, in hours; `custom` asks for a number. */
export const GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '72', label: '72 h' },
  { value: 'custom', label: 'Custom' },
] as const;
export type GraceChoice = (typeof GRACE_CHOICES)[number]['value'];

const MAX_GRACE_HOURS = 8760;

/** The hours of a choice, or of what was typed beside `custom`; null while that is no whole number from 0 to 8760. */
export function graceHoursOf(choice: GraceChoice, typed: string): number | null {
  const text = choice === 'custom' ? typed.trim() : choice;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return hours <= MAX_GRACE_HOURS ? hours : null;
}
