import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { boundCount, type CountedRows, MAX_COUNTED } from './count-organization-rows';
import { countDeliveries } from './own-data-sql';
import { listDays } from './partitions/list-partitions';
import { BRANCHES } from './partitions/partitions';
import { expiryCutoff, policyOf, type RetentionPolicy } from './retention-policy';

/**
 * Counts the deliveries of an organization, up to a bound, and estimates how many of their attempts are stored, without
 * reading them. Attempts in a default partition count as gone when their day has no partition.
 *
 * @param now decides what has expired where PARTITION_MAINTENANCE_ENABLED is false
 */
export async function countDeliveriesWithAttempts(organizationId: string, now: Date): Promise<CountedRows> {
  const policy = policyOf(config());
  const [succeeded, failed] = await Promise.all(
    ['delivery_attempts_succeeded', 'delivery_attempts_failed'].map((name) => findGoneUntil(name, policy, now)),
  );
  return boundCount(await countDeliveries.one(database(), organizationId, MAX_COUNTED, succeeded, failed));
}

/** Text for PostgreSQL: it cannot parse the earliest Date, which means a partition without a beginning. */
async function findGoneUntil(name: string, policy: RetentionPolicy, now: Date): Promise<string> {
  const branch = BRANCHES.find((candidate) => candidate.name === name);
  if (branch === undefined) throw new Error(`there is no branch ${name}`);
  if (!policy.maintainsPartitions) return expiryCutoff(now, branch.daysKept(policy)).toISOString();
  const [oldest] = await listDays(branch);
  return oldest === undefined || oldest.from.getTime() < 0 ? '-infinity' : oldest.from.toISOString();
}
