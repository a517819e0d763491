import { TokenBuckets } from '@/lib/platform/token-buckets';
import { FRAME_RATE } from '@/lib/tunnel/relay/limits';

/** What a frame costs its connection: how long it must not be read, or that it has to end. */
export type FrameCost = number | 'end';

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
