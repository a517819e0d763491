import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { countAttempts, countDeadOutbox, countDeliveries, countRows, findOldest } from './own-data-sql';
import { listDays } from './partitions/list-partitions';
import { type Branch, branchOf } from './partitions/partitions';
import { expiryCutoff, policyOf, type RetentionPolicy } from './retention-policy';

/** An organization's rows of one class of data. */
export interface OwnRows {
  rows: number;
  isAtLeast: boolean;
  oldestAt: Date | null;
}

/** Counts events, incoming events or tunnel requests, and finds the oldest. */
export async function findOwnRows(
  organizationId: string,
  table: 'events' | 'incoming_events' | 'tunnel_request_log',
): Promise<OwnRows> {
  const [{ rows, isAtLeast }, oldest] = await Promise.all([
    countOrganizationRows(organizationId, table),
    findOldest[table].one(database(), { organization: organizationId }),
  ]);
  return { rows, isAtLeast, oldestAt: oldest.at };
}

/** Counts the dead outbox rows of the organization's projects. Their age begins at `dead_at`. */
export async function findOwnDeadOutbox(organizationId: string): Promise<OwnRows> {
  const { rows, at } = await countDeadOutbox.one(database(), { organization: organizationId });
  return { rows, isAtLeast: false, oldestAt: at };
}

/** Attempts have no index by project: they are found by their deliveries, the oldest first. */
const WALKED_DELIVERIES = 10_000;
/** A delivery is tried for days, and its id has the time of its creation. */
const SLACK_DAYS = 8;

/** Counts the successful or the failed attempts of the organization's deliveries, which are kept for `days`. */
export async function findOwnAttempts(
  organizationId: string,
  succeeded: boolean,
  days: number,
  now: Date,
): Promise<OwnRows> {
  const lowestId = lowestIdAt(addMs(now, -(days + SLACK_DAYS) * DAY_MS));
  const { rows, is_at_least, at } = await countAttempts.one(database(), {
    organization: organizationId,
    walked: WALKED_DELIVERIES,
    lowestId,
    succeeded,
  });
  return { rows, isAtLeast: is_at_least, oldestAt: at };
}

/** Counting stops here: an organization may have hundreds of millions of rows. */
const MAX_COUNTED = 100_000;

interface CountedRows {
  rows: number;
  /** The sum of an expression over them. */
  sum: number;
  /** Counting stopped at the limit: there are at least so many rows. */
  isAtLeast: boolean;
}

/** Counts an organization's rows of a table, up to MAX_COUNTED. */
export async function countOrganizationRows(
  organizationId: string,
  table: keyof typeof countRows,
): Promise<CountedRows> {
  return boundCount(await countRows[table].one(database(), { limit: MAX_COUNTED, organization: organizationId }));
}

/** Tells whether a count stopped at MAX_COUNTED. */
function boundCount({ rows, sum }: Omit<CountedRows, 'isAtLeast'>): CountedRows {
  return { rows, sum, isAtLeast: rows === MAX_COUNTED };
}

/**
 * Counts the deliveries of an organization, up to a bound, and estimates how many of their attempts are stored, without
 * reading them. Attempts in a default partition count as gone when their day has no partition.
 *
 * @param now decides what has expired where PARTITION_MAINTENANCE_ENABLED is false
 */
export async function countDeliveriesWithAttempts(organizationId: string, now: Date): Promise<CountedRows> {
  const policy = policyOf(config());
  const succeededGoneUntil = await findGoneUntil(branchOf('delivery_attempts_succeeded'), policy, now);
  const failedGoneUntil = await findGoneUntil(branchOf('delivery_attempts_failed'), policy, now);
  return boundCount(
    await countDeliveries.one(database(), {
      succeededGoneUntil,
      failedGoneUntil,
      limit: MAX_COUNTED,
      organization: organizationId,
    }),
  );
}

/** Text for PostgreSQL: it cannot parse the earliest Date, which means a partition without a beginning. */
async function findGoneUntil(branch: Branch, policy: RetentionPolicy, now: Date): Promise<string> {
  if (!policy.maintainsPartitions) return expiryCutoff(now, branch.daysKept(policy)).toISOString();
  const [oldest] = await listDays(branch);
  return oldest === undefined || oldest.from.getTime() < 0 ? '-infinity' : oldest.from.toISOString();
}
