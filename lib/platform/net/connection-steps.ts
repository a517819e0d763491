import type { Socket } from 'node:net';
import type { LimitedSocket } from './limited-socket';

/** When the steps of opening a connection happened, by performance.now(). A step that has not happened is null. */
export interface ConnectionSteps {
  startedAt: number | null;
  /** Null for an IP address, which needs no lookup. */
  lookupStartedAt: number | null;
  lookupEndedAt: number | null;
  connectedAt: number | null;
  /** When TLS was established; null without TLS. */
  securedAt: number | null;
  /** The peer, as `address:port`; null until it is vetted, and where a tenant must not see it. */
  remoteAddress: string | null;
  /** Below TLS, if there is TLS. */
  socket: Socket | null;
  /** Null without TLS. */
  limited: LimitedSocket | null;
  /** What the socket had read when the current request began. */
  readBefore: number;
}

/** The time of one exchange, in microseconds. A step that did not happen is null; the last one may have failed. */
export interface ExchangeTiming {
  /** Null if an open connection was used, and for an IP address. */
  dnsUs: number | null;
  /** Null if an open connection was used. */
  connectUs: number | null;
  /** Null if an open connection was used, and without TLS. */
  tlsUs: number | null;
  /** From the start of the exchange until the response headers were complete. */
  firstByteUs: number | null;
}

/** Returns steps of which none has happened. */
export function noSteps(): ConnectionSteps {
  return {
    startedAt: null,
    lookupStartedAt: null,
    lookupEndedAt: null,
    connectedAt: null,
    securedAt: null,
    remoteAddress: null,
    socket: null,
    limited: null,
    readBefore: 0,
  };
}

/**
 * Notes when a socket is connected, and its peer.
 * @param isShown whether the address of the peer may be noted
 */
export function watchSteps(steps: ConnectionSteps, socket: Socket, isShown: (address: string) => boolean): void {
  steps.socket = socket;
  socket.once('connect', () => {
    steps.connectedAt = performance.now();
    const { remoteAddress, remoteFamily, remotePort } = socket;
    if (remoteAddress === undefined || !isShown(remoteAddress)) return;
    steps.remoteAddress = `${remoteFamily === 'IPv6' ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
  });
}

/** Notes when TLS is established over a connection, and lets it read a response. */
export function watchHandshake(
  steps: ConnectionSteps,
  secured: Socket,
  limited: LimitedSocket,
  tenant: string | undefined,
): void {
  secured.once('secureConnect', () => {
    steps.securedAt = performance.now();
    steps.limited = limited;
    allowResponse(steps, tenant);
  });
}

/**
 * What one response may take from its connection: headers and the part of a body that is read are far less. Trailers and extensions of
 * chunks count for neither, and a hostile receiver sends them without end.
 */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Lets a connection read one more response, for this tenant. */
export function allowResponse(steps: ConnectionSteps, tenant = ''): void {
  steps.readBefore = steps.socket?.bytesRead ?? 0;
  steps.limited?.allow(MAX_RESPONSE_BYTES, tenant);
}

/** Whether a response has taken more than any may. */
export function isExcessive({ socket, readBefore }: ConnectionSteps): boolean {
  return (socket?.bytesRead ?? 0) - readBefore > MAX_RESPONSE_BYTES;
}

interface ExchangeTimes {
  startedAt: number;
  /** When the response headers were complete; null if they were not. */
  firstByteAt: number | null;
  endedAt: number;
  isSecure: boolean;
}

/** Computes the time of an exchange. A step under way at its end counts until then. */
export function timeExchange(steps: ConnectionSteps | undefined, times: ExchangeTimes): ExchangeTiming {
  const { startedAt, firstByteAt, endedAt, isSecure } = times;
  const firstByteUs = firstByteAt === null ? null : toMicroseconds(firstByteAt - startedAt);
  // Steps before the exchange were those of an earlier one, which has opened the connection.
  if (steps === undefined || steps.startedAt === null || steps.startedAt < startedAt) {
    return { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs };
  }
  const { lookupStartedAt, lookupEndedAt, connectedAt, securedAt } = steps;
  const connectStartedAt = lookupStartedAt === null ? steps.startedAt : lookupEndedAt;
  const span = (from: number | null, to: number | null) =>
    from === null ? null : toMicroseconds((to ?? endedAt) - from);
  return {
    dnsUs: span(lookupStartedAt, lookupEndedAt),
    connectUs: span(connectStartedAt, connectedAt),
    tlsUs: isSecure ? span(connectedAt, securedAt) : null,
    firstByteUs,
  };
}

function toMicroseconds(ms: number): number {
  return Math.max(0, Math.round(ms * 1000));
}
