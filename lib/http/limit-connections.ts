import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientSite } from '@/lib/platform/net/client-network';
import { type PlaceLimits, SharedPlaces } from '@/lib/platform/shared-places';
import type { ClientAddressOf } from './read-request';

/** Connections of this process, shared by networks: a process has a bounded number of file descriptors. */
const LIMITS: PlaceLimits = { total: 10_000, perOwner: 5_000, kept: 500, few: 20, displaces: 'newest' };
/** An address of the documentation (RFC 5737), which is nobody's. */
const PROBE = '192.0.2.0';

/** Bounds the connections of a server, except those of trusted proxies, which many clients share. The network with the most makes room. */
export function limitConnections(server: Server, clientAddress: ClientAddressOf, limits = LIMITS): void {
  const places = new SharedPlaces(limits);
  const known = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    // A connection comes back from an upgrade that was declined.
    if (known.has(socket)) return;
    known.add(socket);
    const { remoteAddress } = socket;
    const isTrustedProxy = clientAddress(remoteAddress, PROBE) === PROBE;
    if (isTrustedProxy) return;
    const leave = places.take(clientSite(clientAddress(remoteAddress, undefined)), () => socket.destroy());
    if (leave === null) socket.destroy();
    else socket.once('close', leave);
  });
}
