import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import type { CountDeliveriesQuery, DeliveryCount } from '@/lib/delivery/schema';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { countMatches } from '@/lib/platform/sql/bounded-scan';
import { SHOWN_COUNTS, whileCounting } from './count-slots';
import { deliveryScan } from './delivery-scan-sql';

/** What is counted, and what is looked at for that. */
export const COUNT_LIMITS = { upTo: 100_000, maxExamined: 120_000 };

/**
 * Counts the deliveries of a project that match. The count is not exact, and too low, when it reaches 100,000, or when it has looked at
 * 120,000 deliveries.
 * @throws AppError rate_limited when the project has a count under way, or its organization or owner two; overloaded
 */
export async function countDeliveries(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  filter: CountDeliveriesQuery,
): Promise<DeliveryCount> {
  const project = { projectId, organizationId: organizationOf(caller) };
  return whileCounting(SHOWN_COUNTS, project, () =>
    countMatches(database(), deliveryScan(projectId, filter), COUNT_LIMITS),
  );
}
