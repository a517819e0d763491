import { lockDeliveries, makeAllDue, type Outcome } from '@/lib/delivery/bulk-retries/bulk-retries-sql';
import { areTargetsCrowded, notifyDeliveries } from '@/lib/delivery/deliveries/deliveries-sql';
import { queueDeliveries } from '@/lib/delivery/deliveries/queue-deliveries';
import { FilterSlices } from '@/lib/delivery/engine/outbox/filter-turns';
import { jobTries } from '@/lib/delivery/job-tries';
import { lockProjectIfLive } from '@/lib/orgs/locks';
import { continueJob, type JobKind } from '@/lib/platform/continue-job';
import type { Sql } from '@/lib/platform/db';
import { SemaphoreFullError } from '@/lib/platform/fair-semaphore';
import { type Chosen, chooseDeliveries, type RunTest } from './choose-deliveries';
import {
  advanceEventReplay,
  cancelEventReplay,
  completeEventReplay,
  type EventReplayRow,
  eventReplayJobs,
  lockDueEventReplay,
} from './event-replays-sql';
import { type Found, findDeliveries, isReached, type Position, type ReadLimits, statusesOf } from './find-deliveries';
import { readEndpoint } from './read-endpoint';
import type { ReplayScope } from './replayed-events-sql';

/** What one batch reads, which is one transaction. */
const READ: ReadLimits = { firstEvents: 10, mostEvents: 100, mostPairs: 500 };
/** What one batch makes due, and reads for filters, at most. */
const BATCH_DELIVERIES = 100;
const BATCH_BYTES = 4 * 1024 * 1024;
/** What the filters of a batch take of the thread, about, and of each second: less than those of live events may (filter-turns.ts). */
const BATCH_FILTERS_MS = 20;
const FILTERS_MS_PER_SECOND = 50;
/** How long a batch waits for the turns of its filters, from the first one on. Other owners' replays wait for it. */
const TURN_TIMEOUT_MS = 100;
const NEXT_TURN_SECONDS = 0.25;
/** What one replay makes due, at most. */
const DELIVERIES_PER_SECOND = 200;
const MIN_PACE_SECONDS = 0.05;
/** A target with this many due deliveries gets no more until some have been sent: new events must not wait long behind them. */
const MAX_DUE = 200;
const CROWDED_SECONDS = 1;

const EVENT_REPLAYS: JobKind<EventReplayRow> = {
  noun: 'event replay',
  lockDue: (tx, after) => lockDueEventReplay.first(tx, { after }),
  doBatch: replayBatch,
  ...jobTries(eventReplayJobs, 'event_replay.failed'),
  selectNextDue: eventReplayJobs.selectNextDue,
};

/**
 * Makes one batch due of an event replay: owners take turns, and so do the replays of an owner. Several workers may run it at once.
 * @returns the milliseconds until an event replay needs its next batch; null when none is running
 */
export function continueEventReplays(): Promise<number | null> {
  return continueJob(EVENT_REPLAYS);
}

async function replayBatch(tx: Sql, job: EventReplayRow): Promise<void> {
  if (!job.is_live) {
    await cancelEventReplay.run(tx, { replay: job.id });
    return;
  }
  const scope = await scopeOf(tx, job);
  if (scope === null) return;
  const start = { eventId: job.last_event_id, endpointId: job.last_endpoint_id };
  // Before the search, which would be repeated each second.
  if (scope.endpoint !== null && (await waitIfCrowded(tx, job, [scope.endpoint.id]))) return;
  const found = await findDeliveries(tx, scope, start, READ);
  const targets = [...new Set(found.deliveries.map(({ endpointId }) => endpointId))];
  if (scope.endpoint === null && (await waitIfCrowded(tx, job, targets))) return;
  const filters = new BatchFilters(job.owner_id);
  // Before anything is locked: a deletion of the project must not wait for filters.
  const chosen = await chooseDeliveries(tx, scope, start, found, {
    mostDeliveries: BATCH_DELIVERIES,
    mostBytes: BATCH_BYTES,
    runTest: filters.runTest,
    endTests: () => filters.end(),
  }).finally(() => filters.end());
  if (!chosen.isLast && isSame(chosen.end, start)) {
    await eventReplayJobs.reschedule.run(tx, { job: job.id, seconds: Math.max(filters.paceSeconds, MIN_PACE_SECONDS) });
    return;
  }
  if (!(await lockProjectIfLive(tx, job.project_id))) {
    await cancelEventReplay.run(tx, { replay: job.id });
    return;
  }
  const made = await makeDue(tx, scope, chosen);
  const { end } = chosen;
  await advanceEventReplay.run(tx, {
    replay: job.id,
    event: end.eventId,
    endpoint: end.endpointId,
    ...made,
    checked: countEvents(found, start, end),
    pending: countPending(found, end),
    paceSeconds: Math.max(made.sent / DELIVERIES_PER_SECOND, filters.paceSeconds, MIN_PACE_SECONDS),
  });
  if (chosen.isLast) await completeEventReplay.run(tx, { replay: job.id });
}

