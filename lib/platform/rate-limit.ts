import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { SECOND_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { addJudgedLimit, type JudgedLimits, takeBackJudged } from '@/lib/platform/judged-limits';
import { keyedHash } from '@/lib/platform/keyed-hash';

/** So many tries of one kind for one key in a window, which begins with the first try. */
export interface Limit {
  /** The kind of try, such as `login-ip`. Keys of two kinds never meet. */
  name: string;
  /** Who tries: an IP address, a folded email address, an id. Stored as a keyed hash only. IPv6 counts by its /64. */
  key: string;
  /** Tries allowed in a window. */
  points: number;
  windowSeconds: number;
  /** The count shows what others did, who are none of the client's business: it is told of only where it refuses. */
  isDiscreet?: true;
}

export type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts a try, refused ones too, atomically across processes: the count is one row of `rate_limits`.
 * A fault of the database is thrown, never taken for an allowed try.
 *
 * @param request is told of the limit, for its answer; left out where the client must not know of it
 * @returns when refused, the whole seconds (at least 1) after which a try passes
 */
export async function consumeRateLimit(limit: Limit, request?: JudgedLimits): Promise<RateLimitVerdict> {
  const { consumedPoints, msBeforeNext } = await consume(limit, request);
  if (consumedPoints <= limit.points) return { allowed: true };
  return { allowed: false, retryAfterSeconds: toWaitSeconds(msBeforeNext) };
}

/**
 * Counts a try against the limits in turn, and against none after the one that refuses it: tries that are refused for
 * where they come from must not use up what those who are asked for have.
 * @throws AppError rate_limited when one is exceeded; its wait ends when the next try is within all of them
 */
export async function enforceRateLimits(limits: readonly Limit[], request?: JudgedLimits): Promise<void> {
  for (const limit of limits) {
    const { consumedPoints, msBeforeNext } = await consume(limit, request);
    if (consumedPoints <= limit.points) continue;
    // One that is used up, by this try or before, would refuse the next one.
    const waits = await Promise.all(limits.map((each) => msUntilNotSpent(each)));
    throw rateLimited(toWaitSeconds(Math.max(msBeforeNext, ...waits)));
  }
}

function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'Too many tries. Wait before the next one.', { retryAfterSeconds });
}

/**
 * Tells whether a try would pass, without counting it.
 * @throws AppError rate_limited when it would not
 */
export async function refuseBeyondRateLimit(limit: Limit, request?: JudgedLimits): Promise<void> {
  const waitMs = await msUntilNotSpent(limit, request);
  if (waitMs > 0) throw rateLimited(toWaitSeconds(waitMs));
}

async function msUntilNotSpent(limit: Limit, request?: JudgedLimits): Promise<number> {
  const count = await limiter(limit).get(storedRateLimitKey(limit));
  tell(request, limit, count ?? { consumedPoints: 0, msBeforeNext: limit.windowSeconds * SECOND_MS });
  return count !== null && count.consumedPoints >= limit.points ? count.msBeforeNext : 0;
}

/**
 * Counts a try in a transaction: it counts if and only if that commits.
 * @returns whether it is within the limit
 */
export async function consumeInTransaction(tx: Sql, limit: Limit): Promise<boolean> {
  const now = Date.now();
  const { rows } = await tx.query<{ points: number }>(
    `INSERT INTO rate_limits AS r (key, points, expire) VALUES ($1, 1, $2)
     ON CONFLICT (key) DO UPDATE SET
       points = CASE WHEN r.expire <= $3 THEN 1 ELSE r.points + 1 END,
       expire = CASE WHEN r.expire <= $3 THEN excluded.expire ELSE r.expire END
     RETURNING points`,
    [storedRateLimitKey(limit), now + limit.windowSeconds * SECOND_MS, now],
  );
  return (rows[0]?.points ?? 1) <= limit.points;
}

/** Takes a counted try back: it proved to be none that is to be limited. */
export async function refundRateLimits(
  limits: readonly Pick<Limit, 'name' | 'key'>[],
  request?: JudgedLimits,
): Promise<void> {
  await database().query('UPDATE rate_limits SET points = points - 1 WHERE key = ANY($1) AND points > 0', [
    limits.map(storedRateLimitKey),
  ]);
  if (request !== undefined) for (const { name } of limits) takeBackJudged(request, name);
}

/** What stands in the column `key`: it shows the kind of a try and nothing of who tried. */
export function storedRateLimitKey({ name, key }: Pick<Limit, 'name' | 'key'>): string {
  return `${name}:${keyedHash(toNetwork(key), 'rate limit').toString('base64url')}`;
}

type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

async function consume(limit: Limit, request?: JudgedLimits): Promise<Count> {
  const count = await limiter(limit)
    .consume(storedRateLimitKey(limit))
    .catch((refusal: unknown) => {
      // The library rejects with its count when the limit is exceeded, and with an Error when the database failed.
      if (refusal instanceof Error) throw refusal;
      return refusal as RateLimiterRes;
    });
  tell(request, limit, count);
  return count;
}

function tell(request: JudgedLimits | undefined, limit: Limit, { consumedPoints, msBeforeNext }: Count): void {
  const { name, points, windowSeconds, isDiscreet = false } = limit;
  if (request === undefined || (isDiscreet && consumedPoints <= points)) return;
  const resetSeconds = toWaitSeconds(msBeforeNext);
  addJudgedLimit(request, { name, points, windowSeconds, consumed: consumedPoints, resetSeconds });
}

function limiter({ points, windowSeconds }: Limit): RateLimiterPostgres {
  return once(
    `rate-limiter.${points}.${windowSeconds}`,
    () =>
      new RateLimiterPostgres({
        // Not the pool itself: this object outlives it.
        storeClient: { query: (statement: { text: string }) => database().query(statement) },
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        // Would be a timer in every process; expired rows are for the retention process.
        clearExpiredByTimeout: false,
        keyPrefix: '',
        points,
        duration: windowSeconds,
      }),
  );
}

/** An IPv6 client owns a /64 as a rule, and could come from another address of it each time. Anything else stays as it is. */
function toNetwork(key: string): string {
  if (!key.includes(':') || !ipaddr.isValid(key)) return key;
  const address = ipaddr.process(key);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)}/64`;
}

function toWaitSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS));
}
