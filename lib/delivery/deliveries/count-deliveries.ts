import type { CountDeliveriesQuery, DeliveryCount } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { matchParameters } from './match-parameters';
import { countMatching } from './match-sql';

/** Counting reads every delivery that it counts. */
const MAX_COUNTED = 100_000;

/** Counts the deliveries of a project that match, up to a limit; above it the count is not exact. */
export async function countDeliveries(projectId: string, filter: CountDeliveriesQuery): Promise<DeliveryCount> {
  const { total } = await countMatching.one(database(), ...matchParameters(projectId, { filter }, MAX_COUNTED + 1));
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
