import type { Socket } from 'node:net';
import type { TurnsOfConnection } from './connection-turns';
import { TURN_TIMEOUT_MS } from './failure-reason';
import type { LimitedSocket } from './limited-socket';
import { MAX_RESPONSE_BYTES, type ResponseReads } from './response-reads';

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
  /** Null until it is opened. */
  turns: Pick<TurnsOfConnection, 'waitedMs'> | null;
  /** Below TLS; null without TLS. */
  limited: LimitedSocket | null;
  /** How responses are read; null until it is open. */
  reads: ResponseReads | null;
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
    turns: null,
    limited: null,
    reads: null,
  };
}

/**
 * Notes when a socket is connected, and its peer.
 * @param isShown whether the address of the peer may be noted
 */
export function watchSteps(steps: ConnectionSteps, socket: Socket, isShown: (address: string) => boolean): void {
  socket.once('connect', () => {
    steps.connectedAt = performance.now();
    const { remoteAddress, remoteFamily, remotePort } = socket;
    if (remoteAddress === undefined || !isShown(remoteAddress)) return;
    steps.remoteAddress = `${remoteFamily === 'IPv6' ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
  });
}

/** Notes when TLS is established over a connection, and lets it read a response. */
export function watchHandshake(steps: ConnectionSteps, secured: Socket, limited: LimitedSocket): void {
  secured.once('secureConnect', () => {
    steps.securedAt = performance.now();
    steps.limited = limited;
    allowResponse(steps);
  });
}

/** Lets a connection read one more response. */
export function allowResponse(steps: ConnectionSteps): void {
  steps.limited?.allow(MAX_RESPONSE_BYTES);
  steps.reads?.allow();
}

/**
 * Returns what an exchange has waited for turns of the connection that it opened, TURN_TIMEOUT_MS at most. It is no fault of the receiver.
 * @param startedAt when the exchange began
 */
export function waitedMsOf(steps: ConnectionSteps | undefined, startedAt: number): number {
  const wasOpen = (steps?.startedAt ?? 0) < startedAt;
  return wasOpen ? 0 : Math.min(TURN_TIMEOUT_MS, steps?.turns?.waitedMs ?? 0);
}

interface ExchangeTimes {
  startedAt: number;
  /** When the response headers were complete; null if they were not. */
  firstByteAt: number | null;
  endedAt: number;
  waitedMs: number;
  isSecure: boolean;
}

/** Computes the time of an exchange. A step under way at its end counts until then. */
export function timeExchange(steps: ConnectionSteps | undefined, times: ExchangeTimes): ExchangeTiming {
  const { startedAt, firstByteAt, endedAt, waitedMs, isSecure } = times;
  const firstByteUs = firstByteAt === null ? null : toMicroseconds(firstByteAt - startedAt - waitedMs);
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
