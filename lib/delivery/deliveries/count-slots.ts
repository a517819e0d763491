import { findTenant } from '@/lib/orgs/find-tenant';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { type SlotKind, takeSlot } from '@/lib/platform/slots';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/** A count reads up to 100,000 rows, and requests of all tenants share the connections. */
const SHARE = {
  atOnce: 4,
  perOrganization: 2,
  perOwner: 2,
  noun: 'count',
  holderHas: 'This project already has',
  retryAfterSeconds: 1,
};
/** What somebody looks at, which is counted again and again. */
export const SHOWN_COUNTS: SlotKind = { name: 'shown-counts', ...SHARE };
/** What a bulk retry or a replay is about to work on. It must not fail because somebody looks at a number. */
const STARTED_COUNTS: SlotKind = { name: 'started-counts', ...SHARE };

/** Somebody who starts and cancels bulk retries in a loop keeps the database busy with counts. */
const STARTS = { perSecond: 1, burst: 60 };

/** A project whose rows are counted. */
interface Counted {
  projectId: string;
  organizationId: string;
}

/**
 * Counts what a bulk retry or a replay is about to work on, and starts it.
 * @throws AppError rate_limited when the owner has started 60 within a minute, or as `whileCounting`; overloaded
 */
export async function whileStarting<Result>(project: Counted, work: () => Promise<Result>): Promise<Result> {
  const { ownerId } = await findTenant(project.organizationId);
  const starts = once('started-jobs', () => new TokenBuckets(STARTS));
  if (starts.left(ownerId) < 1) {
    const message = 'This account has started 60 bulk retries and replays within a minute. Start fewer.';
    throw new AppError('rate_limited', message, { retryAfterSeconds: 1 });
  }
  starts.take(ownerId, 1);
  return whileCounting(STARTED_COUNTS, project, work);
}

/**
 * Does some work while it holds a slot for counting.
 * @throws AppError rate_limited when the project has one under way, or its organization or owner two; overloaded when the process has
 *   too many
 */
export async function whileCounting<Result>(
  kind: SlotKind,
  project: Counted,
  work: () => Promise<Result>,
): Promise<Result> {
  const slot = takeSlot(kind, { id: project.projectId, ...(await findTenant(project.organizationId)) });
  try {
    return await work();
  } finally {
    slot.release();
  }
}
