import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { coversSending } from '@/lib/delivery/engine/lease';
import { loadMessages, sourceIdOf } from '@/lib/delivery/engine/messages';
import { loggedIds } from '@/lib/delivery/engine/record/store-deliveries';
import { releaseJobs } from '@/lib/delivery/engine/record/store-jobs';
import { type LoadedTarget, loadTargets } from '@/lib/delivery/engine/targets';
import type { Job, LeasedDelivery, Message, Obstacle, Target, TargetKind } from '@/lib/delivery/engine/types';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { hotDatabase, type Sql } from '@/lib/platform/db';
import { groupBy } from '@/lib/platform/group-by';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { failDue } from './claim-sql';
import { claimDue } from './due-work-poller';
import type { LowWatermarks } from './low-watermarks';
import { permitsFor, returnUnused } from './permits';

/** Limits of one claim. A single delivery may exceed the bytes. */
const BATCH_JOBS = 200;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Deliveries of disabled and deleted targets that one claim fails at most. */
const FAILED_ROWS = 200;
/** How soon the messages of claimed deliveries are read again after the database was unreachable. */
const READ_AGAIN_MS = 200;

interface ClaimResult {
  /** Whether more deliveries may be claimed at once. */
  isMore: boolean;
  /** In how many milliseconds to repeat a claim that returned nothing; null if no target waits for that. */
  nextInMs: number | null;
}

/**
 * Claims due deliveries for targets with room, and fails the due deliveries of disabled and deleted targets.
 * @param watermarks no delivery is due before that of deliveries
 */
export async function claimBacklog(
  dispatcher: Dispatcher,
  watermarks: Pick<LowWatermarks, 'deliveries'>,
): Promise<ClaimResult> {
  const wanted = dispatcher.backlog.selectRefills(BATCH_JOBS);
  if (wanted.size === 0) return { isMore: false, nextInMs: dispatcher.backlog.nextReclaimInMs() };
  const loaded = await loadTargets(hotDatabase(), [...wanted.keys()]);
  const obstructed = await failObstructed(dispatcher, loaded);
  const live = new Map([...wanted].filter(([id]) => 'target' in (loaded.get(id) ?? {})));
  const claimed = live.size === 0 ? 0 : await claimFor(dispatcher, live, loaded, watermarks.deliveries);
  return { isMore: obstructed + claimed > 0, nextInMs: dispatcher.backlog.nextReclaimInMs() };
}

async function claimFor(
  dispatcher: Dispatcher,
  wanted: ReadonlyMap<string, number>,
  loaded: ReadonlyMap<string, LoadedTarget>,
  since: string,
): Promise<number> {
  const targets = [...wanted.keys()].flatMap((id) => targetOf(loaded.get(id)) ?? []);
  const permits = await permitsFor(hotDatabase(), targets, wanted, since);
  const permitted = new Map(
    [...wanted].flatMap(([id, room]) => {
      const count = permits.get(id)?.count ?? room;
      return count > 0 ? [[id, count] as const] : [];
    }),
  );
  const { jobs: claimed, isTruncated } =
    permitted.size === 0
      ? { jobs: [], isTruncated: false }
      : await claimDue(hotDatabase(), permitted, BATCH_BYTES, since);
  const counts = new Map<string, number>();
  for (const { targetId } of claimed) counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  const messages = await messagesOf(dispatcher, claimed);
  const refused = claimed.flatMap((job) => {
    const target = targetOf(loaded.get(job.targetId));
    const message = messages.get(sourceIdOf(job.source));
    // Its event has been deleted meanwhile, and the delivery with it.
    if (message === undefined) return [];
    const startBy = permits.get(job.targetId)?.startBy;
    const added = { ...job, message, ...(startBy === undefined ? {} : { startBy }) };
    return target !== null && dispatcher.add(target, added) ? [] : [job];
  });
  for (const [targetId, room] of wanted) {
    const count = counts.get(targetId) ?? 0;
    // A target may have some of those that were left due.
    if (!isTruncated || count === room) dispatcher.backlog.learnFromClaim(targetId, count, room);
    const againInMs = permits.get(targetId)?.againInMs ?? null;
    if (againInMs !== null) dispatcher.backlog.pause(targetId, againInMs);
  }
  dispatcher.pump();
  await releaseJobs(refused);
  await returnUnused(hotDatabase(), permits, counts);
  return claimed.length;
}

/**
 * Finds the messages of claimed deliveries in memory, and reads the others. While the database is unreachable, it tries again until the
 * leases are too short for attempts: they could not be released either.
 */
