import { SECOND_MS } from '@/lib/platform/clock';
import { once } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { SharedPace } from '@/lib/platform/shared-pace';
import { MAX_CHUNK_BYTES } from '@/lib/tunnel/protocol/protocol';
import { BYTES_PACE, LEAST_CHUNK_BYTES, MAX_REST_MS, MIN_REST_MS, SHARED_BYTES, SMALL_FRAME_BYTES } from './limits';

/** A connection or a body that moves bytes of an owner. */
interface BytePlace {
  /** Counts bytes. @returns for how many milliseconds the place reads no others */
  count(bytes: number): number;
  /** Counts a chunk of a body that arrives by HTTP. Returns as `count` does. */
  countChunk(bytes: number): number;
}

/**
 * Bounds the bytes that the tunnels of an owner, and of all owners together, move in each second, in both directions: each MiB takes the
 * thread for milliseconds.
 */
export class BytePace {
  private readonly pace: SharedPace;
  /** Places that rest, by owner. */
  private readonly resting = new Map<string, number>();

  constructor(
    private readonly limits = BYTES_PACE,
    shared = SHARED_BYTES,
  ) {
    this.pace = new SharedPace(limits, shared);
  }

  enter(owner: string): BytePlace {
    let untilMs = 0;
    const count = (bytes: number) => {
      // Idle clients only ping.
      if (bytes > SMALL_FRAME_BYTES) noteActive(owner);
      const owedMs = this.pace.restAfter(owner, bytes);
      const nowMs = performance.now();
      // What a place has in its buffers still arrives.
      if (nowMs < untilMs) return untilMs - nowMs;
      if (owedMs < MIN_REST_MS) return 0;
      const restMs = Math.min(MAX_REST_MS, Math.max(owedMs, this.shareMs(owner, bytes)));
      untilMs = nowMs + restMs;
      this.rest(owner, restMs);
      return restMs;
    };
    return { count, countChunk: (bytes) => count(Math.max(bytes, LEAST_CHUNK_BYTES)) };
  }

  /** Each place moves a chunk after its rest, so the more places rest, the longer. */
  private shareMs(owner: string, bytes: number): number {
    const places = (this.resting.get(owner) ?? 0) + 1;
    return ((places * Math.max(bytes, MAX_CHUNK_BYTES)) / this.limits.perSecond) * SECOND_MS;
  }

  private rest(owner: string, restMs: number): void {
    this.resting.set(owner, (this.resting.get(owner) ?? 0) + 1);
    const wake = () => {
      const left = (this.resting.get(owner) ?? 1) - 1;
      if (left === 0) this.resting.delete(owner);
      else this.resting.set(owner, left);
    };
    setTimeout(wake, restMs).unref();
  }
}

/** Returns the one of this process. */
export const bytePace = () => once('tunnel-bytes', () => new BytePace());
