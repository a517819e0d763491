import type { IncomingMessage } from 'node:http';
import { FairSemaphore, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';

const MIB = 1024 * 1024;
/**
 * Large bodies that are read at once. The connections of those that wait are not read. Each of them holds 64 KiB at least, so the bound of
 * unfinished bodies is reached before this one.
 */
const LIMITS: SemaphoreLimits = { width: 16, widthPerTenant: 2, waiting: 2_000, waitingPerTenant: 2_000 };
/** Bytes of large bodies that are read for an owner while the process works for others too. */
const PACE: PaceLimits = { perSecond: 2 * MIB, burst: MIB };
/** What is read of a body without a turn: at first, and after a turn in which it arrived slowly. */
const FREE_BYTES = 64 * 1024;
/** A body of which less arrives in this time is a slow one, and lets the next one begin. */
const SLOW_BYTES = 64 * 1024;
const SLOW_MS = 50;

const turns = () =>
  once('body-turns', () => {
    const pace = new Pace(PACE, isAlone);
    return { pace, semaphore: new FairSemaphore(LIMITS, pace) };
  });

/** Whose share a body uses. */
export interface BodySender {
  /** The client's site (`clientSite`). */
  network: string;
  /** The tenant that receives the body; undefined while it is unknown. */
  ownerId: string | undefined;
}

/**
 * Pauses a message that has a large body until its owner, or its network if the owner is not known, may have it read. Hundreds that are
 * read at once take seconds of the thread before the first of them is complete (docs/decisions/055-bodies-in-pieces.md).
 */
export class BodyTurns {
  private waiting: AbortController | null = null;
  private state: 'free' | 'waiting' | 'in turn' | 'over' = 'free';
  private size = 0;
  private freeUpTo = FREE_BYTES;
  private counted = 0;
  private endTurn: () => void = () => undefined;

  constructor(
    private readonly message: IncomingMessage,
    private readonly sender: BodySender,
  ) {}

  /** Call this for each chunk. */
  arrived(bytes: number): void {
    this.size += bytes;
    if (this.state !== 'free' || this.size <= this.freeUpTo) return;
    const immediate = turns().semaphore.tryAcquire(this.tenant);
    if (immediate !== null) {
      this.begin(immediate);
      return;
    }
    this.wait();
  }

  /** Call this when the body is complete, or is not read on. */
  end(): void {
    this.endTurn();
    this.state = 'over';
    this.waiting?.abort();
    if (this.size > FREE_BYTES) turns().semaphore.count(this.tenant, this.countNew());
  }

  private get tenant(): string {
    return this.sender.ownerId ?? this.sender.network;
  }

  /** Many senders share a network, which has no pace. */
  private countNew(): number {
    const bytes = this.sender.ownerId === undefined ? 0 : this.size - this.counted;
    this.counted = this.size;
    return bytes;
  }

  private wait(): void {
    this.state = 'waiting';
    this.message.pause();
    this.waiting ??= new AbortController();
    const { signal } = this.waiting;
    turns()
      .semaphore.acquire(this.tenant, signal)
      .then(
        (release) => {
          this.begin(release);
          this.message.resume();
        },
        (error: Error) => signal.aborted || this.message.destroy(error),
      );
  }

  private begin(release: (cost: number) => void): void {
    this.state = 'in turn';
    let seen = this.size;
    let seenAt = performance.now();
    const timer = setInterval(() => {
      // A busy thread has not read yet what has arrived.
      const isLate = performance.now() - seenAt > 2 * SLOW_MS;
      if (!isLate && this.size - seen < SLOW_BYTES) this.endTurn();
      [seen, seenAt] = [this.size, performance.now()];
    }, SLOW_MS);
    this.endTurn = () => {
      this.endTurn = () => undefined;
      clearInterval(timer);
      this.state = 'free';
      this.freeUpTo = this.size + FREE_BYTES;
      release(this.countNew());
    };
  }
}
