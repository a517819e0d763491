import type { LookupAddress } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterEach } from 'vitest';
import { makeAddressPolicy } from '@/lib/platform/net/address-policy';
import { postMessage } from '@/lib/platform/net/exchange';
import { HttpPools } from '@/lib/platform/net/http-pools';
import type { ResolveHost } from '@/lib/platform/net/resolve-host';
import { makeCertificate } from './certificate';

/** Allows this machine alone. */
export const LOCAL = makeAddressPolicy(['127.0.0.0/8', '::1/128']);

/** Resolves every name to these addresses. */
export const toAddress = (...addresses: string[]): ResolveHost => {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return async () => found;
};

/** Opens pools and servers, which close after each test. */
export function useExchanges() {
  const open: { destroy(): Promise<void> }[] = [];
  const closeAll = async () => {
    await Promise.all(open.splice(0).map((each) => each.destroy()));
  };
  afterEach(closeAll);

  /** By default every name is one of this machine, and nothing else is allowed. */
  function makePools(options: Partial<ConstructorParameters<typeof HttpPools>[0]> = {}) {
    const pools = new HttpPools({ isAllowed: LOCAL, resolve: toAddress('127.0.0.1'), ...options });
    open.push(pools);
    return pools;
  }

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Starts a server that handles each connection with the given function. Returns its port. */
  async function startRawServer(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    open.push({
      destroy: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(() => resolve()));
      },
    });
    return listen(server);
  }

  /** Starts a receiver with a certificate of its own. `names` are the host names that its clients ask for. */
  async function startTlsReceiver(
    hostname: string,
    validUntil: Date,
    options: TlsOptions = {},
    respond = (response: ServerResponse) => void response.end('secure'),
  ) {
    const certificate = makeCertificate(hostname, validUntil);
    const names: unknown[] = [];
    const server = createTlsServer({ ...certificate, ...options }, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername);
      respond(response);
    });
    open.push({
      destroy: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(() => resolve()));
      },
    });
    return { ca: certificate.cert, port: await listen(server), names };
  }

  return { makePools, startRawServer, startTlsReceiver, closeAll };
}

interface PostOptions {
  timeoutMs?: number;
  bodyLimitBytes?: number;
  signal?: AbortSignal;
  tenant?: string;
}

/** Posts a small message. */
export function post(pools: HttpPools, url: string, { tenant, ...limits }: PostOptions = {}) {
  const { origin, pathname, search } = new URL(url);
  const message = { origin, path: pathname + search, headers: { 'x-a': 'b' }, body: Buffer.from('{"a":1}') };
  return postMessage(pools, tenant === undefined ? message : { ...message, tenant }, {
    bodyLimitBytes: 10_240,
    ...limits,
  });
}
