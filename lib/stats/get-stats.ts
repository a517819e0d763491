import { addMs, type Clock, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { groupBy } from '@/lib/platform/group-by';
import { inCamelCase, present } from '@/lib/platform/present';
import { selectAttention } from './attention-sql';
import { KEPT_HOURS } from './kept-policy';
import { customRange, namedRange, previousRange, type Range } from './range-policy';
import {
  Attention,
  AttentionReason,
  type DeliveryBacklog,
  type EndpointHealth,
  FailingTarget,
  type ProjectStats,
  type StatsBucket,
  type StatsQuery,
} from './schema';
import {
  type StatsRow,
  selectBacklog,
  selectEndpointHours,
  selectFailingTargets,
  selectLastDeliveries,
  selectOwnEndpoints,
  selectStats,
} from './stats-sql';
import { attemptQuantilesOf, sumStats } from './sum-stats';

const FAILING_TARGETS = 5;
/** Hours or days of targets with failures that are compared. */
const MAX_FAILING_PERIODS = 5_000;
/** Waiting deliveries are counted up to here. */
const MAX_WAITING = 10_000;

/** Returns what happened in a project in a range of time, and what waits now. */
export async function getStats(projectId: string, query: StatsQuery, clock: Clock): Promise<ProjectStats> {
  const now = clock();
  const range = rangeOf(query, now);
  const previous = previousRange(range, now);
  const [rows, previousRows, failingTargets, backlog, attention] = await Promise.all([
    readRows(projectId, range),
    previous === null ? null : readRows(projectId, asOneBucket(previous)),
    listFailingTargets(projectId, range, now),
    readBacklog(projectId),
    listAttention(projectId, now),
  ]);
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    bucketSeconds: range.bucketMs / 1000,
    totals: sumStats(rows),
    previousTotals: previousRows === null ? null : sumStats(previousRows),
    buckets: toBuckets(rows, range),
    failingTargets,
    backlog,
    attention,
  };
}

function rangeOf({ range = '24h', from, to }: StatsQuery, now: Date): Range {
  return from === undefined || to === undefined ? namedRange(range, now) : customRange(from, to, now);
}

function asOneBucket({ from, to, period }: Range): Range {
  return { from, to, bucketMs: to.getTime() - from.getTime(), period };
}

function readRows(projectId: string, { period, from, to, bucketMs }: Range): Promise<StatsRow[]> {
  return selectStats.all(database(), { project: projectId, period, from, to, bucketMs });
}

/** Returns every bucket of the range, also those in which nothing happened. */
function toBuckets(rows: readonly StatsRow[], { from, to, bucketMs }: Range): StatsBucket[] {
  const byStart = new Map(rows.map((row) => [row.starts_at?.getTime(), row]));
  const buckets: StatsBucket[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += bucketMs) {
    const row = byStart.get(start);
    buckets.push({ startsAt: new Date(start).toISOString(), ...sumStats(row === undefined ? [] : [row]) });
  }
  return buckets;
}

/** Targets have hours for two days, then days: these are the hours or days that the range touches. */
async function listFailingTargets(projectId: string, { from, to }: Range, now: Date): Promise<FailingTarget[]> {
  const hasHours = now.getTime() - from.getTime() < (KEPT_HOURS.targetHours - 1) * HOUR_MS;
  const stepMs = hasHours ? HOUR_MS : 24 * HOUR_MS;
  const start = new Date(Math.floor(from.getTime() / stepMs) * stepMs);
  const period = hasHours ? 'HOUR' : 'DAY';
  const rows = await selectFailingTargets.all(database(), {
    project: projectId,
    period,
    from: start,
    to,
    limit: FAILING_TARGETS,
    newest: MAX_FAILING_PERIODS,
  });
  return rows.map((row) =>
    present(FailingTarget, {
      ...inCamelCase(row),
      targetUrl: row.url,
      attempts: { succeeded: row.succeeded ?? 0, failed: row.failed ?? 0 },
      failedDeliveries: row.deliveries_failed ?? 0,
    }),
  );
}

async function readBacklog(projectId: string): Promise<DeliveryBacklog> {
  const row = await selectBacklog.one(database(), { project: projectId, limit: MAX_WAITING + 1 });
  const waiting = row.waiting ?? 0;
  return {
    waiting: Math.min(waiting, MAX_WAITING),
    waitingIsAtLeast: waiting > MAX_WAITING,
    oldestDueAt: row.oldest_due_at?.toISOString() ?? null,
  };
}

const SILENT_AFTER_MS = 24 * HOUR_MS;
const ACTIVE_WITHIN_MS = 7 * 24 * HOUR_MS + SILENT_AFTER_MS;

async function listAttention(projectId: string, now: Date): Promise<Attention[]> {
  const silentFrom = addMs(now, -SILENT_AFTER_MS);
  const activeFrom = addMs(now, -ACTIVE_WITHIN_MS);
  const rows = await selectAttention.all(database(), { project: projectId, silentFrom, activeFrom });
  const found = rows.map((row) =>
    present(Attention, {
      ...inCamelCase(row),
      reason: AttentionReason.parse(row.reason),
      count: row.count ?? 0,
      name: row.name ?? '',
    }),
  );
  const { options } = AttentionReason;
  return found.sort((a, b) => options.indexOf(a.reason) - options.indexOf(b.reason));
}

const LAST_DELIVERIES = 10;

/** Returns the last 24 hours and the last ten deliveries of endpoints. Omits ids that are not endpoints of the project. */
export async function listEndpointHealth(
  projectId: string,
  endpointIds: readonly string[],
  clock: Clock,
): Promise<EndpointHealth[]> {
  const { from, to } = namedRange('24h', clock());
  const ids = (await selectOwnEndpoints.all(database(), { project: projectId, endpoints: endpointIds })).map(
    ({ id }) => id,
  );
  const [hours, deliveries] = await Promise.all([
    selectEndpointHours.all(database(), { project: projectId, endpoints: ids, from }),
    selectLastDeliveries.all(database(), { endpoints: ids, limit: LAST_DELIVERIES }),
  ]);
  const hoursOf = new Map(hours.map((row) => [row.subject_id, row]));
  const deliveriesOf = groupBy(deliveries, (row) => row.endpoint_id);
  const starts = Array.from({ length: (to.getTime() - from.getTime()) / HOUR_MS }, (_, hour) =>
    addMs(from, hour * HOUR_MS),
  ).map((start) => ({ ms: start.getTime(), startsAt: start.toISOString() }));
  return ids.map((endpointId) => {
    const own = hoursOf.get(endpointId);
    const [succeeded, failed] = [own?.succeeded ?? [], own?.failed ?? []];
    const places = new Map(own?.hours?.map((start, place) => [start.getTime(), place]));
    const countIn = (counts: readonly number[], ms: number) => counts[places.get(ms) ?? -1] ?? 0;
    return {
      endpointId,
      attempts: { succeeded: sumOf(succeeded), failed: sumOf(failed) },
      attemptDuration: attemptQuantilesOf([own?.durations ?? null]),
      hours: starts.map(({ ms, startsAt }) => ({
        startsAt,
        attempts: { succeeded: countIn(succeeded, ms), failed: countIn(failed, ms) },
      })),
      lastDeliveries: (deliveriesOf.get(endpointId) ?? []).map(({ id, status, created_at }) => ({
        id,
        status,
        createdAt: created_at.toISOString(),
      })),
    };
  });
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
