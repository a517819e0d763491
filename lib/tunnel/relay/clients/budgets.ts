import { log } from '@/lib/platform/log';
import { SharedRate } from '@/lib/platform/shared-rate';
import { FRAME_RATE, MAX_BUFFERED_BYTES } from '@/lib/tunnel/relay/limits';
import type { ConnectedClient } from './connected-client';

/** The total is computed once per this many bytes. */
const BYTES_BETWEEN_CHECKS = 2 * 1024 * 1024;
/** What the memory for a piece of bytes is at least. */
const PIECE_BYTES = 256;

/**
 * Limits the memory of all tunnels of this process. Beyond it, ends the largest response or connection of the owner whose tunnels hold the
 * most.
 */
export class BufferBudget {
  private unchecked = 0;

  constructor(
    private readonly tunnels: () => Iterable<ConnectedClient>,
    private readonly maxBytes = MAX_BUFFERED_BYTES,
  ) {}

  /** Call this when bytes arrive from a client, or start to wait for its socket. */
  count(bytes: number): void {
    this.unchecked += Math.max(bytes, PIECE_BYTES);
    if (this.unchecked < BYTES_BETWEEN_CHECKS) return;
    this.unchecked = 0;
    this.check();
  }

  private check(): void {
    for (;;) {
      const byOwner = new Map<string, Held>();
      let total = 0;
      for (const tunnel of this.tunnels()) {
        const bytes = tunnel.memoryBytes;
        total += bytes;
        const held = byOwner.get(tunnel.options.ownerId);
        if (held === undefined) byOwner.set(tunnel.options.ownerId, { bytes, largest: tunnel, largestBytes: bytes });
        else {
          held.bytes += bytes;
          if (bytes > held.largestBytes) Object.assign(held, { largest: tunnel, largestBytes: bytes });
        }
      }
      if (total <= this.maxBytes) return;
      const { largest } = [...byOwner.values()].reduce((most, held) => (held.bytes > most.bytes ? held : most));
      log().warn(
        { tunnelId: largest.options.tunnelId, total },
        'tunnel response or connection ended; its reader is too slow',
      );
      largest.endLargest();
    }
  }
}

/** What the tunnels of one owner hold. */
interface Held {
  bytes: number;
  largest: ConnectedClient;
  largestBytes: number;
}

/**
 * Bounds the frames and bytes a second that the clients of all owners send: each frame takes the thread of the process for some
 * microseconds, however small it is. Beyond it, connections are not read for a while, so that TCP slows them down.
 */
export class FrameBudget {
  private readonly shared: SharedRate;

  constructor(private readonly rate = FRAME_RATE) {
    this.shared = new SharedRate(rate);
  }

  /** Counts a frame of an owner's client. @param isBody whether it is written to a visitor. @returns `owedMs` */
  count(ownerId: string, bytes: number, isBody = false): number {
    const { bytesOfFrame, framesOfBody } = this.rate;
    return this.shared.count(ownerId, (isBody ? framesOfBody : 1) + bytes / bytesOfFrame);
  }

  /** In how many milliseconds an owner's clients may send more, while no other owner begins to. */
  owedMs(ownerId: string): number {
    return this.shared.owedMs(ownerId);
  }
}
