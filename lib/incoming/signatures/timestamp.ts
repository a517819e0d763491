import { SECOND_MS } from '@/lib/platform/clock';

/** A signed time may differ from ours by five minutes, either way (docs/specification.md#incoming-events). */
const TOLERANCE_SECONDS = 5 * 60;

/** Whether a signed time, in whole seconds since 1970, is close enough to now. A replayed request fails. */
export function isRecent(seconds: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(now.getTime() / SECOND_MS - Number(seconds)) <= TOLERANCE_SECONDS;
}
