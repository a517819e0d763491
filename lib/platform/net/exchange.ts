import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { SECOND_MS } from '@/lib/platform/clock';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { type ExchangeTiming, timeExchange, waitedMsOf } from './connection-steps';
import { ExchangeError, RESPONSE_TIMEOUT_MS } from './failure-reason';
import type { HttpPools, PooledConnection } from './http-pools';

interface HttpRequest {
  /** Scheme, host and port, as URL.origin gives them. */
  origin: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  /** The tenant that its lookup counts toward, such as a project id. Messages without one share a tenant. */
  tenant?: string;
  /** Whether it may reach public addresses only, if the pools have a policy for that. */
  isPublicOnly?: boolean;
}

interface HttpMessage extends HttpRequest {
  body: Buffer;
}

/** The result of a request. `error` is set if the response is incomplete; `status` may be known even then. */
export interface Exchange {
  status: number | null;
  /** The Retry-After of the response, as sent. */
  retryAfter: string | null;
  /** By lower-case name, each character a byte (latin1); null before they are complete. At most 16 KiB. */
  headers: ResponseHeaders | null;
  /** At most `bodyLimitBytes` of the response body; null if it is encoded, since no encoding was requested. */
  body: Buffer | null;
  error: Error | null;
  /** Without what it has waited for turns. */
  durationMs: number;
  timing: ExchangeTiming;
  /** The peer as `address:port`; null if there was no connection, or if only its own deployment may know it. */
  remoteAddress: string | null;
}

/** The headers of a response. A repeated header has a list. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface ExchangeLimits {
  /** From the call to the last byte of the response, including DNS and connecting, but not the time spent waiting for turns. */
  timeoutMs?: number;
  /** Reading stops here, and the response counts as complete. */
  bodyLimitBytes: number;
  /** Aborts the exchange. */
  signal?: AbortSignal;
}

/**
 * POSTs over a vetted connection and reads a bounded response. Follows no redirects. Never rejects.
 * Uses undici's `dispatch` and not `request`, which would create a stream for a body of a few bytes.
 */
export function postMessage(pools: HttpPools, message: HttpMessage, limits: ExchangeLimits): Promise<Exchange> {
  return new Promise((settle) => new ExchangeHandler(pools, message, limits, settle).start());
}

/** GETs by the rules of `postMessage`. */
export function getResource(pools: HttpPools, request: HttpRequest, limits: ExchangeLimits): Promise<Exchange> {
  return new Promise((settle) => new ExchangeHandler(pools, request, limits, settle).start());
}

/** A large body is sent in pieces: to encrypt all of it at once would keep the thread busy, and take its size once more. */
const PIECE_BYTES = 64 * 1024;

