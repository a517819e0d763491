import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectCaller } from '@/lib/audit/caller';
import type { CountDeliveriesQuery, DeliveryCount } from '@/lib/delivery/schema';
import { findTenant, organizationOf } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { type Slot, type SlotHolder, type SlotKind, takeSlot } from '@/lib/platform/slots';
import { countMatches, type Scan } from '@/lib/platform/sql/bounded-scan';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import { deliveryScan } from './delivery-scan-sql';

/** What is counted, and what is looked at for that. */
const COUNT_LIMITS = { upTo: 100_000, maxExamined: 120_000, mostMs: 2 * SECOND_MS };

/**
 * Counts the deliveries of a project that match. The count is not exact, and too low, when it reaches 100,000, or when it has looked at
 * 120,000 deliveries or for two seconds.
 * @throws AppError as `whileShownIsCounted`
 */
export async function countDeliveries(
  caller: ProjectCaller,
  projectId: string,
  filter: CountDeliveriesQuery,
): Promise<DeliveryCount> {
  const project = { projectId, organizationId: organizationOf(caller) };
  return whileShownIsCounted(project, () => countMatches(database(), deliveryScan(projectId, filter), COUNT_LIMITS));
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
/** What customers start in portals: none of them takes a place of its company, or learns of the others. */
const PORTAL_COUNTS: SlotKind = {
  name: 'portal-counts',
  ...SHARE,
  holderHas: 'You already have',
  othersHave: 'Too many counts are in progress.',
};

/** Somebody who starts and cancels bulk retries in a loop keeps the database busy with counts, and the places for them. */
const STARTS = { perSecond: 1, burst: 60 };
/** The same for all customers of an owner together, who may have any number of them. */
const STARTS_OF_CUSTOMERS = { perSecond: 2, burst: 240 };
/** A start whose count takes longer counts again for each time that it has taken this. */
const START_MS = 100;

/** A project whose rows are counted. */
interface Counted {
  projectId: string;
  organizationId: string;
  /** The customer who counts in the portal. */
  customerId?: string | undefined;
}

async function holderOf({ projectId, organizationId, customerId }: Counted): Promise<SlotHolder> {
  return { id: customerId ?? projectId, ...(await findTenant(organizationId)) };
}

/**
 * Counts what a bulk retry or a replay is about to work on. The caller starts it afterwards: its transaction may wait for a lock, and would
 * keep a place that all owners share. The starts of a customer do not count for the owner, but for all of the owner's customers.
 * @throws AppError rate_limited when the owner or the customer has started 60 within a minute, or the owner's customers 240 within two,
 *   fewer when they took long, or when another count has not ended after a second; overloaded
 */
export async function whileStartIsCounted<Result>(project: Counted, work: () => Promise<Result>): Promise<Result> {
  const holder = await holderOf(project);
  const take = takeStart(project.customerId, holder.ownerId);
  const slot = await takeSlotInTime(project.customerId === undefined ? STARTED_COUNTS : PORTAL_COUNTS, holder);
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    take(Math.floor((performance.now() - startedAt) / START_MS));
    slot.release();
  }
}

/** Takes a start from the budgets. @returns takes more from them @throws AppError rate_limited */
function takeStart(customerId: string | undefined, ownerId: string): (more: number) => void {
  const starts = once('started-jobs', () => new TokenBuckets(STARTS));
  const ofCustomers = once('jobs-of-customers', () => new TokenBuckets(STARTS_OF_CUSTOMERS));
  const budgets = [
    { buckets: starts, id: customerId ?? ownerId, who: 'This account starts too many bulk retries and replays' },
    // A customer does not learn of others.
    ...(customerId === undefined ? [] : [{ buckets: ofCustomers, id: ownerId, who: 'Too many replays are started' }]),
  ];
  for (const { buckets, id, who } of budgets) {
    const left = buckets.left(id);
    if (left >= 1) continue;
    throw new AppError('rate_limited', `${who}, or such that take long to count. Start fewer.`, {
      retryAfterSeconds: Math.ceil((1 - left) / buckets.limits.perSecond),
    });
  }
  const take = (count: number) => {
    for (const { buckets, id } of budgets) buckets.take(id, count);
  };
  take(1);
  return take;
}

/**
 * Counts the rows that a bulk retry or a replay would work on.
 * @param noun what the error calls them
 * @throws AppError conflict when they are too many, among too many others, or take too long
 */
export async function countToStart(scan: Scan, noun: string, advice: string): Promise<number> {
  const { upTo, maxExamined, mostMs } = COUNT_LIMITS;
  const found = await countMatches(database(), scan, COUNT_LIMITS);
  if (found.isExact) return found.count;
  const reason = found.isLate
    ? `The ${noun} that match could not be counted within ${mostMs / SECOND_MS} seconds.`
    : found.count === upTo
      ? `More than ${upTo.toLocaleString('en-US')} ${noun} match.`
      : `The ${noun} that match are among more than ${maxExamined.toLocaleString('en-US')} others.`;
  throw new AppError('conflict', `${reason} ${advice}`);
}

/** How long a start waits for the count of another one, which takes milliseconds as a rule. */
const START_WAIT_MS = SECOND_MS;
const RETRY_MS = 50;

/** Takes a slot as soon as there is one. @throws AppError as `takeSlot`, after a second */
async function takeSlotInTime(kind: SlotKind, holder: SlotHolder): Promise<Slot> {
  for (const end = performance.now() + START_WAIT_MS; ; await sleep(RETRY_MS)) {
    try {
      return takeSlot(kind, holder);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/**
 * Counts what somebody looks at.
 * @throws AppError rate_limited when the project has one under way, or its organization or owner two; overloaded when the process has
 *   too many
 */
export async function whileShownIsCounted<Result>(
  project: Omit<Counted, 'customerId'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const slot = takeSlot(SHOWN_COUNTS, await holderOf(project));
  try {
    return await work();
  } finally {
    slot.release();
  }
}
