import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut and mended, as a network or a restart does it. */
export class TcpProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  /** Where each socket's bytes go. */
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

  /** Lets connections through: the first time on a free port, and again on the same. */
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

  /** Lets nothing through any more while every connection stays, as a firewall does that has forgotten them. */
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

  /** Breaks every connection, and takes new ones. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Holds back every byte, and every close, of the connections there are: for their ends, packets vanish. New ones pass,
   * unless `andNew`.
   *
   * @param which by default all; the server knows a connection by this port (pg_stat_activity.client_port)
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

  /** Lets everything through again, what was held back first: as TCP sends it again when a network is back. */
  thaw(): void {
    this.#freezesNew = false;
    for (const socket of this.#frozen) {
      const other = this.#pairs.get(socket);
      if (other !== undefined) socket.pipe(other);
    }
    this.#frozen.clear();
  }

  /** How many connections are frozen. */
  get frozenCount(): number {
    return this.#frozen.size / 2;
  }

  /** Breaks every connection, and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** An open proxy before the server of a database, and the URL that leads through it. */
export async function openDatabaseProxy(url: string): Promise<{ proxy: TcpProxy; through: string }> {
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port) });
  await proxy.open();
  return { proxy, through: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href };
}
