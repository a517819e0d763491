import { config } from '@/lib/platform/config/config';
import { type CountedRows, countOrganizationRows } from './count-organization-rows';
import { listDays } from './partitions/list-partitions';
import { BRANCHES } from './partitions/partitions';
import { expiredUntil, policyOf, type RetentionPolicy } from './retention-policy';

/**
 * Attempts of a delivery; $3 and $4: the times up to which successes and failures have left. `stored_attempts` is not
 * lowered when a partition is dropped: successes, kept for the shorter time, would make it overstate several times over. The last
 * attempt of what has succeeded is its success; earlier failures are taken to be as old.
 */
const STORED_SQL = `
  CASE WHEN status = 'SUCCEEDED' AND stored_attempts > 0
       THEN (coalesce(last_attempt_at, 'infinity') >= $3)::int
            + CASE WHEN coalesce(last_attempt_at, 'infinity') >= $4 THEN stored_attempts - 1 ELSE 0 END
       WHEN coalesce(last_attempt_at, 'infinity') >= $4 THEN stored_attempts
       ELSE 0 END`;

/**
 * Counts the deliveries of an organization, up to a bound, and estimates how many attempts of these are still stored: none is
 * read. Rows of days that wait in a default partition for their own are taken to have left.
 *
 * @param now tells what has expired where partitions are none of our business
 */
export async function countDeliveriesWithAttempts(organizationId: string, now: Date): Promise<CountedRows> {
  const policy = policyOf(config());
  const [succeeded, failed] = await Promise.all(
    ['delivery_attempts_succeeded', 'delivery_attempts_failed'].map((name) => findGoneUntil(name, policy, now)),
  );
  return countOrganizationRows(organizationId, 'deliveries', { summed: STORED_SQL, values: [succeeded, failed] });
}

/** As a text for PostgreSQL, which reads no dates as far back as those that stand for a partition without a beginning. */
async function findGoneUntil(name: string, policy: RetentionPolicy, now: Date): Promise<string> {
  const branch = BRANCHES.find((candidate) => candidate.name === name);
  if (branch === undefined) throw new Error(`there is no branch ${name}`);
  if (!policy.maintainsPartitions) return expiredUntil(now, branch.daysKept(policy)).toISOString();
  const [oldest] = await listDays(branch);
  return oldest === undefined || oldest.from.getTime() < 0 ? '-infinity' : oldest.from.toISOString();
}
