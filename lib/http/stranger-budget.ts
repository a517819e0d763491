import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/** What a network may save up, in seconds of its budget: people behind one address arrive together. */
const BURST_SECONDS = 3;
const REFUSED_AFTER_MS = 250;

/**
 * Bounds the processor time that requests without a valid credential cost a web process, by the network of their client: a number of
 * requests a second, of which a page counts as several (docs/decisions/063-what-strangers-may-cost.md).
 */
export class StrangerBudget {
  private readonly buckets: TokenBuckets | null;

  /** @param perSecond 0 for no bound */
  constructor(perSecond: number) {
    const burst = perSecond * BURST_SECONDS;
    this.buckets = perSecond === 0 ? null : new TokenBuckets({ perSecond, burst, mostOwed: burst });
  }

  /** @throws AppError rate_limited when the budget of the network is spent; a refused request costs nothing */
  spend(network: string, cost: number, nowMs = performance.now()): void {
    this.refuseWhenSpent(network, cost, nowMs);
    this.buckets?.take(network, cost, nowMs);
  }

  /** Counts a request that turned out to have no valid credential. */
  count(network: string): void {
    this.buckets?.take(network, 1);
  }

  /** @throws AppError rate_limited when the network may not spend that much now */
  refuseWhenSpent(network: string, cost = 1, nowMs = performance.now()): void {
    if (this.isSpent(network, cost, nowMs)) throw tooMany('Too many requests from your network.');
  }

  /** @throws AppError rate_limited when what counted for an owner has spent the same budget */
  refuseOwnerWhenSpent(name: string): void {
    if (this.isSpent(name, 1, performance.now())) throw tooMany('Too many deliveries to your tunnels have failed.');
  }

  private isSpent(name: string, cost: number, nowMs: number): boolean {
    // A cost above the burst is allowed when nothing else was spent.
    return this.buckets !== null && this.buckets.left(name, nowMs) < Math.min(cost, this.buckets.limits.burst);
  }
}

function tooMany(what: string): AppError {
  const detail = `${what} Try again in a second.`;
  return new AppError('rate_limited', detail, { retryAfterSeconds: 1, headers: { Connection: 'close' } });
}

/** Returns that of this process. */
export const strangerBudget = () =>
  once('stranger-budget', () => new StrangerBudget(config().ANONYMOUS_REQUESTS_PER_SECOND));

/**
 * Asks a budget, and passes its refusal on late: a flood has only as many requests under way as it has connections, so its refusals cost
 * the process little.
 */
export async function refuseLate(ask: () => void): Promise<void> {
  try {
    ask();
  } catch (error) {
    // Those that were refused together would otherwise be answered, and open their next connections, together.
    await sleep(REFUSED_AFTER_MS * (1 + Math.random()));
    throw error;
  }
}
