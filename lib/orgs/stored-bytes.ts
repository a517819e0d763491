import { LRUCache } from 'lru-cache';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { withoutShare } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { readInEachCell } from '@/lib/platform/read-figures';
import { sumStoredBytes } from './orgs-sql';
import { ownerOfProject } from './tenant';

/** How long the sum of what an owner has stored is used. What this process takes in meanwhile is added to it. */
const SUM_MS = 30 * SECOND_MS;
/** About 150 bytes each. The one that was active longest ago is forgotten. */
const MAX_OWNERS = 20_000;
/** Owners of one statement. */
const MAX_SUMMED = 200;
/** When to ask again for an owner that may store no more. */
export const STORED_RETRY_SECONDS = 300;

/** What a process knows of the bytes of an owner. */
interface Owner {
  /** The minute in which its bytes are counted, by performance.now(). */
  endsAt: number;
  bytes: number;
  /** As the database knew it, and what was taken in since. */
  stored: number;
  since: number;
  /** By performance.now(). */
  summedAt: number;
}

interface Owners {
  byId: LRUCache<string, Owner>;
  /** Those whose sum is to be read. */
  due: Set<string>;
  summing: Promise<void> | null;
}

const owners = () =>
  once<Owners>('intake-owners', () => ({ byId: new LRUCache({ max: MAX_OWNERS }), due: new Set(), summing: null }));

/**
 * Returns whether the owner of a project may store more: not beyond OWNER_MAX_STORED_BYTES. For jobs, which can wait for the sum, and run
 * for hours after `admitIntake` has let them start.
 */
export async function mayStoreMore(projectId: string): Promise<boolean> {
  const maxStored = config().OWNER_MAX_STORED_BYTES;
  if (maxStored === 0) return true;
  const ownerId = await ownerOfProject(projectId);
  const owner = currentOf(ownerId, performance.now());
  const isUnknown = owner.summedAt === Number.NEGATIVE_INFINITY;
  sumWhenDue(ownerId, owner);
  // Does not wait while there is room: jobs of others would wait too, for seconds when another cell does not answer.
  if (isUnknown || hasStored(owner, maxStored)) await owners().summing;
  return !hasStored(currentOf(ownerId, performance.now()), maxStored);
}

/** Whether an owner has stored so many bytes. */
export const hasStored = ({ stored, since }: Owner, bytes: number) => stored + since >= bytes;

/**
 * Returns what is known of an owner in this minute. What it has stored is kept from minute to minute: one that may store no more must not
 * begin again after a pause.
 */
export function currentOf(ownerId: string, now: number): Owner {
  const known = owners().byId.get(ownerId);
  if (known !== undefined && known.endsAt > now) return known;
  const { stored, since, summedAt } = known ?? { stored: 0, since: 0, summedAt: Number.NEGATIVE_INFINITY };
  const owner = { stored, since, summedAt, bytes: 0, endsAt: now + MINUTE_MS };
  owners().byId.set(ownerId, owner);
  return owner;
}

/** Reads what an owner has stored if that was long ago, without waiting. */
export function sumWhenDue(ownerId: string, owner: Owner): void {
  const now = performance.now();
  if (now - owner.summedAt < SUM_MS) return;
  owner.summedAt = now;
  owners().due.add(ownerId);
  owners().summing ??= withoutShare(sumDue);
}

/** One statement at a time, in one cell after the other, for all owners that became due meanwhile. */
async function sumDue(): Promise<void> {
  const { byId, due } = owners();
  const max = config();
  try {
    while (due.size > 0) {
      const ids = [...due].slice(0, MAX_SUMMED);
      for (const id of ids) due.delete(id);
      const before = new Map(ids.map((id) => [id, byId.get(id)?.since ?? 0]));
      const given = {
        owners: ids,
        eventDays: max.DATA_RETENTION_EVENTS_DAYS,
        incomingEventDays: max.DATA_RETENTION_INCOMING_EVENTS_DAYS,
        succeededAttemptDays: max.DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS,
        failedAttemptDays: max.DATA_RETENTION_ATTEMPTS_DAYS,
      };
      // An owner may have organizations in several cells.
      const byCell = await readInEachCell(() => sumStoredBytes.all(database(), given));
      const sums = new Map<string | null, number>();
      for (const { owner_id, bytes } of byCell.flat()) sums.set(owner_id, (sums.get(owner_id) ?? 0) + (bytes ?? 0));
      for (const id of ids) {
        const owner = byId.get(id);
        if (owner === undefined) continue;
        owner.stored = sums.get(id) ?? 0;
        owner.since -= before.get(id) ?? 0;
      }
    }
  } catch (error) {
    log().warn({ err: error }, 'could not read what owners have stored; using the last sums');
  } finally {
    owners().summing = null;
  }
}
