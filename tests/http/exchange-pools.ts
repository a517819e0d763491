import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { type AddressPolicy, makeAddressPolicy } from '@/lib/platform/net/address-policy';
import { postMessage } from '@/lib/platform/net/exchange';
import { HttpPools } from '@/lib/platform/net/http-pools';
import type { ResolveHost } from '@/lib/platform/net/resolve-host';

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

  function makePools(isAllowed: AddressPolicy = LOCAL, resolve = toAddress('127.0.0.1'), connectTimeoutMs?: number) {
    const pools = new HttpPools({
      isAllowed,
      resolve,
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    });
    open.push(pools);
    return pools;
  }

  /** Starts a server that handles each connection with the given function. Returns its port. */
  async function startRawServer(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({
      destroy: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(() => resolve()));
      },
    });
    return (server.address() as AddressInfo).port;
  }

  return { makePools, startRawServer, closeAll };
}

/** Posts a small message. */
export function post(pools: HttpPools, url: string, limits: { timeoutMs?: number; bodyLimitBytes?: number } = {}) {
  const { origin, pathname, search } = new URL(url);
  const message = { origin, path: pathname + search, headers: { 'x-a': 'b' }, body: Buffer.from('{"a":1}') };
  return postMessage(pools, message, { bodyLimitBytes: 10_240, ...limits });
}
