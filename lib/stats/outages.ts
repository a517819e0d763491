import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import type { Endpoint } from '@/lib/delivery/schema';
import { type Clock, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt, timeOfId } from '@/lib/platform/ids';
import { countMatches } from '@/lib/platform/sql/bounded-scan';
import { KEPT_HOURS } from './kept-policy';
import { type Evidence, edgesOf, evidenceOf, findRuns, type Slot, slotsOf, toOutages } from './outages-policy';
import type { Outage } from './schema';
import { selectAttemptPeriods, selectSamples } from './stats-sql';

/** The outages that are shown. */
const MAX_OUTAGES = 5;
/** Deliveries of a slot that are looked at. */
const SAMPLES = 3;
/** What is counted of an outage, and looked at for that. */
const COUNT_LIMITS = { upTo: 10_000, maxExamined: 20_000 };

/**
 * Lists the newest outages of an endpoint in the last 35 days. The statistics tell the hours and days with failures; a few deliveries
 * of each minute, or quarter of an hour, tell when it went down and came back. Reads at most 20,000 deliveries to find them, and as
 * many to count those of each outage.
 */
export async function listOutages(
  { id: endpointId, failingSince }: Endpoint,
  projectId: string,
  clock: Clock,
): Promise<Outage[]> {
  const nowMs = clock().getTime();
  const hoursFromMs = Math.floor(nowMs / HOUR_MS - (KEPT_HOURS.targetHours - 1)) * HOUR_MS;
  const rows = await selectAttemptPeriods.all(database(), {
    project: projectId,
    endpoint: endpointId,
    hoursFrom: new Date(hoursFromMs),
  });
  const periods = rows.map((row) => ({
    startsAtMs: row.starts_at?.getTime() ?? 0,
    spanMs: row.period === 'DAY' ? DAY_MS : HOUR_MS,
    succeeded: row.succeeded ?? 0,
    failed: row.failed ?? 0,
  }));
  const coarse = await sample(endpointId, slotsOf(periods, hoursFromMs));
  const edges = findRuns(coarse, nowMs).slice(-MAX_OUTAGES).flatMap(edgesOf);
  const runs = findRuns([...coarse, ...(await sample(endpointId, edges))], nowMs);
  const failingSinceMs = failingSince === null ? null : Date.parse(failingSince);
  const outages: Outage[] = [];
  for (const { from, to } of toOutages(runs, failingSinceMs, nowMs).slice(0, MAX_OUTAGES)) {
    const filter = { endpointId, status: 'UNDELIVERED' as const, from, ...(to === null ? {} : { to }) };
    const { count, isExact } = await countMatches(database(), deliveryScan(projectId, filter), COUNT_LIMITS);
    outages.push({
      from: from.toISOString(),
      to: to?.toISOString() ?? null,
      undelivered: count,
      undeliveredIsAtLeast: !isExact,
    });
  }
  return outages;
}

/** Reads what a few deliveries of each slot tell. */
async function sample(endpointId: string, slots: readonly Slot[]): Promise<Evidence[]> {
  if (slots.length === 0) return [];
  const rows = await selectSamples.all(database(), {
    endpoint: endpointId,
    lowest: slots.map(({ fromMs }) => lowestIdAt(new Date(fromMs))),
    below: slots.map(({ toMs }) => lowestIdAt(new Date(toMs))),
    limit: SAMPLES,
  });
  return rows.flatMap((row) =>
    evidenceOf({
      atMs: timeOfId(row.id),
      status: row.status,
      attempts: row.attempt_count,
      completedAtMs: row.completed_at?.getTime() ?? null,
    }),
  );
}
