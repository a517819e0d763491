import { setImmediate } from 'node:timers/promises';
import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import { type Clock, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt, timeOfId } from '@/lib/platform/ids';
import { countMatches, HIGHEST_ID } from '@/lib/platform/sql/bounded-scan';
import { KEPT_HOURS } from './kept-policy';
import {
  addInOrder,
  type Evidence,
  edgesOf,
  endMissingAfter,
  evidenceOf,
  findRuns,
  type Run,
  type Slot,
  slotsOf,
  toOutages,
} from './outages-policy';
import type { Outage, OutageList, WaitingDeliveries } from './schema';
import { selectAttemptPeriods, selectFirstSuccess, selectSamples, selectWaiting } from './stats-sql';

/** The outages that are shown. */
const MAX_OUTAGES = 5;
/** Deliveries of a slot that are looked at. */
const SAMPLES = 3;
/** Slots of one statement: more would keep the thread busy with their deliveries. The ends of a run have fewer. */
const SLOTS_AT_ONCE = 300;
/** What is counted of an outage, and looked at for that. */
const COUNT_LIMITS = { upTo: 10_000, maxExamined: 20_000 };
/** Deliveries among which the success that ended the newest outage is looked for. */
const NEWEST_DELIVERIES = 1_000;

/** By which filter of the list of deliveries a target is chosen. */
type Kind = keyof typeof selectSamples;

/**
 * Lists the newest outages of a target in the last 35 days, and what waits for another attempt, whether or not it is of one. The
 * statistics tell the hours and days with failures; a few deliveries of each six seconds to 15 minutes tell when it went down and
 * came back. Reads at most 20,000 deliveries to find them, as many to count those of each outage, and 10,000 that wait.
 */
export async function listOutages(
  kind: Kind,
  { id: targetId, failingSince }: { id: string; failingSince: string | null },
  projectId: string,
  clock: Clock,
): Promise<OutageList> {
  const nowMs = clock().getTime();
  const hoursFromMs = Math.floor(nowMs / HOUR_MS - (KEPT_HOURS.targetHours - 1)) * HOUR_MS;
  const rows = await selectAttemptPeriods.all(database(), {
    project: projectId,
    target: targetId,
    hoursFrom: new Date(hoursFromMs),
  });
  const periods = rows.map((row) => ({
    startsAtMs: row.starts_at?.getTime() ?? 0,
    spanMs: row.period === 'DAY' ? DAY_MS : HOUR_MS,
    succeeded: row.succeeded ?? 0,
    failed: row.failed ?? 0,
  }));
  const failingSinceMs = failingSince === null ? null : Date.parse(failingSince);
  const runs = await readRuns(kind, targetId, slotsOf(periods, hoursFromMs), failingSinceMs, nowMs);
  const found = toOutages(runs, failingSinceMs, nowMs).slice(0, MAX_OUTAGES);
  const { waiting, nextAttempts } = await readWaiting(targetId, found);
  const outages: Outage[] = [];
  for (const [place, { from, to }] of found.entries()) {
    const filter = { [kind]: targetId, status: 'UNDELIVERED' as const, from, ...(to === null ? {} : { to }) };
    const { count, isExact } = await countMatches(database(), deliveryScan(projectId, filter), COUNT_LIMITS);
    outages.push({
      from: from.toISOString(),
      to: to?.toISOString() ?? null,
      undelivered: count,
      undeliveredIsAtLeast: !isExact,
      nextAttemptAt: nextAttempts[place]?.toISOString() ?? null,
    });
  }
  return { data: outages, waiting };
}

/** Reads what waits for another attempt, and when the next one of each outage is. */
async function readWaiting(targetId: string, outages: readonly { from: Date; to: Date | null }[]) {
  const rows = await selectWaiting.all(database(), {
    target: targetId,
    lowest: outages.map(({ from }) => lowestIdAt(from)),
    below: outages.map(({ to }) => (to === null ? HIGHEST_ID : lowestIdAt(to))),
    limit: COUNT_LIMITS.upTo + 1,
  });
  const nextAttempts = outages.map((_, n) => rows.find(({ outage }) => outage === n + 1)?.next_attempt_at ?? null);
  const sumOf = (some: typeof rows) => some.reduce((sum, row) => sum + (row.count ?? 0), 0);
  const times = rows.flatMap(({ next_attempt_at: at }) => (at === null ? [] : [at.getTime()]));
  const waiting: WaitingDeliveries = {
    count: Math.min(sumOf(rows), COUNT_LIMITS.upTo),
    countIsAtLeast: (rows[0]?.examined ?? 0) > COUNT_LIMITS.upTo,
    outsideOutages: Math.min(sumOf(rows.filter(({ outage }) => outage === null)), COUNT_LIMITS.upTo),
    nextAttemptAt: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
  return { waiting, nextAttempts };
}

/** Reads when the first of the newest deliveries succeeded after a time: also one of an older event that was retried. */
async function firstSuccess(kind: Kind, targetId: string, afterMs: number): Promise<Evidence[]> {
  const { completed_at: at } = await selectFirstSuccess[kind].one(database(), {
    target: targetId,
    after: new Date(afterMs),
    limit: NEWEST_DELIVERIES,
  });
  return at === null ? [] : [{ atMs: at.getTime(), succeeded: true }];
}

/**
 * Reads a few deliveries of each slot and, around the newest runs that they tell of, a few more. They may be 20,000: others are served
 * between the pieces.
 */
async function readRuns(
  kind: Kind,
  targetId: string,
  slots: readonly Slot[],
  failingSinceMs: number | null,
  nowMs: number,
): Promise<Run[]> {
  let evidence: Evidence[] = [];
  const add = async (added: Promise<Evidence[]>) => {
    const more = await added;
    await setImmediate();
    evidence = addInOrder(evidence, more);
    await setImmediate();
  };
  for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
    await add(sample(kind, targetId, slots.slice(at, at + SLOTS_AT_ONCE)));
  }
  let runs = findRuns(evidence, nowMs);
  const afterMs = endMissingAfter(runs, failingSinceMs);
  if (afterMs !== null) {
    await add(firstSuccess(kind, targetId, afterMs));
    runs = findRuns(evidence, nowMs);
  }
  // The slots of a run may overlap, but are in order from run to run.
  for (const run of runs.slice(-MAX_OUTAGES)) await add(sample(kind, targetId, edgesOf(run)));
  return findRuns(evidence, nowMs);
}

/** Reads what a few deliveries of each slot tell. */
async function sample(kind: Kind, targetId: string, slots: readonly Slot[]): Promise<Evidence[]> {
  const rows = await selectSamples[kind].all(database(), {
    target: targetId,
    lowest: slots.map(({ fromMs }) => lowestIdAt(new Date(fromMs))),
    below: slots.map(({ toMs }) => lowestIdAt(new Date(toMs))),
    limit: SAMPLES,
  });
  await setImmediate();
  return rows.flatMap((row) =>
    evidenceOf({
      atMs: timeOfId(row.id),
      status: row.status,
      attempts: row.attempt_count,
      completedAtMs: row.completed_at?.getTime() ?? null,
    }),
  );
}
