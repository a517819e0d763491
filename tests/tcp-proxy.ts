import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut and mended, as a network or a restart does it. */
export class TcpProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
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
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
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

  /** Breaks every connection, and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
