import { connect, createServer, type Server, type Socket } from 'node:net';

/** How long the TCP keepalives of PostgreSQL take to detect a dead connection. */
const SERVER_NOTICES_MS = 60_000;

/** A TCP proxy that simulates network faults and restarts of a server. */
export class TcpProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  /** The other side of each socket. */
  readonly #pairs = new Map<Socket, Socket>();
  readonly #frozen = new Set<Socket>();
  #freezesNew = false;
  #server: Server | null = null;
  #port = 0;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  /** Accepts connections, the first time on a free port, later on the same port. */
  async open(): Promise<void> {
    const server = createServer((inner) => {
      const outer = connect(this.#target);
      for (const [socket, other] of [[inner, outer] as const, [outer, inner] as const]) {
        this.#sockets.add(socket);
        this.#pairs.set(socket, other);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          this.#pairs.delete(socket);
          if (!this.#frozen.delete(socket)) other.destroy();
        });
        if (this.#freezesNew) this.#frozen.add(socket.pause());
        else socket.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
    this.#server = server;
  }

  /** Drops all bytes but keeps every connection open, as a firewall that has lost their state does. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.resume();
    }
    this.#server?.removeAllListeners('connection').on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
    });
  }

  /**
   * Drops all bytes of the open connections alone. Those to the server break after a minute, when its keepalives would notice;
   * those of the clients stay open.
   */
  lose(): void {
    for (const [outer, inner] of this.#pairs) {
      if (outer.remotePort !== this.#target.port) continue;
      for (const socket of [outer, inner]) {
        socket.unpipe();
        this.#frozen.add(socket.resume());
        this.#pairs.delete(socket);
      }
      setTimeout(() => outer.destroy(), SERVER_NOTICES_MS).unref();
    }
  }

  /** Closes every connection, and accepts new ones. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Holds back every byte and every close of the open connections, as if their packets were lost. New connections pass unless
   * `andNew`.
   *
   * @param which selects connections by the port that the server sees (pg_stat_activity.client_port); by default all
   */
  freeze({ andNew = false, which = (_port: number) => true } = {}): void {
    this.#freezesNew = andNew;
    for (const [outer, inner] of this.#pairs) {
      if (outer.remotePort !== this.#target.port || !which(outer.localPort ?? 0)) continue;
      for (const socket of [outer, inner]) {
        socket.unpipe();
        this.#frozen.add(socket.pause());
      }
    }
  }

  /** Forwards everything again, starting with the held bytes, as TCP retransmits them. */
  thaw(): void {
    this.#freezesNew = false;
    for (const socket of this.#frozen) {
      const other = this.#pairs.get(socket);
      if (other === undefined) continue;
      this.#frozen.delete(socket);
      if (other.destroyed) socket.destroy();
      else socket.pipe(other);
    }
  }

  /** Number of frozen connections. */
  get frozenCount(): number {
    return this.#frozen.size / 2;
  }

  /** Closes every connection, and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Opens a proxy in front of a database. @returns the proxy, and the URL through it */
export async function openDatabaseProxy(url: string): Promise<{ proxy: TcpProxy; through: string }> {
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port) });
  await proxy.open();
  return { proxy, through: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href };
}
