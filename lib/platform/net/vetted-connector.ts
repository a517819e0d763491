import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy';
import { AddressRefusedError, CONNECT_TIMEOUT_MS, ConnectTimeoutError } from './failure-reason';
import type { ResolveHost } from './resolve-host';

export interface ConnectorOptions {
  isAllowed: AddressPolicy;
  resolve: ResolveHost;
  connectTimeoutMs?: number;
  /** Further authorities whose certificates are believed (PEM). */
  ca?: string | undefined;
}

/**
 * Makes the connections of a pool, each to an address that was vetted for it: the name is resolved for this connection,
 * every address of the answer is judged, and the socket goes to one of those very addresses (no second look-up that a
 * hostile name server could answer otherwise), while Host and SNI keep the name. An answer that mixes public and refused
 * addresses is refused whole: no honest name does that. DNS and handshake count to `connectTimeoutMs`.
 */
export function vettedConnector(options: ConnectorOptions): buildConnector.connector {
  const { isAllowed, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const connect = buildConnector({
    // undici's own connect timer is only good to a second.
    timeout: 0,
    autoSelectFamily: true,
    lookup: vettedLookup(options),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  } as buildConnector.BuildOptions);

  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new AddressRefusedError('address refused'), null);
      return;
    }
    const socket = connect(target, (...[error, connected]) => {
      clearTimeout(timer);
      if (error !== null || connected === null) return callback(error ?? new Error('no connection'), null);
      // The last word, whatever path led here: the peer that the kernel reports.
      if (connected.remoteAddress === undefined || !isAllowed(connected.remoteAddress)) {
        connected.destroy();
        return callback(new AddressRefusedError('address refused'), null);
      }
      callback(null, connected);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimeoutError('no connection')), connectTimeoutMs);
  };
}

function vettedLookup({ isAllowed, resolve }: ConnectorOptions): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) {
          callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        } else if (!addresses.every(({ address }) => isAllowed(address))) {
          callback(new AddressRefusedError('address refused'), '');
        } else if (lookupOptions.all === true) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
