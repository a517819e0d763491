import type { Target } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { makePermitRows, returnPermits, takePermits } from './permits-sql';

/** How long a permit is valid: a tenth of the window, but long enough for a claim. */
const validMsOf = (windowMs: number) => Math.max(250, Math.floor(windowMs / 10));
/** A permit of a long window needs no longer for an attempt to start. */
const LONGEST_VALID_MS = 10_000;

/** Sooner than a long window leaves room: the limit may be changed, and the endpoint paused or deleted. */
const ASK_AGAIN_MS = 2_000;

/** What an endpoint with a rate limit may start. */
export interface Permit {
  /** How many attempts. */
  count: number;
  /** The end of the sum that they are in, in milliseconds since 1970. */
  sumEndsMs: string;
  /** Until when they may start, by performance.now(). */
  startBy: number;
  /** In how many milliseconds to ask again, if more is due; null if nothing more is. */
  againInMs: number | null;
}

/**
 * Takes permits for the targets of a claim that have a rate limit. Workers share the limit, and what one of them does not start in time is
 * lost.
 * @param wanted deliveries to claim, by target
 * @param since none is due before it
 * @returns permits of the targets with a limit
 */
export async function permitsFor(
  sql: Sql,
  targets: readonly Target[],
  wanted: ReadonlyMap<string, number>,
  since: string,
): Promise<Map<string, Permit>> {
  const limits = targets.flatMap(({ id, rateLimit }) => (rateLimit === null ? [] : [{ id, ...rateLimit }]));
  if (limits.length === 0) return new Map();
  const ids = limits.map(({ id }) => id);
  const windowsMs = limits.map(({ seconds }) => seconds * 1000);
  const validMs = windowsMs.map((ms) => Math.min(LONGEST_VALID_MS, validMsOf(ms)));
  const now = performance.now();
  const take = () =>
    takePermits.all(sql, {
      targets: ids,
      rooms: ids.map((id) => wanted.get(id) ?? 0),
      requests: limits.map(({ requests }) => requests),
      windowsMs,
      validMs,
      since,
    });
  let rows = await take();
  if (rows.length < ids.length) {
    await makePermitRows.run(sql, { targets: ids });
    rows = await take();
  }
  const byId = new Map(rows.map((row) => [row.endpoint_id, row]));
  return new Map(
    ids.map((id, at) => {
      // An endpoint without a row was deleted meanwhile.
      const { due = 0, count = 0, end_ms: sumEndsMs = '0', free_in_ms: freeInMs = 0 } = byId.get(id) ?? {};
      const againInMs = due > count ? Math.min(ASK_AGAIN_MS, Math.max(1, freeInMs)) : null;
      return [id, { count, sumEndsMs, startBy: now + (validMs[at] ?? 0), againInMs }];
    }),
  );
}

/**
 * Gives back the permits of deliveries that were not claimed: another worker has claimed them, or they are too large for one claim.
 * @param claimed how many deliveries were claimed, by target
 */
export async function returnUnused(
  sql: Sql,
  permits: ReadonlyMap<string, Permit>,
  claimed: ReadonlyMap<string, number>,
): Promise<void> {
  const unused = [...permits].flatMap(([id, { count, sumEndsMs }]) => {
    const left = count - (claimed.get(id) ?? 0);
    return left > 0 ? { id, sumEndsMs, left } : [];
  });
  if (unused.length === 0) return;
  await returnPermits.run(sql, {
    targets: unused.map(({ id }) => id),
    endsMs: unused.map(({ sumEndsMs }) => sumEndsMs),
    unused: unused.map(({ left }) => left),
  });
}
