import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { FRAME_RATE, MAX_BUFFERED_BYTES } from '@/lib/tunnel/relay/limits';
import type { ConnectedClient } from './connected-client';

/** The total is computed once per this many bytes. */
const BYTES_BETWEEN_CHECKS = 2 * 1024 * 1024;
/** What the memory for a piece of bytes is at least. */
const PIECE_BYTES = 256;
const LEAST_ADVANCE_MS = 1;

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
 *
 * Owners share it in turns: each frame of an owner is due at a place in a common order, after its last one, and the order goes on by as
 * many frames a second as the rate has for each owner that is not through. So one alone has all of it, five have a fifth each, and
 * whoever sends less than its share never waits.
 */
export class FrameBudget {
  /** The place in the order that is through, and when it was, by performance.now(). */
  private place = 0;
  private atMs = performance.now();
  /** The last place of each owner that is not through. */
  private readonly lastPlaces = new Map<string, number>();

  constructor(private readonly rate = FRAME_RATE) {}

  /** Counts a frame of an owner's client. @param isBody whether it is written to a visitor. @returns `owedMs` */
  count(ownerId: string, bytes: number, isBody = false): number {
    this.advance();
    const { atOnce, mostOwed, bytesOfFrame, framesOfBody } = this.rate;
    const frames = (isBody ? framesOfBody : 1) + bytes / bytesOfFrame;
    const last = (this.lastPlaces.get(ownerId) ?? this.place) + frames;
    const owners = this.lastPlaces.size + (this.lastPlaces.has(ownerId) ? 0 : 1);
    this.lastPlaces.set(ownerId, Math.min(last, this.place + atOnce + mostOwed / owners));
    return this.owedMs(ownerId);
  }

  /** In how many milliseconds an owner's clients may send more, while no other owner begins to. */
  owedMs(ownerId: string): number {
    this.advance();
    const { perSecond, atOnce } = this.rate;
    const owed = (this.lastPlaces.get(ownerId) ?? this.place) - this.place - atOnce;
    return (Math.max(0, owed) * this.lastPlaces.size * SECOND_MS) / perSecond;
  }

  private advance(): void {
    const nowMs = performance.now();
    // To look for the next owner at each frame would take as long as the frame.
    if (nowMs - this.atMs < LEAST_ADVANCE_MS) return;
    let frames = ((nowMs - this.atMs) * this.rate.perSecond) / SECOND_MS;
    this.atMs = nowMs;
    while (this.lastPlaces.size > 0) {
      const owners = this.lastPlaces.size;
      const next = Math.min(...this.lastPlaces.values());
      const needed = (next - this.place) * owners;
      if (needed > frames) {
        this.place += frames / owners;
        return;
      }
      frames -= needed;
      this.place = next;
      for (const [owner, last] of this.lastPlaces) if (last <= next) this.lastPlaces.delete(owner);
    }
  }
}
