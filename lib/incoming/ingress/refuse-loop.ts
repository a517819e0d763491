import { inShareOfProject } from '@/lib/orgs/find-tenant';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { MAX_HOPS, type Via } from '@/lib/platform/net/via';
import { storedRateLimitKey } from '@/lib/platform/rate-limit';
import { inRowTurn } from '@/lib/platform/row-turn';
import { spendBudget } from './ingress-sql';

/** What one event may cause by deliveries that come back: 1,000 deliveries of up to 64 KiB, or fewer larger ones. */
const [BUDGET, BYTES_OF_UNIT] = [1_000, 64 * 1024];
/** Longer than the retries of a delivery last. */
const BUDGET_MS = 7 * DAY_MS;

/** @throws AppError conflict when a source has forwarded the event before, or the event has passed through too much */
export function refuseLoop(sourceId: string, { ids, hops }: Via): void {
  if (ids.includes(sourceId)) {
    throw new AppError(
      'conflict',
      'This source has already received and forwarded this event: its forwards form a loop.',
    );
  }
  if (hops.length < MAX_HOPS) return;
  throw new AppError('conflict', `This event has already passed through ${MAX_HOPS} endpoints and sources.`);
}

/**
 * Counts what a request that comes from our own delivery causes toward the event that began it. Others cost nothing.
 * @throws AppError conflict when that event has caused too much; rate_limited when many such requests wait
 */
export async function spendOnCascade(
  source: { id: string; projectId: string },
  { root }: Via,
  bytes: number,
  at: Date,
): Promise<void> {
  if (root === null) return;
  const now = at.getTime();
  const cost = Math.max(1, Math.ceil(bytes / BYTES_OF_UNIT));
  const key = storedRateLimitKey({ name: 'cascade', key: root });
  const { points } = await inShareOfProject(source.projectId, () =>
    inRowTurn(key, () => spendBudget.one(database(), key, source.id, cost, now + BUDGET_MS, now)),
  );
  if (points <= BUDGET) return;
  throw new AppError('conflict', `One event may cause ${BUDGET.toLocaleString('en-US')} further deliveries at most.`);
}
