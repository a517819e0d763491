import type { Socket } from 'node:net';
import { MINUTE_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';

/** Requests of one connection that may wait for their responses. Browsers and HTTP libraries send one at a time. */
const MAX_UNANSWERED = 32;
/** What the parser gets at once from a connection that is read in slices. */
const SLICE_BYTES = 2 * 1024;
/** How long after the last attack connections are still read in slices. */
const ALERT_MS = 10 * MINUTE_MS;

interface Connection {
  unanswered: number;
  /** A response closes the connection. What still arrives is dropped. */
  isClosing: boolean;
}

/**
 * The connections of a server. The parser handles what it gets at once, 64 KiB, to its end. That may be 10,000 chunks of a byte or 2,000
 * requests: 10 to 50 ms in which everybody waits, even if the first of them closes the connection. So after the first attack, the
 * parser gets slices. They take 8 µs a request, which nobody pays while there is no attack
 * (docs/decisions/055-bodies-in-pieces.md).
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private alertUntil = 0;

  /** Call this for each connection, also for one that comes back from an upgrade. */
  add(socket: Socket): void {
    if (!this.open.has(socket)) socket.once('close', () => this.open.delete(socket));
    this.open.set(socket, { unanswered: 0, isClosing: false });
    if (performance.now() < this.alertUntil) this.readInSlices(socket);
  }

  /** Call this when a connection offers another protocol, before somebody reads it. */
  release(socket: Socket): void {
    if (!socket.listeners('data').includes(listenOnly)) return;
    socket.off('data', listenOnly);
    // Uncovers the method of its class.
    Reflect.deleteProperty(socket, 'push');
  }

  /**
   * Counts a request, until `leave`.
   * @returns 'refuse' when too many others of its connection wait, and 'drop' for those after it
   */
  enter(socket: Socket): 'serve' | 'refuse' | 'drop' {
    const connection = this.open.get(socket);
    if (connection === undefined) return 'serve';
    if (connection.isClosing) return 'drop';
    connection.unanswered += 1;
    if (connection.unanswered <= MAX_UNANSWERED) return 'serve';
    this.refuse(socket);
    return 'refuse';
  }

  /** Call this when a request that `enter` counted has its response. */
  leave(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.unanswered -= 1;
  }

  /**
   * Drops what a connection still sends, and reads all connections in slices for a while. Call this when a client makes the parser do
   * much work with few bytes, and close the connection with the response.
   */
  refuse(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.isClosing = true;
    socket.pause();
    const isNew = performance.now() >= this.alertUntil;
    this.alertUntil = performance.now() + ALERT_MS;
    if (!isNew) return;
    log().warn('a client sends absurdly small pieces; reading connections in slices');
    for (const each of this.open.keys()) this.readInSlices(each);
  }

  private readInSlices(socket: Socket): void {
    if (socket.listeners('data').includes(listenOnly)) return;
    socket.on('data', listenOnly);
    const push = socket.push.bind(socket);
    const isClosing = () => socket.destroyed || this.open.get(socket)?.isClosing === true;
    socket.push = (data: Buffer | null) => {
      if (data === null) return push(data);
      let wantsMore = true;
      for (let at = 0; at < data.length; at += SLICE_BYTES) {
        // No more is read.
        if (isClosing()) return false;
        wantsMore = push(data.subarray(at, at + SLICE_BYTES));
      }
      return wantsMore;
    };
  }
}

/** The parser reads a connection itself, past its stream, until somebody listens to its data. */
function listenOnly(): void {}