async function messagesOf(dispatcher: Dispatcher, claimed: readonly LeasedDelivery[]): Promise<Map<string, Message>> {
  const sources = new Map(claimed.map(({ source }) => [sourceIdOf(source), source]));
  const held = [...sources.keys()].flatMap((id) => dispatcher.findMessage(id) ?? []);
  for (const { id } of held) sources.delete(id);
  const read = (): Promise<Map<string, Message>> =>
    loadMessages(hotDatabase(), [...sources.values()]).catch(async (error: unknown) => {
      if (!isDatabaseUnreachable(error) || !claimed.every((job) => coversSending(job, READ_AGAIN_MS))) throw error;
      log().warn({ err: error, ...loggedIds(claimed) }, 'messages could not be read; trying again');
      await sleep(READ_AGAIN_MS);
      return read();
    });
  const messages = await read();
  for (const message of held) messages.set(message.id, message);
  return messages;
}

/**
 * Fails a bounded number, and at a bounded pace, so that claims for others do not wait. Owners share the number evenly, and so do the
 * targets of an owner. The targets that are left stay in the backlog.
 * @returns how many targets are obstructed; each has left the backlog or will pause
 */
async function failObstructed(dispatcher: Dispatcher, loaded: ReadonlyMap<string, LoadedTarget>): Promise<number> {
  const { backlog } = dispatcher;
  const obstructed = new Map([...loaded].flatMap(([id, found]) => ('obstacle' in found ? [[id, found]] : [])));
  const restMs = backlog.failed.owedMs('');
  if (restMs > 0) {
    for (const targetId of obstructed.keys()) backlog.pause(targetId, restMs);
    return obstructed.size;
  }
  const byOwner = groupBy(obstructed, ([, { projectId }]) => dispatcher.ownerOf(projectId ?? ''));
  const shares = new Map(
    [...byOwner.values()].flatMap((own) => {
      const most = Math.max(1, Math.floor(FAILED_ROWS / byOwner.size / own.length));
      return own.map(([id, found]) => [id, { ...found, most }] as const);
    }),
  );
  let total = 0;
  for (const [targetId, { failed, mayHaveMore }] of await failUndeliverable(hotDatabase(), shares)) {
    const projectId = obstructed.get(targetId)?.projectId ?? null;
    // What is left of a target that is gone is removed with its project.
    backlog.set(targetId, projectId ?? '', mayHaveMore && projectId !== null);
    total += failed;
  }
  backlog.failed.take('', total);
  countMetric('worker_deliveries_completed_total', 'failed', total);
  return obstructed.size;
}

/**
 * Reads the targets of queued jobs again. A new URL or secret takes effect with the next attempt. The jobs of a disabled or
 * deleted target are released; a later claim fails them.
 */
export async function refreshWaitingTargets(
  dispatcher: Dispatcher,
  release: (jobs: Job[]) => Promise<void>,
): Promise<void> {
  const waiting = dispatcher.waitingTargets();
  // Those of the queues, since the cache may have fewer.
  const held = (id: string) => dispatcher.findTarget(id);
  const withdrawn: Job[] = [];
  for (const [targetId, found] of await loadTargets(hotDatabase(), waiting, held)) {
    if ('target' in found) dispatcher.updateTarget(found.target);
    else withdrawn.push(...dispatcher.withdraw(targetId));
  }
  await release(withdrawn);
}

function targetOf(found: LoadedTarget | undefined): Target | null {
  return found !== undefined && 'target' in found ? found.target : null;
}

/**
 * Fails due deliveries of disabled and deleted targets without an attempt, `most` of each. Deliveries that are due later stay pending: the
 * target gets them if it is enabled in time (docs/decisions/009-disabled-and-deleted-endpoints.md).
 *
 * @returns by target, how many have failed, and whether more may be due
 */
export async function failUndeliverable(
  sql: Sql,
  obstructed: ReadonlyMap<string, { kind: TargetKind; obstacle: Obstacle; most: number }>,
): Promise<Map<string, { failed: number; mayHaveMore: boolean }>> {
  if (obstructed.size === 0) return new Map();
  const targets = [...obstructed.keys()];
  const errors = [...obstructed.values()].map(
    ({ kind, obstacle }) => `${kind === 'endpoint' ? 'Endpoint' : 'Destination'} is ${obstacle}`,
  );
  const limits = [...obstructed.values()].map(({ most }) => most);
  const rows = await failDue.all(sql, { targets, errors, limits });
  const counts = new Map(rows.map(({ target_id, failed }) => [target_id, failed]));
  return new Map(
    [...obstructed].map(([id, { most }]) => {
      const failed = counts.get(id) ?? 0;
      return [id, { failed, mayHaveMore: failed === most }];
    }),
  );
}
