import type { ProjectCaller } from '@/lib/audit/caller';
import { selectNow } from '@/lib/delivery/bulk-retries/bulk-retries-sql';
import type { CreateEventReplayBody, EventReplayPreview } from '@/lib/delivery/schema';
import { inThreadTurnOfProject } from '@/lib/orgs/tenant';
import { countAsReader, readHeavily } from '@/lib/platform/connection-shares';
import { isStatementCanceled } from '@/lib/platform/database-errors';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { chooseDeliveries, type RunTest } from './choose-deliveries';
import { starterOf } from './event-replays';
import { findDeliveries, type Position, type ReadLimits } from './find-deliveries';
import { readScope } from './replay-scope';

/** What one reading looks at. The first page of the next one follows what this one has come through. */
const READ: ReadLimits = { firstEvents: 50, mostEvents: 250, mostPairs: 1_000 };
/** A preview ends after the reading that reaches one of these. */
const MOST_EVENTS = 100_000;
const MOST_DELIVERIES = 500_000;
const MOST_MS = 1_000;
/** What filters read. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FILTERS_MS = 200;

/**
 * Counts the deliveries that an event replay would make now. Its work is bounded: the count is not exact, and too low, when it has
 * looked at 100,000 events or 500,000 deliveries, or for a second.
 * @throws AppError as `readScope` and `readHeavily`
 */
export async function previewEventReplay(
  caller: ProjectCaller,
  projectId: string,
  body: CreateEventReplayBody,
): Promise<EventReplayPreview> {
  countAsReader();
  const { at } = await selectNow.one(database());
  const scope = await readScope(projectId, body, at);
  const kind = starterOf(caller) === undefined ? 'preview' : 'portal';
  const filters = filtersOf(caller, projectId);
  let endsAt = Number.POSITIVE_INFINITY;
  // Owners take turns with readings, which take some milliseconds. The second begins with the first one.
  const read = (start: Position, firstEvents: number) =>
    readHeavily(async () => {
      endsAt = Math.min(endsAt, performance.now() + MOST_MS);
      const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      const sql = sqlWithTimeout(leftMs);
      const found = await findDeliveries(sql, scope, start, { ...READ, firstEvents });
      const runTest = filters(AbortSignal.timeout(leftMs));
      const limits = { mostDeliveries: Number.POSITIVE_INFINITY, mostBytes: MOST_BYTES, runTest };
      return { found, chosen: await chooseDeliveries(sql, scope, start, found, limits) };
    }, kind);
  let count = 0;
  const look = async () => {
    let start: Position = { eventId: null, endpointId: null };
    let { firstEvents } = READ;
    for (let events = 0, deliveries = 0; ; ) {
      const { found, chosen } = await read(start, firstEvents);
      count += chosen.deliveries.length;
      events += found.events.length;
      deliveries += found.examined;
      if (chosen.isLast) return true;
      const isStopped = chosen.end !== found.end;
      const isEnough = events >= MOST_EVENTS || deliveries >= MOST_DELIVERIES || performance.now() >= endsAt;
      if (isStopped || isEnough) return false;
      start = chosen.end;
      firstEvents = Math.min(READ.mostEvents, 2 * found.events.length + 1);
    }
  };
  const isExact = await look().catch((error: unknown) => {
    if (!isStatementCanceled(error)) throw error;
    return false;
  });
  return { count, isExact };
}

/** Filters take the turns of the owner on the thread, for a while. @returns what runs those of one reading, until it is late */
function filtersOf(caller: ProjectCaller, projectId: string): (late: AbortSignal) => RunTest {
  let usedMs = 0;
  return (late) => async (test) => {
    if (usedMs >= MOST_FILTERS_MS || late.aborted) return null;
    const timed = () => {
      const startedAt = performance.now();
      const isMatch = test();
      usedMs += performance.now() - startedAt;
      return isMatch;
    };
    return inThreadTurnOfProject(caller, projectId, timed, () => late).catch((error: unknown) => {
      if (!late.aborted) throw error;
      return null;
    });
  };
}
