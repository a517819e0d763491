import { SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';

/** What a network may save up, in seconds of its budget: people behind one address arrive together. */
const BURST_SECONDS = 3;
/** About 150 bytes each. The one that was idle for longest is forgotten, and has all of its budget again. */
const MAX_NETWORKS = 20_000;

interface Account {
  left: number;
  /** By performance.now(). */
  atMs: number;
}

/**
 * Bounds the processor time that requests without a valid credential cost a web process, by the network of their client: a number of
 * requests a second, of which a page counts as several (docs/decisions/063-what-strangers-may-cost.md).
 */
export class StrangerBudget {
  private readonly accounts = new Map<string, Account>();

  /** @param perSecond 0 for no bound */
  constructor(private readonly perSecond: number) {}

  /** @throws AppError rate_limited when the budget of the network is spent; a refused request costs nothing */
  spend(network: string, cost: number, nowMs = performance.now()): void {
    if (this.perSecond === 0) return;
    const most = this.perSecond * BURST_SECONDS;
    const { left, atMs } = this.accounts.get(network) ?? { left: most, atMs: nowMs };
    const present = Math.min(most, left + ((nowMs - atMs) / SECOND_MS) * this.perSecond);
    // A cost above the burst is allowed when nothing else was spent.
    const isAllowed = present >= Math.min(cost, most);
    this.accounts.delete(network);
    this.accounts.set(network, { left: isAllowed ? present - cost : present, atMs: nowMs });
    if (this.accounts.size > MAX_NETWORKS) {
      const [oldest] = this.accounts.keys();
      if (oldest !== undefined) this.accounts.delete(oldest);
    }
    if (isAllowed) return;
    throw new AppError('rate_limited', 'Too many requests from your network. Try again in a second.', {
      retryAfterSeconds: 1,
    });
  }
}
