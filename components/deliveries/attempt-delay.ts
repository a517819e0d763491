import type { Attempt } from '@/lib/delivery/schema';

/**
 * Returns how long after the previous attempt one started, in milliseconds; null without the previous one.
 * @param attempts the newest first
 */
export function delayBeforeMs(attempts: readonly Attempt[], index: number): number | null {
  const [attempt, previous] = [attempts[index], attempts[index + 1]];
  if (attempt === undefined || previous?.attemptNumber !== attempt.attemptNumber - 1) return null;
  return Date.parse(attempt.startedAt) - Date.parse(previous.startedAt);
}
