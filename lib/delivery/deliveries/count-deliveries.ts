import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import type { CountDeliveriesQuery, DeliveryCount } from '@/lib/delivery/schema';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { SHOWN_COUNTS, whileCounting } from './count-slots';
import { matchParameters } from './match-parameters';
import { countMatching } from './match-sql';

/** Counting reads every delivery that it counts. */
const MAX_COUNTED = 100_000;

/**
 * Counts the deliveries of a project that match, up to a limit; above it the count is not exact.
 * @throws AppError rate_limited when the project has a count under way, or its organization or owner two; overloaded
 */
export async function countDeliveries(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  filter: CountDeliveriesQuery,
): Promise<DeliveryCount> {
  const parameters = matchParameters(projectId, { filter }, MAX_COUNTED + 1);
  const project = { projectId, organizationId: organizationOf(caller) };
  const { total } = await whileCounting(SHOWN_COUNTS, project, () => countMatching.one(database(), ...parameters));
  return { count: Math.min(total, MAX_COUNTED), isExact: total <= MAX_COUNTED };
}

/** Whether more than `count` deliveries of a project match. */
export async function hasMoreDeliveries(
  projectId: string,
  filter: CountDeliveriesQuery,
  count: number,
): Promise<boolean> {
  const { total } = await countMatching.one(database(), ...matchParameters(projectId, { filter }, count + 1));
  return total > count;
}
