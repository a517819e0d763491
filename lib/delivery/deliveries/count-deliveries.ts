import type { ProjectCaller } from '@/lib/audit/caller';
import type { CountDeliveriesQuery, DeliveryCount } from '@/lib/delivery/schema';
import { findTenant, organizationOf } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { type SlotKind, takeSlot } from '@/lib/platform/slots';
import { countMatches, type Scan } from '@/lib/platform/sql/bounded-scan';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import { deliveryScan } from './delivery-scan-sql';

/** What is counted, and what is looked at for that. */
const COUNT_LIMITS = { upTo: 100_000, maxExamined: 120_000 };

/**
 * Counts the deliveries of a project that match. The count is not exact, and too low, when it reaches 100,000, or when it has looked at
 * 120,000 deliveries.
 * @throws AppError rate_limited when the project has a count under way, or its organization or owner two; overloaded
 */
export async function countDeliveries(
  caller: ProjectCaller,
  projectId: string,
  filter: CountDeliveriesQuery,
): Promise<DeliveryCount> {
  const project = { projectId, organizationId: organizationOf(caller) };
  return whileCounting(SHOWN_COUNTS, project, () =>
    countMatches(database(), deliveryScan(projectId, filter), COUNT_LIMITS),
  );
}

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
const SHOWN_COUNTS: SlotKind = { name: 'shown-counts', ...SHARE };
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
 * Counts the rows that a bulk retry or a replay would work on.
 * @param noun what the error calls them
 * @throws AppError conflict when they are too many, or among too many others
 */
export async function countToStart(scan: Scan, noun: string, advice: string): Promise<number> {
  const { upTo, maxExamined } = COUNT_LIMITS;
  const found = await countMatches(database(), scan, COUNT_LIMITS);
  if (found.isExact) return found.count;
  const reason =
    found.count === upTo
      ? `More than ${upTo.toLocaleString('en-US')} ${noun} match.`
      : `The ${noun} that match are among more than ${maxExamined.toLocaleString('en-US')} others.`;
  throw new AppError('conflict', `${reason} ${advice}`);
}

/**
 * Does some work while it holds a slot for counting.
 * @throws AppError rate_limited when the project has one under way, or its organization or owner two; overloaded when the process has
 *   too many
 */
async function whileCounting<Result>(kind: SlotKind, project: Counted, work: () => Promise<Result>): Promise<Result> {
  const slot = takeSlot(kind, { id: project.projectId, ...(await findTenant(project.organizationId)) });
  try {
    return await work();
  } finally {
    slot.release();
  }
}
