import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { clientSite } from '@/lib/platform/net/client-network';
import type { ClientAddressOf } from './read-request';

/** Bytes of all connections of a server that wait for their clients. What the system has taken does not count. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How long one write may wait for a client. The largest have 1 MiB, so this takes 6 KB/s. */
const STALL_MS = 3 * MINUTE_MS;
const LOG_INTERVAL_MS = 10 * SECOND_MS;

/** The responses of a connection that have not ended, oldest first. */
interface Answering {
  responses: readonly ServerResponse[];
}

interface Waiting {
  socket: Socket;
  answering: Answering;
  bytes: number;
}

/**
 * Bounds the memory of responses that clients do not read (docs/decisions/055-bodies-in-pieces.md). A slow client that reads is left alone,
 * unless the memory is needed and its network has the most.
 */
export class UnreadBytes {
  /** The bytes of connections that have been taken, and since when no more. */
  private progress = new WeakMap<Socket, { taken: number; sinceMs: number }>();
  private ended = 0;
  private nextLogMs = 0;

  constructor(
    private readonly clientAddress: ClientAddressOf,
    private readonly limits = { maxBytes: MAX_BYTES, stallMs: STALL_MS },
  ) {}

  /** Destroys connections whose clients read nothing, or too little for the memory that all have. */
  sweep(connections: ReadonlyMap<Socket, Answering>): void {
    const now = performance.now();
    const waiting: Waiting[] = [];
    let total = 0;
    for (const [socket, answering] of connections) {
      const bytes = bytesWaiting(socket, answering);
      if (bytes === 0) this.progress.delete(socket);
      else if (this.isStalled(socket, now)) this.end(socket);
      else {
        waiting.push({ socket, answering, bytes });
        total += bytes;
      }
    }
    if (total > this.limits.maxBytes) this.makeRoom(waiting, total);
    this.logEnded(now);
  }

  private isStalled(socket: Socket, now: number): boolean {
    const taken = bytesTaken(socket);
    const known = this.progress.get(socket);
    if (known?.taken === taken) return now - known.sinceMs >= this.limits.stallMs;
    this.progress.set(socket, { taken, sinceMs: now });
    return false;
  }

  /** The network with the most bytes loses its largest connections. */
  private makeRoom(waiting: readonly Waiting[], total: number): void {
    const networks = new Map<string, { bytes: number; connections: Waiting[] }>();
    for (const connection of waiting) {
      const network = this.networkOf(connection);
      const own = networks.get(network) ?? { bytes: 0, connections: [] };
      networks.set(network, own);
      own.bytes += connection.bytes;
      own.connections.push(connection);
    }
    for (const { connections } of networks.values()) connections.sort((a, b) => a.bytes - b.bytes);
    let left = total;
    while (left > this.limits.maxBytes) {
      const heaviest = [...networks.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const largest = heaviest.connections.pop();
      if (largest === undefined) return;
      heaviest.bytes -= largest.bytes;
      left -= largest.bytes;
      this.end(largest.socket);
    }
  }

  /** A proxy sends the requests of many clients. What waits is of the oldest of its connection. */
  private networkOf({ socket, answering }: Waiting): string {
    const [oldest] = answering.responses;
    const forwardedFor = oldest?.req.headersDistinct['x-forwarded-for']?.join(', ');
    return clientSite(this.clientAddress(socket.remoteAddress, forwardedFor));
  }

  private end(socket: Socket): void {
    socket.destroy();
    this.ended += 1;
  }

  private logEnded(now: number): void {
    if (this.ended === 0 || now < this.nextLogMs) return;
    log().warn({ connections: this.ended }, 'ended connections whose clients do not read their responses');
    this.ended = 0;
    this.nextLogMs = now + LOG_INTERVAL_MS;
  }
}

/** A response waits in itself until those before it on the connection have ended. */
function bytesWaiting(socket: Socket, { responses }: Answering): number {
  let bytes = socket.writableLength;
  for (const response of responses) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}

/** Returns the bytes of all writes that have ended: Node counts a write when it begins, and it waits until all of it is taken. */
function bytesTaken(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
