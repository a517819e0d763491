import { config } from '@/lib/platform/config/config';
import { type CountedRows, countOrganizationRows } from './count-organization-rows';
import { listDays } from './partitions/list-partitions';
import { BRANCHES } from './partitions/partitions';
import { expiredUntil, policyOf, type RetentionPolicy } from './retention-policy';

/**
 * Attempts of a delivery; $3 and $4: the times up to which successes and failures are gone. `stored_attempts` is not lowered
 * when a partition is dropped, so by itself it is several times too high for successes, which are kept for the shorter time.
 * The last attempt of a succeeded delivery is its success; its earlier failures are assumed to be as old.
 */
const STORED_SQL = `
  CASE WHEN status = 'SUCCEEDED' AND stored_attempts > 0
       THEN (coalesce(last_attempt_at, 'infinity') >= $3)::int
            + CASE WHEN coalesce(last_attempt_at, 'infinity') >= $4 THEN stored_attempts - 1 ELSE 0 END
       WHEN coalesce(last_attempt_at, 'infinity') >= $4 THEN stored_attempts
       ELSE 0 END`;

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
  return countOrganizationRows(organizationId, 'deliveries', { summed: STORED_SQL, values: [succeeded, failed] });
}

/** Text for PostgreSQL: it cannot parse the earliest Date, which means a partition without a beginning. */
async function findGoneUntil(name: string, policy: RetentionPolicy, now: Date): Promise<string> {
  const branch = BRANCHES.find((candidate) => candidate.name === name);
  if (branch === undefined) throw new Error(`there is no branch ${name}`);
  if (!policy.maintainsPartitions) return expiredUntil(now, branch.daysKept(policy)).toISOString();
  const [oldest] = await listDays(branch);
  return oldest === undefined || oldest.from.getTime() < 0 ? '-infinity' : oldest.from.toISOString();
}
