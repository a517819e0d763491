import { database } from '@/lib/platform/db';
import { countMetric } from '@/lib/platform/metrics-counters';
import { claimDue, releaseLeases } from './claim-due';
import { closeUndeliverable } from './close-undeliverable';
import type { Dispatcher } from './dispatcher';
import { type LoadedTarget, loadTargets } from './targets';
import type { Target } from './types';

const BATCH_JOBS = 200;

/**
 * Claims due deliveries for the targets that have some and have room, and fails those whose target is disabled or deleted.
 * @returns whether there may be more to claim right away
 */
export async function claimBacklog(dispatcher: Dispatcher): Promise<boolean> {
  const wanted = dispatcher.wanted(BATCH_JOBS);
  if (wanted.size === 0) return false;
  const loaded = await loadTargets(database(), [...wanted.keys()]);
  const closed = await closeObstructed(dispatcher, loaded);
  const live = new Map([...wanted].filter(([id]) => 'target' in (loaded.get(id) ?? {})));
  const claimed = live.size === 0 ? 0 : await claimFor(dispatcher, live, loaded);
  return closed + claimed > 0;
}

async function claimFor(
  dispatcher: Dispatcher,
  wanted: ReadonlyMap<string, number>,
  loaded: ReadonlyMap<string, LoadedTarget>,
): Promise<number> {
  const claimed = await claimDue(database(), wanted);
  const counts = new Map<string, number>();
  const refused = claimed.filter(({ targetId, job }) => {
    counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
    const target = targetOf(loaded.get(targetId));
    return target === null || !dispatcher.add(target, job);
  });
  for (const [targetId, room] of wanted) dispatcher.noteBacklog(targetId, (counts.get(targetId) ?? 0) >= room);
  dispatcher.pump();
  await releaseLeases(
    database(),
    refused.map(({ job }) => job),
  );
  return claimed.length;
}

async function closeObstructed(dispatcher: Dispatcher, loaded: ReadonlyMap<string, LoadedTarget>): Promise<number> {
  let total = 0;
  for (const [targetId, found] of loaded) {
    if (!('obstacle' in found)) continue;
    const { closed, mayHaveMore } = await closeUndeliverable(database(), targetId, found.obstacle);
    dispatcher.noteBacklog(targetId, mayHaveMore);
    countMetric('worker_deliveries_completed_total', 'failed', closed);
    total += closed;
  }
  return total;
}

/**
 * Reads again the targets that jobs wait for here: a new URL or secret counts from the next attempt on, and what waits for
 * a target that was disabled or deleted is handed back, to be failed.
 */
export async function renewWaiting(dispatcher: Dispatcher): Promise<void> {
  for (const [targetId, found] of await loadTargets(database(), dispatcher.waitingTargets())) {
    if ('target' in found) dispatcher.renew(found.target);
    else await handBack(dispatcher, targetId);
  }
}

/** Makes what waits here for a target due for any worker, and has this one look at it again. */
export async function handBack(dispatcher: Dispatcher, targetId: string): Promise<void> {
  await releaseLeases(database(), dispatcher.withdraw(targetId));
  dispatcher.noteBacklog(targetId, true);
}

function targetOf(found: LoadedTarget | undefined): Target | null {
  return found !== undefined && 'target' in found ? found.target : null;
}
