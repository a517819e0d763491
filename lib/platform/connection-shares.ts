import { AsyncLocalStorage } from 'node:async_hooks';
import { nodeUrlOf } from '@/lib/platform/cells/cell-nodes';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError, isAppError } from '@/lib/platform/errors';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isAlone, noteActive, Pace, type PaceLimits } from './pace';
import { holdingPlace, paceWithHolders, waitingTenant } from './place-holder';
import { restOfThread } from './thread-turns';

/** The connections for what tenants read, in a pool of their own (./database-pool.ts). */
export const READING_POOL_SIZE = 4;

/**
 * How requests share connections (docs/decisions/057-connections-are-shared-by-owner.md). Strangers and owners leave two of the ten of the
 * general pool to the service's own work and to statements beside a transaction.
 */
const LIMITS = {
  /** Requests whose credential is not checked yet, and those without one, by the network of the client. */
  stranger: { width: 3, widthPerTenant: 2, waiting: 2_000, waitingPerTenant: 500 },
  /** Requests that may write, by owner. */
  owner: { width: 5, widthPerTenant: 3, widthPerHolder: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** GET and HEAD, by owner. */
  reader: { width: READING_POOL_SIZE, widthPerTenant: 2, widthPerHolder: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Routes whose statements read many rows by design, by owner. Each takes its connections as a reader. */
  heavy: { width: 2, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Searches for a text, which keep a processor of PostgreSQL busy: one at a time, so that they take none from the others. */
  search: { width: 1, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Readings of previews of replays, which read for a second: one at a time, and no other heavy read waits for them. */
  preview: { width: 1, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Trials of filters with many events, a MiB of them, which take the thread for long. */
  trial: { width: 8, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** The same for customers in portals, who take no place of their company. */
  portal: { width: 1, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Checks of bodies of megabytes, which take seconds and hold the body. */
  large: { width: 3, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Answers that show a body of more than 128 KiB: each holds it, up to 3 MiB as JSON. */
  body: { width: 20, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Catalogues of event types as one document: 8 MiB, 7 MiB of definitions that were just read, and 8 MiB for a moment to join them. */
  catalogue: { width: 2, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Pages of more than 25 rows that may be large. */
  page: { width: 3, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
  /** Pieces of those bodies. They need no place of a reader: they use one connection of the hot pool. */
  piece: { width: 1, widthPerTenant: 1, waiting: 2_000, waitingPerTenant: 200 },
} as const satisfies Record<string, SemaphoreLimits>;

/** How often the time of an empty statement is measured. */
const MEASURE_EVERY_MS = 250;

/** How long the statements of a reader may take while the process works for others too: a sixth of two processors. */
const READING_PACE: PaceLimits = { perSecond: 300, burst: 2_000, mostOfJob: 20, inFullBeyond: 100 };
/** The same for statements and transactions that may write. One that changes thousands of rows also costs the disk. */
const WRITING_PACE: PaceLimits = { perSecond: 300, burst: 2_000, mostOfJob: 20, inFullBeyond: 50 };
/** A few owners who preview or export again and again leave most of the time to those who do so now and then. */
const PREVIEWS_PACE: PaceLimits = { perSecond: 100, burst: 2_000, mostOwed: 1_000 };
/** A piece also takes the thread, about as long as its statement. */
const PIECES_PACE: PaceLimits = { perSecond: 100, burst: 200, mostOfJob: 20 };

type ShareKind = keyof typeof LIMITS;
/** Kinds of reads that have places on top of those of a reader. */
export type HeavyKind = Exclude<ShareKind, 'stranger' | 'owner' | 'reader'>;

const PACES: Partial<Record<ShareKind, PaceLimits>> = {
  owner: WRITING_PACE,
  reader: READING_PACE,
  heavy: READING_PACE,
  search: READING_PACE,
  preview: PREVIEWS_PACE,
  portal: PREVIEWS_PACE,
  // Who has used few of these places comes before those who use them again and again.
  trial: READING_PACE,
  large: READING_PACE,
  body: READING_PACE,
  catalogue: PREVIEWS_PACE,
  piece: PIECES_PACE,
};

const WAIT_MS = 3 * SECOND_MS;
const RETRY_AFTER_SECONDS = 2;

/** Whom the statements of a request count for: first the network of its client, then the owner of what it asks for. */
interface Share {
  /** Null for the operator, who waits for nobody. */
  kind: 'stranger' | 'owner' | 'reader' | null;
  tenant: string;
  isReading: boolean;
  disconnected: (() => AbortSignal) | undefined;
  /** Throws when the caller may no longer do what the request asks for. */
  recheck?: (() => Promise<void>) | undefined;
  /** When the caller was checked last, by performance.now(). */
  checkedAt: number;
  /** What the check has thrown. */
  revocation?: unknown;
}

/** A revoked credential works for a second at most, so one that was checked longer ago is checked again. */
export const STALE_MS = 100;

/** The right to use a connection, until it is released. */
interface Permit {
  /** The connection comes from the pool for what tenants read. */
  isReading: boolean;
  release(): void;
}

const currentShare = () => once('connection-share', () => new AsyncLocalStorage<Share | undefined>());

/** What bounds the memory and the thread of this process, for all machines together. */
const OF_PROCESS: readonly ShareKind[] = ['trial', 'large', 'body', 'page', 'catalogue'];

/** What bounds statements. The pace of a further kind of read bounds its places. */
const OF_STATEMENTS: readonly ShareKind[] = ['stranger', 'owner', 'reader', 'piece'];

interface Places {
  semaphore: FairSemaphore;
  pace: Pace | undefined;
}

/** The places of a kind at the machine that has the current cell: one that does not answer must not hold up those of others. */
function placesOf(kind: ShareKind): Places {
  const machine = OF_PROCESS.includes(kind) ? undefined : nodeUrlOf(currentSearchPath());
  return once(`connection-shares ${kind} ${machine ?? ''}`, () => {
    const limits = PACES[kind];
    const pace = limits && new Pace(limits, isAlone);
    const turnPace = pace && paceWithHolders(pace);
    return {
      pace,
      semaphore: new FairSemaphore(LIMITS[kind], OF_STATEMENTS.includes(kind) ? turnPace : restingAfterwards(turnPace)),
    };
  });
}

/** All owners wait for these places, so a job does not rest with one for what it reads or computes: its owner rests afterwards. */
function restingAfterwards(pace: ReturnType<typeof paceWithHolders> | undefined) {
  const owed = (ownerId: string) =>
    Math.max(
      restOfThread(ownerId),
      ...(['reader', 'owner', 'piece'] as const).map((kind) => placesOf(kind).pace?.owedMs(ownerId) ?? 0),
    );
  return {
    restAfter: (tenant: string, cost: number) => Math.max(pace?.restAfter(tenant, cost) ?? 0, owed(tenant)),
    mostUsed: pace?.mostUsed,
  };
}

/** Runs a request: until its caller is known, its statements count for the network of its client, or the likely owner. */
export function shareConnections<T>(
  request: {
    network: string;
    isReading: boolean;
    ownerId?: string | null;
    disconnectSignal?: (() => AbortSignal) | undefined;
  },
  work: () => T,
): T {
  const { network, isReading, ownerId = null, disconnectSignal } = request;
  let signal: AbortSignal | undefined;
  const disconnected = disconnectSignal && (() => (signal ??= disconnectSignal()));
  const kind = ownerId === null ? 'stranger' : kindOf(isReading);
  const checkedAt = performance.now();
  return currentShare().run({ kind, tenant: ownerId ?? network, isReading, disconnected, checkedAt }, work);
}

const kindOf = (isReading: boolean) => (isReading ? 'reader' : 'owner');

/** Counts the further statements of the current request, which a person may have sent, for an owner of organizations or that person. */
export function countForOwner(ownerId: string, personId = ownerId): void {
  const share = currentShare().getStore();
  if (share === undefined) return;
  share.kind = kindOf(share.isReading);
  share.tenant = ownerId;
  noteActive(ownerId, personId);
}

/** Counts the further statements of the current request as those of a reader, whatever its method: it changes nothing. */
export function countAsReader(): void {
  const share = currentShare().getStore();
  if (share === undefined) return;
  share.isReading = true;
  if (share.kind === 'owner') share.kind = 'reader';
}

/**
 * From now on, checks the caller of the current request again after each longer wait, and before its first transaction if that begins
 * later. No longer then: a transaction may itself revoke what it was allowed by.
 */
export function recheckAfterWaits(recheck: () => Promise<void>): void {
  const share = currentShare().getStore();
  if (share !== undefined) Object.assign(share, { recheck, checkedAt: performance.now() });
}

/** Ends `recheckAfterWaits`. */
export function endRechecks(): void {
  const share = currentShare().getStore();
  if (share !== undefined) share.recheck = undefined;
}

/** Checks the caller of the current request again if that was long ago: it may have fetched something. @throws AppError when it may not continue */
export async function recheckStale(): Promise<void> {
  const share = currentShare().getStore();
  if (share !== undefined) await recheckAfter(performance.now() - share.checkedAt);
}

/** Checks the caller of the current request again if it has waited for longer. @throws AppError when it may not continue */
export async function recheckAfter(waitedMs: number): Promise<void> {
  const share = currentShare().getStore();
  if (share?.recheck === undefined || waitedMs <= STALE_MS) return;
  try {
    // The statements of the check must not wait once more.
    await withoutShare(share.recheck);
    share.checkedAt = performance.now();
  } catch (error) {
    share.revocation = error;
    throw error;
  }
}

/** Counts the further statements of the current request for the service itself: the operator sent it. */
export function countForService(): void {
  const share = currentShare().getStore();
  if (share !== undefined) share.kind = null;
}

/**
 * Runs work of the service itself, which waits for no share: timers and caches that a request happens to start. Also the work of a
 * transaction: a statement beside it must not wait for a share that the transactions hold.
 */
export function withoutShare<T>(work: () => T): T {
  return currentShare().getStore() === undefined ? work() : currentShare().run(undefined, work);
}

/**
 * Waits until the current request may use a connection. Returns null without one: nothing is shared then.
 * @throws AppError rate_limited when too many statements of the tenant wait, or one has waited for three seconds; overloaded when
 *   those of all tenants do
 */
export async function takeConnectionPermit(): Promise<Permit | null> {
  const share = currentShare().getStore();
  if (share === undefined || share.kind === null) return null;
  return { isReading: share.kind === 'reader', release: await acquire(share.kind, share) };
}

/** Runs work whose statements read many rows when it is the owner's turn: one at a time. @throws AppError as for a connection */
export async function readHeavily<T>(work: () => Promise<T>, kind: HeavyKind = 'heavy'): Promise<T> {
  const share = currentShare().getStore();
  if (share === undefined || share.kind === null) return work();
  // An owner that must wait for a connection waits before it has a place, not with it.
  if (kind !== 'piece') (await acquire(share.kind, share))();
  const release = await acquire(kind, share);
  return holdingPlace(work, () => release());
}

const emptyStatement = () => once('empty-statement', () => ({ ms: 0, measuredAt: Number.NEGATIVE_INFINITY }));

/**
 * Measures now and then how long a statement that reads nothing takes: what a busy thread and a busy database add to any statement. That is
 * not held against whoever sends one, else the slowness that some owners cause would use up what the others may.
 * @param measure returns the milliseconds of one, without the wait for a connection. Called once at a time
 */
export async function measureEmptyStatement(measure: () => Promise<number>): Promise<void> {
  const known = emptyStatement();
  if (performance.now() - known.measuredAt < MEASURE_EVERY_MS) return;
  known.measuredAt = Number.POSITIVE_INFINITY;
  try {
    known.ms = (known.ms + (await withoutShare(measure))) / 2;
  } finally {
    known.measuredAt = performance.now();
  }
}

/** Counts what a place is held for when it is released, without what any statement takes. */
function countingFrom(release: Release): () => void {
  const startedAt = performance.now();
  return () => release(Math.max(0, performance.now() - startedAt - emptyStatement().ms));
}

async function acquire(kind: ShareKind, { tenant: owner, disconnected }: Share): Promise<() => void> {
  const places = placesOf(kind).semaphore;
  const tenant = waitingTenant(owner);
  const immediate = places.tryAcquire(tenant);
  if (immediate !== null) return countingFrom(immediate);
  const counts = shareWaits()[kind];
  counts.waited += 1;
  const late = new AbortController();
  // A thread that did not run for seconds handles its timers first. The answers that have arrived meanwhile may free a place.
  const timer = setTimeout(() => setImmediate(() => late.abort()), WAIT_MS).unref();
  const signal = disconnected ? AbortSignal.any([late.signal, disconnected()]) : late.signal;
  const startedAt = performance.now();
  const release = await places
    .acquire(tenant, signal)
    .catch(() => {
      counts.refused += 1;
      // A tenant with a part of its share left waits for others, and not for itself.
      const isOverloaded = places.waiting >= LIMITS[kind].waiting || places.hasShareLeft(tenant);
      throw refusal(isOverloaded ? 'overloaded' : 'rate_limited');
    })
    .finally(() => clearTimeout(timer));
  await recheckAfter(performance.now() - startedAt).catch((error) => {
    release(0);
    throw error;
  });
  return countingFrom(release);
}

const REFUSALS = {
  overloaded: 'Too many requests wait for the database. Try again shortly.',
  rate_limited: 'Too many of your requests wait for the database. Send fewer at once.',
} as const;

const refusal = (code: keyof typeof REFUSALS) =>
  new AppError(code, REFUSALS[code], { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Returns the refusal of a connection, or of a caller who was checked again, that Prisma turned into an error of its own; null for other
 * errors. Such an error keeps only the code.
 */
export function findWrappedRefusal(error: unknown): AppError | null {
  const revocation = currentShare().getStore()?.revocation;
  if (isAppError(revocation)) return revocation;
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'overloaded' || code === 'rate_limited' ? refusal(code) : null;
}

/** Returns how many statements and transactions did not get a connection at once, and how many were refused after their wait. */
export function shareWaits(): Record<ShareKind, { waited: number; refused: number }> {
  const none = () => ({ waited: 0, refused: 0 });
  return once('connection-share-waits', () => ({
    stranger: none(),
    owner: none(),
    reader: none(),
    heavy: none(),
    search: none(),
    preview: none(),
    trial: none(),
    portal: none(),
    large: none(),
    body: none(),
    page: none(),
    catalogue: none(),
    piece: none(),
  }));
}
