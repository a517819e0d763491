import type { Server } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { clientAddressResolver } from '@/lib/http/client-address';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { createRelay, setTunnelRelay } from '@/lib/tunnel/relay/current-relay';
import type { TunnelRelay } from '@/lib/tunnel/relay/tunnel-relay';
import { servedByNode } from '@/tests/http/served-by-node';

/** A web server with the API and the tunnels, on the port of APP_BASE_URL. */
export interface Service {
  /** Starts it again after `stop`. */
  start(): Promise<void>;
  /** Ends it at once, with all connections. */
  stop(): Promise<void>;
}

/** Starts it for the tests of a file. */
export function useService(port: number): Service {
  let running: { server: Server; relay: TunnelRelay } | null = null;
  const start = async () => {
    if (running !== null) return;
    const relay = createRelay(() => port);
    const server = createWebServer({
      match: toMatcher(servedByNode(api), subtrees),
      next: async (_message, response) => void response.end('a page'),
      clientAddress: clientAddressResolver([]),
      ownPrefixes: ['/api', '/metrics', '/t'],
      tunnels: relay,
    });
    await new Promise<void>((resolve) => server.listen(port, resolve));
    setTunnelRelay(relay);
    await relay.start();
    running = { server, relay };
  };
  const stop = async () => {
    if (running === null) return;
    const { server, relay } = running;
    running = null;
    const closed = new Promise((resolve) => server.close(resolve));
    await relay.stop(0);
    server.closeAllConnections();
    await closed;
    setTunnelRelay(null);
  };
  beforeAll(start);
  afterAll(stop);
  return { start, stop };
}
