import type { CountDeliveriesQuery } from '@/lib/delivery/schema';
import { filterParameters } from './filter-parameters';

/** Returns the parameters $1 to $18 of the statements that match deliveries. Ids that are null or empty select all. */
export function matchParameters(
  projectId: string,
  { filter, deliveryIds }: { filter: CountDeliveriesQuery; deliveryIds?: readonly string[] | null },
  limit: number,
): unknown[] {
  const { chosen, exact, prefix } = filterParameters(projectId, filter, { limit });
  return [...chosen, exact, prefix, deliveryIds?.length ? deliveryIds : null];
}
