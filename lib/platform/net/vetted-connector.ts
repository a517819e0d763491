import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import makeConnector from 'undici/lib/core/connect.js';
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

/** Whom a connection is for. */
interface ConnectionAsker {
  /** Whom its lookup counts to. */
  tenant?: string | undefined;
  /** Aborts when nobody wants the connection any more. */
  abandoned?: AbortSignal;
}

type VettedConnector = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  asker?: ConnectionAsker,
) => void;

/** What the lookup of one connection is told. */
interface LookupAsker {
  tenant: string | undefined;
  signal: AbortSignal;
}

/**
 * Makes the connections of a pool, each to an address that was vetted for it: the name is resolved for this connection,
 * every address of the answer is judged, and the socket goes to one of those very addresses (no second look-up that a
 * hostile name server could answer otherwise), while Host and SNI keep the name. An answer that mixes public and refused
 * addresses is refused whole: no honest name does that. DNS and handshake count to `connectTimeoutMs`. A lookup
 * ends with the connection that it is for.
 */
export function vettedConnector(options: ConnectorOptions): VettedConnector {
  const { isAllowed, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  // Node passes a lookup nothing of ours, but starts it before `connect` returns.
  let asking: LookupAsker | undefined;
  const connect = makeConnector({
    // undici's own connect timer is only good to a second.
    timeout: 0,
    autoSelectFamily: true,
    lookup: vettedLookup(options, () => asking),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  } as buildConnector.BuildOptions);

  return (target, callback, { tenant, abandoned } = {}) => {
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new AddressRefusedError('address refused'), null);
      return;
    }
    const closed = new AbortController();
    asking = { tenant, signal: closed.signal };
    const socket = connect(target, (...[error, connected]) => {
      clearTimeout(timer);
      abandoned?.removeEventListener('abort', giveUp);
      if (error !== null || connected === null) return callback(error ?? new Error('no connection'), null);
      // The last word, whatever path led here: the peer that the kernel reports.
      if (connected.remoteAddress === undefined || !isAllowed(connected.remoteAddress)) {
        connected.destroy();
        return callback(new AddressRefusedError('address refused'), null);
      }
      callback(null, connected);
    }) as unknown as Socket;
    asking = undefined;
    socket.once('close', () => closed.abort());
    const giveUp = () => socket.destroy(new ConnectTimeoutError('no connection'));
    const timer = setTimeout(giveUp, connectTimeoutMs);
    abandoned?.addEventListener('abort', giveUp, { once: true });
  };
}

function vettedLookup({ isAllowed, resolve }: ConnectorOptions, asking: () => LookupAsker | undefined): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    const asker = asking();
    resolve(hostname, asker?.tenant, asker?.signal).then(
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
