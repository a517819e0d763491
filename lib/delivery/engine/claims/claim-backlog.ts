import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { sourceIdOf } from '@/lib/delivery/engine/messages';
import { type LoadedTarget, loadTargets } from '@/lib/delivery/engine/targets';
import type { Job, LeasedDelivery, Message, Target } from '@/lib/delivery/engine/types';
import { hotDatabase } from '@/lib/platform/db';
import { countMetric } from '@/lib/platform/metrics-counters';
import { claimDue, releaseLeases } from './claim-due';
import { failUndeliverable } from './fail-undeliverable';
import { loadMessages } from './load-messages';

/** What one claim hands over at most. One delivery may exceed the bytes alone. */
const BATCH_JOBS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/** What a claim says of the next one. */
interface ClaimResult {
  /** Whether there may be more to claim right away. */
  isMore: boolean;
  /** In how many milliseconds a claim that found nothing is to be tried again; null when there is none. */
  nextInMs: number | null;
}

/** Claims due deliveries for the targets that have some and have room, and fails those whose target is disabled or deleted. */
export async function claimBacklog(dispatcher: Dispatcher): Promise<ClaimResult> {
  const wanted = dispatcher.backlog.selectRefills(BATCH_JOBS);
  if (wanted.size === 0) return { isMore: false, nextInMs: dispatcher.backlog.nextReclaimInMs() };
  const loaded = await loadTargets(hotDatabase(), [...wanted.keys()]);
  const failed = await failObstructed(dispatcher, loaded);
  const live = new Map([...wanted].filter(([id]) => 'target' in (loaded.get(id) ?? {})));
  const claimed = live.size === 0 ? 0 : await claimFor(dispatcher, live, loaded);
  return { isMore: failed + claimed > 0, nextInMs: dispatcher.backlog.nextReclaimInMs() };
}

async function claimFor(
  dispatcher: Dispatcher,
  wanted: ReadonlyMap<string, number>,
  loaded: ReadonlyMap<string, LoadedTarget>,
): Promise<number> {
  const claimed = await claimDue(hotDatabase(), wanted, BATCH_BYTES);
  const counts = new Map<string, number>();
  for (const { targetId } of claimed) counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  const messages = await messagesOf(dispatcher, claimed);
  const refused = claimed.flatMap((job) => {
    const target = targetOf(loaded.get(job.targetId));
    const message = messages.get(sourceIdOf(job.source));
    // Its event has been removed since, and the delivery with it.
    if (message === undefined) return [];
    return target !== null && dispatcher.add(target, { ...job, message }) ? [] : [job];
  });
  for (const [targetId, room] of wanted) dispatcher.backlog.learnFromClaim(targetId, counts.get(targetId) ?? 0, room);
  dispatcher.pump();
  await releaseLeases(hotDatabase(), refused);
  return claimed.length;
}

/** The messages of claimed deliveries: those in hand as they are, and the others read once each. */
async function messagesOf(dispatcher: Dispatcher, claimed: readonly LeasedDelivery[]): Promise<Map<string, Message>> {
  const sources = new Map(claimed.map(({ source }) => [sourceIdOf(source), source]));
  const held = [...sources.keys()].flatMap((id) => dispatcher.findMessage(id) ?? []);
  for (const { id } of held) sources.delete(id);
  const messages = await loadMessages(hotDatabase(), [...sources.values()]);
  for (const message of held) messages.set(message.id, message);
  return messages;
}

async function failObstructed(dispatcher: Dispatcher, loaded: ReadonlyMap<string, LoadedTarget>): Promise<number> {
  let total = 0;
  for (const [targetId, found] of loaded) {
    if (!('obstacle' in found)) continue;
    const { failed, mayHaveMore } = await failUndeliverable(hotDatabase(), targetId, found.obstacle);
    dispatcher.backlog.set(targetId, found.projectId ?? '', mayHaveMore);
    countMetric('worker_deliveries_completed_total', 'failed', failed);
    total += failed;
  }
  return total;
}

/**
 * Reads again the targets that jobs wait for here: a new URL or secret counts from the next attempt on, and what waits for
 * a target that was disabled or deleted is given back, to be failed.
 */
export async function refreshWaitingTargets(
  dispatcher: Dispatcher,
  release: (jobs: Job[], targetId: string) => Promise<void>,
): Promise<void> {
  for (const [targetId, found] of await loadTargets(hotDatabase(), dispatcher.waitingTargets())) {
    if ('target' in found) dispatcher.updateTarget(found.target);
    else await release(dispatcher.withdraw(targetId), targetId);
  }
}

function targetOf(found: LoadedTarget | undefined): Target | null {
  return found !== undefined && 'target' in found ? found.target : null;
}
