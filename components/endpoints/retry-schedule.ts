import { formatSpan } from '@/components/ui/format-time';

/** Parses "5, 300, 1800" into seconds; null when a part is not a whole number above zero. Empty text is an empty list. */
export function parseRetrySeconds(text: string): number[] | null {
  if (text.trim() === '') return [];
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const seconds = parts.map(Number);
  return seconds.every((value, index) => /^\d+$/.test(parts[index] ?? '') && value > 0) ? seconds : null;
}

/** Describes a schedule: "After 5 s, 5 min, 30 min". */
export function describeRetrySeconds(seconds: readonly number[]): string {
  return seconds.length === 0 ? 'Default schedule' : `After ${seconds.map(formatSpan).join(', ')}`;
}
