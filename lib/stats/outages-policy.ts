import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

/** Attempts of an endpoint in an hour or a day. */
export interface AttemptPeriod {
  startsAtMs: number;
  spanMs: number;
  succeeded: number;
  failed: number;
}

/** A range of time of which some deliveries are looked at. */
export interface Slot {
  fromMs: number;
  toMs: number;
}

/** What a delivery tells: at that time its endpoint answered with success, or failed. */
export interface Evidence {
  atMs: number;
  succeeded: boolean;
}

/** Deliveries failed from the first time on until one succeeded; null while none has. */
export interface Run {
  fromMs: number;
  toMs: number | null;
  /** The last success before it, and its last failure: between them and its ends, the times are uncertain. */
  lastSuccessMs: number | null;
  lastFailureMs: number;
  failures: number;
}

/** A shorter one is a hiccup, and the first retry, after five seconds, has mended it. */
export const SHORTEST_OUTAGE_MS = 10 * SECOND_MS;
/** One event that its receiver refuses makes no outage. */
const FEWEST_FAILURES = 2;

const SLOTS_PER_PERIOD = { hour: 60, day: 96 } as const;
/** All hours and days together. Few of them have as many, in shorter slots. */
const MAX_SLOTS = 6_000;
const MAX_FINER = 10;

/**
 * Returns what to look at to find the outages, oldest first: the hours and days with failures and, as the end of each, the next one
 * with a success. At most 49 hours in minutes and 35 days in quarters of an hour; fewer periods in slots of down to a tenth of that.
 */
export function slotsOf(periods: readonly AttemptPeriod[], hoursFromMs: number): Slot[] {
  const chosen = new Set<AttemptPeriod>();
  periods.forEach((period, index) => {
    if (period.failed === 0) return;
    chosen.add(period);
    const next = periods.slice(index + 1).find(({ succeeded }) => succeeded > 0);
    if (next !== undefined) chosen.add(next);
  });
  const inOrder = periods.filter((period) => chosen.has(period));
  const countOf = ({ spanMs }: AttemptPeriod) => (spanMs === HOUR_MS ? SLOTS_PER_PERIOD.hour : SLOTS_PER_PERIOD.day);
  const total = inOrder.reduce((sum, period) => sum + countOf(period), 0);
  const finer = Math.min(MAX_FINER, Math.max(1, Math.floor(MAX_SLOTS / total)));
  return inOrder.flatMap((period) => {
    const { startsAtMs, spanMs } = period;
    const end = spanMs === DAY_MS ? Math.min(startsAtMs + spanMs, hoursFromMs) : startsAtMs + spanMs;
    const count = countOf(period) * finer;
    return split({ fromMs: startsAtMs, toMs: startsAtMs + spanMs }, count).filter(({ fromMs }) => fromMs < end);
  });
}

const SLOTS_PER_EDGE = 60;

/**
 * Returns the slots between the last success and the first failure of a run, and between its last failure and its end. Those at the end
 * are also short ones that grow: after a short outage, a quiet endpoint may have its next delivery hours later.
 */
export function edgesOf({ fromMs, toMs, lastSuccessMs, lastFailureMs }: Run): Slot[] {
  return [
    ...split({ fromMs: lastSuccessMs ?? fromMs - HOUR_MS, toMs: fromMs }, SLOTS_PER_EDGE),
    ...(toMs === null
      ? []
      : [EVENLY, GROWING].flatMap((places) => split({ fromMs: lastFailureMs + 1, toMs }, SLOTS_PER_EDGE, places))),
  ];
}

type Places = (spanMs: number, share: number) => number;
const EVENLY: Places = (spanMs, share) => spanMs * share;
const GROWING: Places = (spanMs, share) => (share === 0 ? 0 : spanMs ** share);

function split({ fromMs, toMs }: Slot, count: number, places = EVENLY): Slot[] {
  const at = (n: number) => Math.floor(fromMs + places(toMs - fromMs, n / count));
  return Array.from({ length: count }, (_, n) => ({ fromMs: at(n), toMs: at(n + 1) })).filter(
    (slot) => slot.toMs > slot.fromMs,
  );
}

