import { log } from '@/lib/platform/log';
import { MAX_BUFFERED_BYTES } from '@/lib/tunnel/relay/limits';
import type { HeldTunnel } from './held-tunnel';

/** The total is computed once per this many frames, each of at most 128 KiB. */
const FRAMES_BETWEEN_CHECKS = 64;

/**
 * Limits the memory of all tunnels of this process. Beyond it, ends the largest response or the connection of the largest
 * tunnel.
 */
export class BufferBudget {
  private frames = 0;

  constructor(
    private readonly tunnels: () => Iterable<HeldTunnel>,
    private readonly maxBytes = MAX_BUFFERED_BYTES,
  ) {}

  /** Call this when a frame that uses memory arrives or starts to wait for a socket. */
  count(): void {
    this.frames += 1;
    if (this.frames % FRAMES_BETWEEN_CHECKS === 0) this.check();
  }

  private check(): void {
    for (;;) {
      const sizes = [...this.tunnels()].map((tunnel) => ({ tunnel, bytes: tunnel.heldBytes }));
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
