import { areTargetsCrowded } from '@/lib/delivery/deliveries/deliveries-sql';
import { jobTries } from '@/lib/delivery/job-tries';
import { replayScan } from '@/lib/incoming/incoming-events/incoming-event-scan-sql';
import { lockProjectIfLive } from '@/lib/orgs/locks';
import { continueJob, type JobKind } from '@/lib/platform/continue-job';
import type { Sql } from '@/lib/platform/db';
import { FOUND_IDS, scanPage } from '@/lib/platform/sql/bounded-scan';
import { queueForwards } from './queue-forwards';
import {
  advanceReplay,
  endReplay,
  lockDueReplay,
  lockEvents,
  type ReplayRow,
  replayJobs,
  selectDestinations,
} from './replays-sql';

/** Limits of one batch, which is one transaction. A single incoming event may exceed the deliveries. */
const BATCH_EVENTS = 100;
const BATCH_DELIVERIES = 1_000;
/** Seconds between two batches of a replay. */
const PACE_SECONDS = 0.1;
/** A destination with this many due deliveries gets no more until some have been sent. */
const MAX_DUE = 1_000;
const CROWDED_SECONDS = 1;

const REPLAYS: JobKind<ReplayRow> = {
  noun: 'replay',
  lockDue: (tx, after) => lockDueReplay.first(tx, { after }),
  doBatch: queueBatch,
  ...jobTries(replayJobs, 'replay.failed'),
  selectNextDue: replayJobs.selectNextDue,
};

/**
 * Queues one batch of a replay: owners take turns, and so do the replays of an owner. Several workers may run it at once.
 * @returns the milliseconds until a replay needs its next batch; null when none is running
 */
export function continueReplays(): Promise<number | null> {
  return continueJob(REPLAYS);
}

async function queueBatch(tx: Sql, replay: ReplayRow): Promise<void> {
  await lockProjectIfLive(tx, replay.project_id);
  const found = await selectDestinations.all(tx, {
    project: replay.project_id,
    source: replay.source_id,
    destination: replay.destination_id,
  });
  const destinationIds = found.map(({ id }) => id);
  if (destinationIds.length === 0) {
    await endReplay.run(tx, { replay: replay.id, status: 'FAILED', error: 'No destination is enabled.' });
    return;
  }
  const { crowded } = await areTargetsCrowded.one(tx, { targets: destinationIds, most: MAX_DUE });
  if (crowded) {
    await replayJobs.reschedule.run(tx, { job: replay.id, seconds: CROWDED_SECONDS });
    return;
  }
  const limit = Math.max(1, Math.min(BATCH_EVENTS, Math.floor(BATCH_DELIVERIES / destinationIds.length)));
  const cursor = replay.last_incoming_event_id ?? undefined;
  const { rows, next } = await scanPage(tx, replayScan(scopeOf(replay)), { limit, cursor }, FOUND_IDS);
  const locked = await lockEvents.all(tx, { incomingEvents: rows.map(({ id }) => id) });
  const eventIds = locked.map(({ id }) => id);
  await queueForwards(tx, replay.project_id, eventIds, destinationIds);
  await advanceReplay.run(tx, {
    replay: replay.id,
    replayed: eventIds.length,
    cursor: next ?? eventIds.at(-1) ?? null,
    paceSeconds: PACE_SECONDS,
  });
  if (next === null) await endReplay.run(tx, { replay: replay.id, status: 'COMPLETED', error: null });
}

function scopeOf({ project_id, source_id, created_from, created_to }: ReplayRow) {
  return { projectId: project_id, sourceId: source_id, from: created_from ?? undefined, to: created_to };
}
