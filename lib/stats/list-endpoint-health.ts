import { type Clock, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { groupBy } from '@/lib/platform/group-by';
import { namedRange } from './range-policy';
import type { EndpointHealth } from './schema';
import { selectEndpointHours, selectLastDeliveries, selectOwnEndpoints } from './stats-sql';
import { attemptQuantilesOf } from './sum-stats';

const LAST_DELIVERIES = 10;

/** Returns the last 24 hours and the last ten deliveries of endpoints. Omits ids that are not endpoints of the project. */
export async function listEndpointHealth(
  projectId: string,
  endpointIds: readonly string[],
  clock: Clock,
): Promise<EndpointHealth[]> {
  const { from, to } = namedRange('24h', clock());
  const ids = (await selectOwnEndpoints.all(database(), projectId, endpointIds)).map(({ id }) => id);
  const [hours, deliveries] = await Promise.all([
    selectEndpointHours.all(database(), projectId, ids, from),
    selectLastDeliveries.all(database(), ids, LAST_DELIVERIES),
  ]);
  const hoursOf = groupBy(hours, (row) => row.subject_id);
  const deliveriesOf = groupBy(deliveries, (row) => row.endpoint_id);
  return ids.map((endpointId) => {
    const own = hoursOf.get(endpointId) ?? [];
    const byStart = new Map(own.map((row) => [row.starts_at.getTime(), row]));
    const starts = Array.from(
      { length: (to.getTime() - from.getTime()) / HOUR_MS },
      (_, hour) => from.getTime() + hour * HOUR_MS,
    );
    return {
      endpointId,
      attempts: {
        succeeded: own.reduce((sum, row) => sum + row.succeeded, 0),
        failed: own.reduce((sum, row) => sum + (row.failed ?? 0), 0),
      },
      attemptDuration: attemptQuantilesOf(own.map(({ durations }) => durations)),
      hours: starts.map((start) => {
        const { succeeded = 0, failed = 0 } = byStart.get(start) ?? {};
        return { startsAt: new Date(start).toISOString(), attempts: { succeeded, failed: failed ?? 0 } };
      }),
      lastDeliveries: (deliveriesOf.get(endpointId) ?? []).map(({ id, status, created_at }) => ({
        id,
        status,
        createdAt: created_at.toISOString(),
      })),
    };
  });
}
