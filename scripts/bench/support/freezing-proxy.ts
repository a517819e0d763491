import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** PostgreSQL notices by its own keepalives that a connection leads nowhere; this is how long it takes, in milliseconds. */
const SERVER_NOTICES_MS = 60_000;

interface Pair {
  client: Socket;
  server: Socket;
  /** How many freezes are in force. */
  freezes: number;
  isLost: boolean;
}

/** A way to a server on this machine whose connections can freeze, for a while or for ever, while new ones pass. */
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

  /** Holds back what the present connections carry in both directions. @returns lets it through again */
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
   * Drops from now on what the present connections carry, as a firewall does that has forgotten them. The server's half is
   * broken off after a minute; the client hears of nothing, ever.
   */
  lose(): void {
    for (const pair of this.#pairs) {
      if (pair.isLost) continue;
      pair.isLost = true;
      stopFlow(pair);
      // Read and thrown away: what the client sends is lost, and its own end is noticed.
      pair.client.resume();
      pair.server.resume();
      setTimeout(() => pair.server.destroy(), SERVER_NOTICES_MS).unref();
    }
  }

  /** Accepts new connections but carries nothing on them until `ms` milliseconds from now. */
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
