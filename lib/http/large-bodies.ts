import { SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { FairSemaphore, type Release, SemaphoreFullError, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { isAlone, noteActive, Pace, type PaceLimits } from '@/lib/platform/pace';
import { restOfThread } from '@/lib/platform/thread-turns';

const MIB = 1024 * 1024;

/**
 * Large bodies that are read or used, and do not count for the bound of all bodies. The largest have 25 MiB, so these have 100 MiB. Those
 * that wait are not read.
 */
export const LARGE_BODY_PLACES: SemaphoreLimits = { width: 4, widthPerTenant: 2, waiting: 500, waitingPerTenant: 100 };
/**
 * Bytes of large bodies that are read for an owner while the process works for others too. Beyond that, a place rests after its body. To
 * read a MiB and hash it takes 9 ms of the thread.
 */
const PACE: PaceLimits = { perSecond: 10 * MIB, burst: 25 * MIB, mostOwed: 50 * MIB };
/**
 * What must arrive in each period while others wait for a place: the largest takes six seconds at most. Providers give up after ten, and
 * send much faster.
 */
const PERIOD_MS = 2_000;
const LEAST_BYTES = 8 * MIB;
/** How long the buffers of places stay after a large body. */
const BUFFERS_IDLE_MS = 30 * SECOND_MS;

/** The user of a body does not rest with its place (lib/platform/place-holder.ts): its owner rests afterwards. */
const places = () =>
  once('large-bodies', () => {
    const pace = new Pace(PACE, isAlone);
    return new FairSemaphore(LARGE_BODY_PLACES, {
      restAfter: (tenant, cost) => Math.max(pace.restAfter(tenant, cost), restOfThread(tenant)),
      mostUsed: pace.mostUsed,
    });
  });
const buffers = () => once('large-body-buffers', () => new PlaceBuffers());
/** What ends the places of bodies that are used. */
const used = new WeakMap<Buffer, () => void>();

const overloaded = (detail: string) =>
  new AppError('overloaded', detail, { retryAfterSeconds: 5, headers: { Connection: 'close' } });

/** The buffers of places that are free. A new one for each body would make the garbage collector stop the thread. */
class PlaceBuffers {
  private readonly free: Buffer[] = [];
  private timer: NodeJS.Timeout | undefined;

  take(bytes: number): Buffer {
    const buffer = this.free.pop();
    // The system gives a page when it is written to, so an announcement costs nothing.
    return buffer !== undefined && buffer.length >= bytes ? buffer : Buffer.allocUnsafeSlow(bytes);
  }

  giveBack(buffer: Buffer): void {
    this.free.push(buffer);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.free.length = 0;
    }, BUFFERS_IDLE_MS).unref();
  }
}

/**
 * The place of a large body. Call `end` once it is not read on, unless it is complete and `use` passes the place on to its user.
 */
export class LargeBodyPlace {
  private readonly waiting = new AbortController();
  private release: Release | null = null;
  private buffer: Buffer | null = null;
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;
  private takenAtMs = 0;
  private isOver = false;

  /** @param tenant that receives the body */
  constructor(private readonly tenant: string) {}

  /**
   * Waits for the place. Afterwards a body that arrives too slowly while others wait fails.
   * @returns a buffer for the body, which belongs to others once the place has ended; null when it has ended before
   * @throws AppError overloaded
   */
  async take(mostBytes: number, fail: (error: AppError) => void): Promise<Buffer | null> {
    const release = await places()
      .acquire(this.tenant, this.waiting.signal)
      .catch((error: unknown) => {
        throw error instanceof SemaphoreFullError
          ? overloaded('Too many large bodies are being sent at once. Send this one again.')
          : error;
      });
    if (this.isOver) {
      release(0);
      return null;
    }
    // Those whose bodies are refused store nothing, and are active nevertheless.
    noteActive(this.tenant);
    this.release = release;
    this.takenAtMs = performance.now();
    this.buffer = buffers().take(mostBytes);
    let seen = this.bytes;
    this.timer = setInterval(() => {
      const isSlow = this.bytes - seen < LEAST_BYTES;
      seen = this.bytes;
      if (isSlow && places().waiting > 0)
        fail(overloaded('The body arrives too slowly while others wait. Send it again.'));
    }, PERIOD_MS);
    return this.buffer;
  }

  arrived(bytes: number): void {
    this.bytes += bytes;
  }

  /** Keeps the place for a complete body, until `endLargeBody`. */
  use(body: Buffer): void {
    const { release, buffer } = this;
    used.set(body, () => {
      if (buffer !== null) buffers().giveBack(buffer);
      release?.(this.cost());
    });
    this.release = null;
    this.buffer = null;
    this.end();
  }

  end(): void {
    this.isOver = true;
    clearInterval(this.timer);
    this.waiting.abort();
    if (this.buffer !== null) buffers().giveBack(this.buffer);
    this.buffer = null;
    this.release?.(this.cost());
    this.release = null;
  }

  /** A place that is held counts as if bytes had arrived at the pace: else one that announces much and sends little costs nothing. */
  private cost(): number {
    return Math.max(this.bytes, ((performance.now() - this.takenAtMs) / SECOND_MS) * PACE.perSecond);
  }
}

/** Gives the place of a body back, if it has one: nobody uses it any longer. */
export function endLargeBody(body: Buffer): void {
  if (body.length <= LARGE_BODY_BYTES) return;
  used.get(body)?.();
  used.delete(body);
}