function sent(headers: Record<string, string>, body: Buffer | undefined) {
  if (body === undefined) return { method: 'GET' as const, headers };
  const method = 'POST' as const;
  if (body.length <= LARGE_BODY_BYTES) return { method, headers, body };
  return {
    method,
    headers: { ...headers, 'content-length': String(body.length) },
    body: Readable.from(piecesOf(body)),
  };
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

class BodyLimitReached extends Error {}

/** Responses such as 103 before the final one. Each takes the thread's time, and a hostile receiver sends them without end. */
const MAX_INFORMATIONAL = 16;
/** As of bodies that arrive here (docs/decisions/055-bodies-in-pieces.md): each piece takes the thread's time, however small. */
const FREE_PIECES = 256;
const BYTES_PER_PIECE = 64;
/** An idle connection that the receiver has closed turns out to be closed within this time. */
const STALE_MS = SECOND_MS;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly timeoutMs: number;
  private timer: NodeJS.Timeout;
  private connection: PooledConnection | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private headers: ResponseHeaders | null = null;
  private firstByteAt: number | null = null;
  private readonly chunks: Buffer[] = [];
  private receivedBytes = 0;
  private informational = 0;
  private pieces = 0;
  private isSettled = false;
  private isSecondTry = false;

  constructor(
    private readonly pools: HttpPools,
    private readonly message: HttpRequest & { body?: Buffer },
    private readonly limits: ExchangeLimits,
    private readonly settle: (exchange: Exchange) => void,
  ) {
    this.timeoutMs = limits.timeoutMs ?? RESPONSE_TIMEOUT_MS;
    this.timer = setTimeout(this.checkTime, this.timeoutMs);
    limits.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  start(): void {
    if (this.limits.signal?.aborted) {
      this.onAbort();
      return;
    }
    const { origin, path, headers, body, tenant, isPublicOnly } = this.message;
    try {
      const target = { origin, path };
      this.connection = this.pools.acquire(target, { tenant, isPublicOnly });
      const all = this.pools.headersOf(headers, target, { tenant, isPublicOnly });
      this.connection.client.dispatch({ path, ...sent(all, body) }, this);
    } catch (error) {
      this.finish(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) {
      this.informational += 1;
      if (this.informational > MAX_INFORMATIONAL) controller.abort(new ExchangeError('INVALID_RESPONSE'));
      return;
    }
    this.connection?.steps.reads?.endHead();
    this.status = status;
    this.retryAfter = typeof headers['retry-after'] === 'string' ? headers['retry-after'] : null;
    this.headers = headers;
    this.firstByteAt = performance.now();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.limits.bodyLimitBytes - this.receivedBytes;
    this.receivedBytes += chunk.length;
    this.pieces += 1;
    if (this.pieces > FREE_PIECES + this.receivedBytes / BYTES_PER_PIECE) {
      controller.abort(new ExchangeError('INVALID_RESPONSE'));
      return;
    }
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) controller.abort(new BodyLimitReached());
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.isStaleConnection(error)) {
      this.isSecondTry = true;
      this.release(false);
      this.start();
    } else {
      this.finish(error instanceof BodyLimitReached ? null : error);
    }
  }

  /**
   * Whether the receiver closed an idle connection just when it was reused. Browsers and proxies retry in this case too. As a
   * failed attempt it would delay the event of a healthy receiver until the first retry. A receiver that has begun to answer, or closes
   * later, may have worked on the request.
   */
  private isStaleConnection(error: Error): boolean {
    if (this.isSecondTry || this.isSettled || this.status !== null) return false;
    if ((error as { code?: string }).code !== 'UND_ERR_SOCKET') return false;
    const { startedAt, reads = null } = this.connection?.steps ?? {};
    const isKept = (startedAt ?? this.startedAt) < this.startedAt;
    return isKept && reads?.hasBegun === false && performance.now() - this.startedAt < STALE_MS;
  }

  private readonly checkTime = () => {
    const waitedMs = waitedMsOf(this.connection?.steps, this.startedAt);
    const leftMs = this.startedAt + this.timeoutMs + waitedMs - performance.now();
    // Node's timers may fire a little early.
    if (leftMs <= 1) this.cutOff(new ExchangeError('RESPONSE_TIMEOUT'));
    else this.timer = setTimeout(this.checkTime, leftMs);
  };

  private readonly onAbort = () => this.cutOff(new ExchangeError('EXCHANGE_ABORTED'));

  private cutOff(error: Error): void {
    this.controller?.abort(error);
    // During connecting there is nothing to abort: returning the connection destroys it.
    this.finish(error);
  }

  private release(isReusable: boolean): void {
    if (this.connection !== null) this.pools.release(this.connection, isReusable);
    this.connection = null;
  }

  private finish(error: Error | null): void {
    if (this.isSettled) return;
    this.isSettled = true;
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener('abort', this.onAbort);
    const steps = this.connection?.steps;
    const waitedMs = waitedMsOf(steps, this.startedAt);
    this.release(error === null && this.receivedBytes <= this.limits.bodyLimitBytes);
    const { startedAt, firstByteAt, status, retryAfter, headers } = this;
    const endedAt = performance.now();
    const isSecure = this.message.origin.startsWith('https:');
    const isEncoded = (headers?.['content-encoding'] ?? 'identity') !== 'identity';
    this.settle({
      status,
      retryAfter,
      headers,
      error,
      body: isEncoded ? null : Buffer.concat(this.chunks),
      durationMs: Math.round(endedAt - startedAt - waitedMs),
      timing: timeExchange(steps, { startedAt, firstByteAt, endedAt, waitedMs, isSecure }),
      remoteAddress: steps?.remoteAddress ?? null,
    });
  }
}
