import { constants } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { buildConnector } from 'undici';
import makeConnector from 'undici/lib/core/connect.js';
import type { AddressPolicy } from './address-policy';
import { type ConnectionSteps, noSteps, watchHandshake, watchSteps } from './connection-steps';
import { ConnectionTurns } from './connection-turns';
import { CONNECT_TIMEOUT_MS, ExchangeError, TURN_TIMEOUT_MS } from './failure-reason';
import { LimitedSocket } from './limited-socket';
import type { ResolveHost } from './resolve-host';
import { ResponseReads } from './response-reads';

/**
 * A handshake computes on the main thread, before the certificate is checked. Elliptic curves take under a millisecond. With
 * Diffie-Hellman in a finite field, a server that chooses 10,000 bits keeps the process from all other work for half a second.
 */
const CHEAP_HANDSHAKES = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** How many addresses of a name are tried, of each family. */
const TRIED_OF_FAMILY = 4;

export interface ConnectorOptions {
  isAllowed: AddressPolicy;
  /** Whether this service listens at an address and port: refused, except for a connection with its own policy. */
  isOwn?: (address: string, port: number) => boolean;
  resolve: ResolveHost;
  /** The turns that its connections take; by default of its own. */
  turns?: ConnectionTurns;
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
  /** Replaces the policy of the connector for this connection. */
  isAllowed?: AddressPolicy | undefined;
  /** Whether it may reach this service itself. Its peer is then not noted. */
  isExempt?: boolean | undefined;
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
 * `connectTimeoutMs` covers DNS and handshake, but not the time spent waiting for turns, of which the first must come within
 * TURN_TIMEOUT_MS. A lookup ends with its connection. See docs/decisions/008-where-deliveries-may-connect.md.
 */
export function vettedConnector(options: ConnectorOptions): VettedConnector {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, turns: allTurns = new ConnectionTurns() } = options;
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

  return (
    target,
    callback,
    { tenant = '', abandoned, isAllowed = options.isAllowed, isExempt = false, steps = noSteps() } = {},
  ) => {
    Object.assign(steps, noSteps(), { startedAt: performance.now() });
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new ExchangeError('ADDRESS_REFUSED'), null);
      return;
    }
    const turns = allTurns.ofConnection({ tenant, origin: `${target.hostname}:${target.port}` });
    steps.turns = turns;
    const closed = new AbortController();
    const isSecure = target.protocol === 'https:';
    let isFinished = false;
    let socket: Socket | undefined;
    const finish: buildConnector.Callback = (...[error, connected]) => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      abandoned?.removeEventListener('abort', endAbandoned);
      if (error !== null || connected === null) return callback(error ?? new Error('no connection'), null);
      steps.reads = new ResponseReads(connected, turns);
      callback(null, connected);
    };
    const endEarly = () =>
      finish(Object.assign(new Error('closed before the handshake'), { code: 'ECONNRESET' }), null);
    const secure = (connected: Socket) => {
      connected.off('close', endEarly);
      const limited = new LimitedSocket(connected, turns);
      const httpSocket = limited as unknown as Socket;
      const secured = connect({ ...target, httpSocket }, finish) as unknown as Socket;
      // A late write makes TLS report an error after the end, when undici has no parser any more: the exception would end the process.
      secured.once('close', () => secured.removeAllListeners('error').on('error', () => undefined));
      socket = secured;
      watchHandshake(steps, secured, limited);
    };
    const open = () => {
      steps.startedAt = performance.now();
      asking = { tenant, signal: closed.signal, isAllowed, steps };
      const plain = { ...target, protocol: 'http:', port: target.port || (isSecure ? '443' : '80') };
      const opened = connect(plain, (...[error, connected]) => {
        if (error !== null || connected === null) return finish(error ?? new Error('no connection'), null);
        // The final check: the peer address that the kernel reports.
        const { remoteAddress, remotePort = 0 } = connected;
        const isRefused = remoteAddress === undefined || !isAllowed(remoteAddress);
        if (isRefused || (!isExempt && options.isOwn?.(remoteAddress, remotePort))) {
          connected.destroy();
          return finish(new ExchangeError(isRefused ? 'ADDRESS_REFUSED' : 'OWN_ADDRESS'), null);
        }
        if (!isSecure) return finish(null, connected);
        connected.once('close', endEarly);
        const resume = () => turns.secure(() => secure(connected));
        turns.enter({ resume, isGone: () => connected.destroyed });
      }) as unknown as Socket;
      asking = undefined;
      socket = opened;
      // The peer of an exempt connection is inside the deployment.
      watchSteps(steps, opened, isExempt ? () => false : isAllowed);
      opened.once('close', () => closed.abort());
    };
    const giveUp = (code: 'NO_TURN' | 'CONNECT_TIMEOUT') => {
      finish(new ExchangeError(code), null);
      socket?.destroy();
    };
    const endAbandoned = () => giveUp('CONNECT_TIMEOUT');
    const startedAt = performance.now();
    // Time spent waiting for a turn is not the receiver's fault.
    const check = () => {
      const hadTurn = socket !== undefined;
      const { waitedMs } = turns;
      const leftMs = hadTurn ? startedAt + connectTimeoutMs + waitedMs - performance.now() : TURN_TIMEOUT_MS - waitedMs;
      if (leftMs <= 0) giveUp(hadTurn ? 'CONNECT_TIMEOUT' : 'NO_TURN');
      else timer = setTimeout(check, Math.max(1, leftMs));
    };
    let timer = setTimeout(check, connectTimeoutMs);
    abandoned?.addEventListener('abort', endAbandoned, { once: true });
    turns.enter({ resume: () => turns.open(open), isGone: () => isFinished });
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
          if (lookupOptions.all === true) callback(null, firstOfEachFamily(addresses));
          else callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

const firstOfEachFamily = (addresses: readonly LookupAddress[]) =>
  [4, 6].flatMap((wanted) => addresses.filter(({ family }) => family === wanted).slice(0, TRIED_OF_FAMILY));
