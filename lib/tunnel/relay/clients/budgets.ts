import { log } from '@/lib/platform/log';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import { FRAME_RATE, MAX_BUFFERED_BYTES } from '@/lib/tunnel/relay/limits';
import type { ConnectedClient, FrameCost } from './connected-client';

/** The total is computed once per this many frames, each of at most 128 KiB. */
const FRAMES_BETWEEN_CHECKS = 64;

/**
 * Limits the memory of all tunnels of this process. Beyond it, ends the largest response or the connection of the largest
 * tunnel.
 */
export class BufferBudget {
  private frames = 0;

  constructor(
    private readonly tunnels: () => Iterable<ConnectedClient>,
    private readonly maxBytes = MAX_BUFFERED_BYTES,
  ) {}

  /** Call this when a frame that uses memory arrives or starts to wait for a socket. */
  count(): void {
    this.frames += 1;
    if (this.frames % FRAMES_BETWEEN_CHECKS === 0) this.check();
  }

  private check(): void {
    for (;;) {
      const sizes = [...this.tunnels()].map((tunnel) => ({ tunnel, bytes: tunnel.memoryBytes }));
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      if (total <= this.maxBytes) return;
      const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
      if (largest === undefined) return;
      log().warn(
        { tunnelId: largest.tunnel.options.tunnelId, total },
        'tunnel response or connection ended; its reader is too slow',
      );
      largest.tunnel.endLargest();
    }
  }
}

/**
 * Bounds the frames and bytes a second that the clients of one owner send: each frame takes the thread of the process for some
 * microseconds, however small it is. Beyond it, their connections are not read for a while, so that TCP slows them down.
 */
export class FrameBudget {
  private readonly buckets: TokenBuckets;

  constructor(private readonly rate = FRAME_RATE) {
    this.buckets = new TokenBuckets({ perSecond: rate.perSecond, burst: rate.atOnce });
  }

  /** Counts a frame of an owner's client. */
  count(ownerId: string, bytes: number): FrameCost {
    const left = this.buckets.take(ownerId, 1 + bytes / this.rate.bytesOfFrame);
    // What a paused connection has in its buffers still arrives.
    return left < -this.rate.mostOwed ? 'end' : this.buckets.owedMs(ownerId);
  }
}
