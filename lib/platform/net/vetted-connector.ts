import { constants } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { buildConnector } from 'undici';
import makeConnector from 'undici/lib/core/connect.js';
import type { AddressPolicy } from './address-policy';
import { type ConnectionSteps, noSteps, watchSteps } from './connection-steps';
import { CONNECT_TIMEOUT_MS, ExchangeError } from './failure-reason';
import type { ResolveHost } from './resolve-host';

/**
 * A handshake computes on the main thread, before the certificate is checked. Elliptic curves take under a millisecond. With
 * Diffie-Hellman in a finite field, a server that chooses 10,000 bits keeps the process from all other work for half a second.
 */
const CHEAP_HANDSHAKES = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

export interface ConnectorOptions {
  isAllowed: AddressPolicy;
  /** Whether this service listens at an address and port: refused, except for a connection with its own policy. */
  isOwn?: (address: string, port: number) => boolean;
  resolve: ResolveHost;
  connectTimeoutMs?: number;
  /** Additional trusted certificate authorities (PEM). */
  ca?: string | undefined;
}

/** The caller of a connection. */
interface ConnectionAsker {
  /** The tenant that its lookup counts toward. */
  tenant?: string | undefined;
  /** Aborts when the connection is no longer needed. */
  abandoned?: AbortSignal;
  /** Replaces the policy of the connector for this connection. Its peer is then not noted. */
  isAllowed?: AddressPolicy | undefined;
  /** Set to the steps of this connection. */
  steps?: ConnectionSteps;
}

type VettedConnector = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  asker?: ConnectionAsker,
) => void;

/** The arguments of the lookup for one connection. */
interface LookupAsker {
  tenant: string | undefined;
  signal: AbortSignal;
  isAllowed: AddressPolicy;
  steps: ConnectionSteps;
}

/**
 * Creates connections to vetted addresses only: the name is resolved for each connection, all of its addresses are checked,
 * and the socket connects to one of them. There is no second lookup that a hostile name server could answer differently.
 * Host and SNI keep the name. A name with both public and refused addresses is refused: no honest name has both.
 * `connectTimeoutMs` covers DNS and handshake. A lookup ends with its connection. See
 * docs/decisions/008-where-deliveries-may-connect.md.
 */
export function vettedConnector(options: ConnectorOptions): VettedConnector {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  // Node passes no context to a lookup, but starts it before `connect` returns.
  let asking: LookupAsker | undefined;
  const connect = makeConnector({
    // undici's own connect timer is only accurate to a second.
    timeout: 0,
    autoSelectFamily: true,
    lookup: vettedLookup(options, () => asking),
    secureContext: createSecureContext({
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...CHEAP_HANDSHAKES,
    }),
  } as buildConnector.BuildOptions);

  return (target, callback, { tenant, abandoned, isAllowed = options.isAllowed, steps = noSteps() } = {}) => {
    Object.assign(steps, noSteps(), { startedAt: performance.now() });
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new ExchangeError('ADDRESS_REFUSED'), null);
      return;
    }
    const closed = new AbortController();
    asking = { tenant, signal: closed.signal, isAllowed, steps };
    const socket = connect(target, (...[error, connected]) => {
      clearTimeout(timer);
      abandoned?.removeEventListener('abort', giveUp);
      if (error !== null || connected === null) return callback(error ?? new Error('no connection'), null);
      // The final check: the peer address that the kernel reports.
      if (connected.remoteAddress === undefined || !isAllowed(connected.remoteAddress)) {
        connected.destroy();
        return callback(new ExchangeError('ADDRESS_REFUSED'), null);
      }
      const isExempt = isAllowed !== options.isAllowed;
      if (!isExempt && options.isOwn?.(connected.remoteAddress, connected.remotePort ?? 0)) {
        connected.destroy();
        return callback(new ExchangeError('OWN_ADDRESS'), null);
      }
      callback(null, connected);
    }) as unknown as Socket;
    asking = undefined;
    // The peer of an exempt connection is inside the deployment.
    const isShown = isAllowed === options.isAllowed ? isAllowed : () => false;
    watchSteps(steps, socket, { isSecure: target.protocol === 'https:', isShown });
    socket.once('close', () => closed.abort());
    const giveUp = () => socket.destroy(new ExchangeError('CONNECT_TIMEOUT'));
    const timer = setTimeout(giveUp, connectTimeoutMs);
    abandoned?.addEventListener('abort', giveUp, { once: true });
  };
}

function vettedLookup(options: ConnectorOptions, asking: () => LookupAsker | undefined): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    const { tenant, signal, isAllowed = options.isAllowed, steps = noSteps() } = asking() ?? {};
    steps.lookupStartedAt = performance.now();
    options.resolve(hostname, tenant, signal).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) {
          callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
        } else if (!addresses.every(({ address }) => isAllowed(address))) {
          callback(new ExchangeError('ADDRESS_REFUSED'), '');
        } else {
          steps.lookupEndedAt = performance.now();
          if (lookupOptions.all === true) callback(null, addresses);
          else callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
