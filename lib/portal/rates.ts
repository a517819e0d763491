import type { PortalCaller } from '@/lib/audit/caller';
import { AppError } from '@/lib/platform/errors';
import { consumeRateLimit } from '@/lib/platform/rate-limit';

/** Requests that a customer may send in a minute, whoever of its people sends them. */
const PER_MINUTE = { reads: 300, changes: 60, tests: 10, replays: 10 } as const;
export type PortalRate = keyof typeof PER_MINUTE;

/** Counts a request against what its customer may do in a minute. Counts it once, however often it is checked. @throws AppError rate_limited */
export async function countPortalRequest({ customerId, client }: PortalCaller, rate: PortalRate): Promise<void> {
  const name = `portal-${rate}`;
  if (client.rateLimits?.some((counted) => counted.name === name)) return;
  const points = PER_MINUTE[rate];
  const verdict = await consumeRateLimit({ name, key: customerId, points, windowSeconds: 60 }, client);
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  const detail = `Too many ${rate} in a minute: ${points} are possible. Try again in ${retryAfterSeconds} s.`;
  throw new AppError('rate_limited', detail, { retryAfterSeconds });
}
