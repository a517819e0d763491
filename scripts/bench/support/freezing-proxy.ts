import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How long the TCP keepalives of PostgreSQL take to detect a dead connection, in milliseconds. */
const SERVER_NOTICES_MS = 60_000;

interface Pair {
  client: Socket;
  server: Socket;
  /** Number of active freezes. */
  freezes: number;
  isLost: boolean;
}

/** A proxy to a local server. Its connections can freeze, for a while or for good, while new ones pass. */
export class FreezingProxy {
  readonly #pairs = new Set<Pair>();
  readonly #waiting = new Set<Socket>();
  readonly #server: Server;
  #holdUntil = 0;

  private constructor(private readonly targetPort: number) {
    this.#server = createServer((client) => this.#accept(client));
  }

  static async open(targetPort: number): Promise<FreezingProxy> {
    const proxy = new FreezingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Holds back the bytes of all open connections, in both directions. @returns thaws them */
  freeze(): () => void {
    const frozen = [...this.#pairs].filter((pair) => !pair.isLost);
    for (const pair of frozen) {
      pair.freezes += 1;
      stopFlow(pair);
    }
    return () => {
      for (const pair of frozen) {
        pair.freezes -= 1;
        if (pair.freezes === 0 && !pair.isLost) startFlow(pair);
      }
    };
  }

  /**
   * Drops all bytes of the open connections, as a firewall that has lost their state does. The connection to the server breaks
   * after a minute; the client's stays open and silent.
   */
  lose(): void {
    for (const pair of this.#pairs) {
      if (pair.isLost) continue;
      pair.isLost = true;
      stopFlow(pair);
      // Reading discards the bytes, and still notices when a side closes.
      pair.client.resume();
      pair.server.resume();
      setTimeout(() => pair.server.destroy(), SERVER_NOTICES_MS).unref();
    }
  }

  /** Accepts new connections but forwards nothing on them for `ms` milliseconds. */
  holdNew(ms: number): void {
    this.#holdUntil = performance.now() + ms;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#waiting) socket.destroy();
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.destroy();
    await closed;
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined);
    this.#waiting.add(client);
    const waitMs = Math.max(0, this.#holdUntil - performance.now());
    const join = () => {
      this.#waiting.delete(client);
      if (!client.destroyed) this.#join(client);
    };
    if (waitMs === 0) join();
    else setTimeout(join, waitMs);
  }

  #join(client: Socket): void {
    const server = connect(this.targetPort, '127.0.0.1');
    const pair: Pair = { client, server, freezes: 0, isLost: false };
    this.#pairs.add(pair);
    server.on('error', () => undefined);
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      socket.setNoDelay(true);
      socket.on('close', () => {
        if (!pair.isLost) other.destroy();
        if (client.destroyed && server.destroyed) this.#pairs.delete(pair);
      });
    }
    startFlow(pair);
  }
}

function startFlow({ client, server }: Pair): void {
  client.pipe(server);
  server.pipe(client);
}

function stopFlow({ client, server }: Pair): void {
  client.unpipe(server).pause();
  server.unpipe(client).pause();
}