/** Reschedules a replay if its targets have many due deliveries. @returns whether they have */
async function waitIfCrowded(tx: Sql, { id: job }: EventReplayRow, targets: string[]): Promise<boolean> {
  const { crowded } = await areTargetsCrowded.one(tx, { targets, most: MAX_DUE });
  if (crowded) await eventReplayJobs.reschedule.run(tx, { job, seconds: CROWDED_SECONDS });
  return crowded;
}

const isSame = (a: Position, b: Position) => a.eventId === b.eventId && a.endpointId === b.endpointId;

/** Returns what a replay looks at. Ends one whose endpoint was disabled or deleted meanwhile. @returns null when it has ended */
async function scopeOf(tx: Sql, job: EventReplayRow): Promise<ReplayScope | null> {
  const projectId = job.project_id;
  const endpoint = job.endpoint_id === null ? null : await readEndpoint(tx, projectId, job.endpoint_id);
  if (endpoint !== null && (endpoint.isDeleted || !endpoint.enabled)) {
    const left = Math.max(0, job.total - job.checked);
    await advanceEventReplay.run(tx, {
      replay: job.id,
      event: job.last_event_id,
      endpoint: job.last_endpoint_id,
      checked: left,
      sent: 0,
      pending: 0,
      disabled: endpoint.isDeleted ? 0 : left,
      deleted: endpoint.isDeleted ? left : 0,
      paceSeconds: 0,
    });
    await completeEventReplay.run(tx, { replay: job.id });
    return null;
  }
  return {
    projectId,
    select: job.selection,
    from: job.created_from,
    to: job.created_to,
    endpoint,
    customerId: job.customer_id,
    eventType: job.event_type,
    at: job.created_at,
  };
}

/** Makes deliveries due, in the order of their ids, and counts what became of them. The project is locked. */
async function makeDue(tx: Sql, scope: ReplayScope, { deliveries }: Chosen) {
  const { projectId, at } = scope;
  const again = deliveries.filter(({ isMissing }) => !isMissing).map(({ id }) => id);
  const locked =
    again.length === 0
      ? []
      : await lockDeliveries(
          tx,
          again,
          [
            ['x.project_id = ?', projectId],
            ['x.status = ANY(?::text[]::"DeliveryStatus"[])', statusesOf(scope)],
          ],
          at,
        );
  const retried = locked.filter(({ outcome }) => outcome === 'RETRIED');
  if (retried.length > 0) {
    await makeAllDue.run(tx, { project: projectId, deliveries: retried.map(({ id }) => id) });
    await notifyDeliveries.run(tx, { project: projectId, targets: retried.map(({ target_id }) => target_id) });
  }
  const made = await queueDeliveries(
    tx,
    projectId,
    deliveries.filter(({ isMissing }) => isMissing),
  );
  const count = (outcome: Outcome) => locked.filter((delivery) => delivery.outcome === outcome).length;
  return {
    sent: retried.length + made.length,
    disabled: count('DISABLED'),
    deleted: count('DELETED'),
  };
}

/** Counts the events that were completed between two positions. */
function countEvents({ events }: Found, start: Position, end: Position): number {
  return events.filter(({ id: eventId }) => isReached({ eventId }, end) && !isReached({ eventId }, start)).length;
}

function countPending({ unfinished, waiting }: Found, end: Position): number {
  return [...unfinished.map((eventId) => ({ eventId })), ...waiting].filter((each) => isReached(each, end)).length;
}

/** The filters of one batch. */
class BatchFilters {
  private readonly slices: FilterSlices;
  private hasNoTurn = false;
  private timeout: AbortSignal | null = null;

  constructor(ownerId: string) {
    this.slices = new FilterSlices(ownerId);
  }

  /** Until the next batch. */
  get paceSeconds(): number {
    return this.hasNoTurn ? NEXT_TURN_SECONDS : this.slices.usedMs / FILTERS_MS_PER_SECOND;
  }

  readonly runTest: RunTest = async (test) => {
    const { slices } = this;
    if (slices.usedMs >= BATCH_FILTERS_MS) return null;
    if (!slices.hasTurn) {
      this.timeout ??= AbortSignal.timeout(TURN_TIMEOUT_MS);
      const { timeout } = this;
      await slices.begin(timeout).catch((error: unknown) => {
        if (!timeout.aborted && !(error instanceof SemaphoreFullError)) throw error;
        this.hasNoTurn = true;
      });
      if (this.hasNoTurn) return null;
    }
    return slices.run(test);
  };

  end(): void {
    this.slices.end();
  }
}
