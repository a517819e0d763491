import type { ProjectCaller } from '@/lib/audit/caller';
import { selectNow } from '@/lib/delivery/bulk-retries/bulk-retries-sql';
import { whileShownIsCounted } from '@/lib/delivery/deliveries/count-deliveries';
import type { CreateEventReplayBody, EventReplayPreview } from '@/lib/delivery/schema';
import { inThreadTurnOfProject, organizationOf } from '@/lib/orgs/tenant';
import { countAsReader, readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { chooseDeliveries, type RunTest } from './choose-deliveries';
import { starterOf } from './event-replays';
import { findDeliveries, type Position, type ReadLimits } from './find-deliveries';
import { readScope } from './replay-scope';

/** What one reading looks at. The first page of the next one follows what this one has come through. */
const READ: ReadLimits = { firstEvents: 50, mostEvents: 250, mostPairs: 1_000 };
/** A preview ends after the reading that reaches one of these. */
const MOST_EVENTS = 100_000;
const MOST_DELIVERIES = 500_000;
const MOST_MS = 2_000;
/** What filters read. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_FILTERS_MS = 200;

/**
 * Counts the deliveries that an event replay would make now. Its work is bounded: the count is not exact, and too low, when it has
 * looked at 100,000 events or 500,000 deliveries, or has taken two seconds.
 * @throws AppError as `createEventReplay`, except for what runs and how many events match
 */
export function previewEventReplay(
  caller: ProjectCaller,
  projectId: string,
  body: CreateEventReplayBody,
): Promise<EventReplayPreview> {
  const preview = async () => {
    const { at } = await selectNow.one(database());
    const scope = await readScope(projectId, body, at);
    const endsAt = performance.now() + MOST_MS;
    const runTest = filtersOf(caller, projectId, endsAt);
    let start: Position = { eventId: null, endpointId: null };
    let { firstEvents } = READ;
    for (let count = 0, events = 0, deliveries = 0; ; ) {
      const found = await findDeliveries(database(), scope, start, { ...READ, firstEvents });
      const limits = { mostDeliveries: Number.POSITIVE_INFINITY, mostBytes: MOST_BYTES, runTest };
      const chosen = await chooseDeliveries(database(), scope, start, found, limits);
      count += chosen.deliveries.length;
      events += found.events.length;
      deliveries += found.examined;
      if (chosen.isLast) return { count, isExact: true };
      const isStopped = chosen.end !== found.end;
      const isEnough = events >= MOST_EVENTS || deliveries >= MOST_DELIVERIES || performance.now() >= endsAt;
      if (isStopped || isEnough) return { count, isExact: false };
      start = chosen.end;
      firstEvents = Math.min(READ.mostEvents, 2 * found.events.length + 1);
    }
  };
  const project = { projectId, organizationId: organizationOf(caller), customerId: starterOf(caller) };
  countAsReader();
  return whileShownIsCounted(project, () => readHeavily(preview, 'preview'));
}

/** Filters take the turns of the owner on the thread, for a while. */
function filtersOf(caller: ProjectCaller, projectId: string, endsAt: number): RunTest {
  let usedMs = 0;
  return async (test) => {
    if (usedMs >= MOST_FILTERS_MS || performance.now() >= endsAt) return null;
    return inThreadTurnOfProject(caller, projectId, () => {
      const startedAt = performance.now();
      const isMatch = test();
      usedMs += performance.now() - startedAt;
      return isMatch;
    });
  };
}