/** A delivery that had an attempt. `atMs` is the time of its event, near that of its first attempt. */
export interface Sample {
  atMs: number;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  attempts: number;
  completedAtMs: number | null;
}

/**
 * Returns after which time the first success is looked for, to end the newest run: no success follows it, and still the endpoint does
 * not fail. Null when every run has its end, or it fails.
 */
export function endMissingAfter(runs: readonly Run[], failingSinceMs: number | null): number | null {
  const newest = runs.at(-1);
  return failingSinceMs === null && newest?.toMs === null ? newest.lastFailureMs : null;
}

/** Returns what a delivery tells: that its first attempt failed, and when one succeeded. */
export function evidenceOf({ atMs, status, attempts, completedAtMs }: Sample): Evidence[] {
  const failure = status !== 'SUCCEEDED' || attempts > 1 ? [{ atMs, succeeded: false }] : [];
  const success = status === 'SUCCEEDED' ? [{ atMs: Math.max(atMs, completedAtMs ?? atMs), succeeded: true }] : [];
  return [...failure, ...success];
}

/**
 * Adds evidence to some that is in order of time. Of the same time, what is added comes last. What is in order already costs a comparison
 * each, so pieces that are added one by one keep the thread for less time than all of them at once.
 */
export function addInOrder(evidence: readonly Evidence[], added: readonly Evidence[]): Evidence[] {
  return evidence.concat(added).sort((a, b) => a.atMs - b.atMs);
}

/** Returns the runs of failures that are long enough to be outages, oldest first. @param evidence in order of time */
export function findRuns(evidence: readonly Evidence[], nowMs: number): Run[] {
  const runs: Run[] = [];
  let open: Run | null = null;
  let lastSuccessMs: number | null = null;
  for (const { atMs, succeeded } of evidence) {
    if (succeeded) {
      if (open !== null) open.toMs = atMs;
      open = null;
      lastSuccessMs = atMs;
    } else if (open === null) {
      open = { fromMs: atMs, toMs: null, lastSuccessMs, lastFailureMs: atMs, failures: 1 };
      runs.push(open);
    } else {
      open.lastFailureMs = atMs;
      open.failures += 1;
    }
  }
  return runs.filter(
    ({ fromMs, toMs, failures }) => failures >= FEWEST_FAILURES && (toMs ?? nowMs) - fromMs >= SHORTEST_OUTAGE_MS,
  );
}

/** The time of an outage. */
export interface Outage {
  from: Date;
  to: Date | null;
}

/**
 * Adds the outage that lasts, which the endpoint itself tells of, and rounds outwards to whole minutes, so that what is shown covers
 * every delivery. Those that then share a minute are one.
 * @returns the newest first
 */
export function toOutages(runs: readonly Run[], failingSinceMs: number | null, nowMs: number): Outage[] {
  const ended = failingSinceMs === null ? runs : runs.filter(({ toMs }) => toMs !== null && toMs <= failingSinceMs);
  const lasts = failingSinceMs !== null && nowMs - failingSinceMs >= SHORTEST_OUTAGE_MS;
  const begun = runs.find(({ toMs }) => toMs === null)?.fromMs ?? Number.POSITIVE_INFINITY;
  const current = lasts ? [{ fromMs: Math.min(failingSinceMs, begun), toMs: null }] : [];
  const outages: Outage[] = [];
  for (const { fromMs, toMs } of [...ended, ...current]) {
    const from = new Date(Math.floor(fromMs / MINUTE_MS) * MINUTE_MS);
    const to = toMs === null ? null : new Date(Math.ceil(toMs / MINUTE_MS) * MINUTE_MS);
    const before = outages.at(-1);
    if (before !== undefined && (before.to === null || before.to > from)) before.to = to;
    else outages.push({ from, to });
  }
  return outages.reverse();
}
