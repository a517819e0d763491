import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api, subtrees } from '@/lib/api/table';
import { clientAddressResolver } from '@/lib/http/client-address';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { createRelay, setTunnelRelay, tunnelRelay } from '@/lib/tunnel/relay/current-relay';
import type { TunnelRelay, TunnelRelayOptions } from '@/lib/tunnel/relay/tunnel-relay';
import { servedByNode } from '@/tests/http/served-by-node';

/** A web server with a relay, without Next. */
export interface TunnelServer {
  server: Server;
  relay: TunnelRelay;
  origin: string;
  stop(): Promise<void>;
}

/** Starts one, which serves every route of the API itself; the relay becomes that of the process. */
export async function startTunnelServer(overrides: Partial<TunnelRelayOptions> = {}, port = 0): Promise<TunnelServer> {
  const relay = createRelay(() => (server.address() as AddressInfo).port, overrides);
  const server = createWebServer({
    match: toMatcher(servedByNode(api), subtrees),
    next: async (_message, response) => void response.end('a page'),
    clientAddress: clientAddressResolver([]),
    ownPrefixes: ['/api', '/downloads', '/metrics', '/t'],
    tunnels: relay,
  });
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve));
  const previous = tunnelRelay();
  setTunnelRelay(relay);
  await relay.start();
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await relay.stop(0);
    server.closeAllConnections();
    await closed;
    setTunnelRelay(previous);
  };
  return { server, relay, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
