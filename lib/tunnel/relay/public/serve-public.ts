import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import type { HeaderPairs, RequestHead } from '@/lib/tunnel/protocol/heads';
import { bodyTooLarge, displaced, hungUp, timedOut } from '@/lib/tunnel/relay/errors';
import { ExchangeLog } from '@/lib/tunnel/relay/exchange-log';
import type { InFlight } from '@/lib/tunnel/relay/in-flight';
import { IDLE_RESPONSE_MS, MAX_REQUEST_BYTES, RESPONSE_HEAD_MS } from '@/lib/tunnel/relay/limits';
import type { Exchange, RelaySettings, TunnelRecords } from '@/lib/tunnel/relay/relay-types';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { copyResponse } from './copy-response';
import { type PublicTarget, parseTarget } from './parse-target';
import { refuseVisitor } from './refuse-visitor';
import { toLocalHeaders } from './request-headers';
import { toPublicHeaders } from './response-headers';

/** What serves public requests. */
export interface PublicSide {
  records: TunnelRecords;
  settings: RelaySettings;
  /** Whether tunnels have an origin that shares nothing with the dashboard. */
  isOwnOrigin: boolean;
  inFlight: InFlight;
  /** Aborts when the process stops, with the error of what is still in flight. */
  stopping: AbortSignal;
  findTunnel(token: string): Promise<PublicTunnel | null>;
  exchange: Exchange;
  /** For tests. */
  times?: { responseHeadMs: number; idleMs: number };
}

/** A public request with its response. */
export interface Visit {
  message: IncomingMessage;
  response: ServerResponse;
  clientAddress: string;
}

const DEFAULT_TIMES = { responseHeadMs: RESPONSE_HEAD_MS, idleMs: IDLE_RESPONSE_MS };

/**
 * Serves a request to `/t/{token}/…`: relays it to the client of the tunnel, and streams the response back. An error after
 * the head of the response was sent has destroyed the connection.
 * @throws AppError not_found, forbidden, unauthenticated, payload_too_large, and those of `Exchange`
 */
export async function servePublic(side: PublicSide, visit: Visit): Promise<void> {
  const { message, clientAddress } = visit;
  const target = parseTarget(message.url ?? '');
  const tunnel = target === null ? null : await side.findTunnel(target.token);
  if (target === null || tunnel === null) throw new AppError('not_found', 'There is no tunnel at this URL.');
  const { mayEnter } = side.records;
  refuseVisitor(tunnel, message.headers, { clientAddress, mayEnter, isOwnOrigin: side.isOwnOrigin });
  const head = headOf(side, visit, tunnel, target.path);
  const log = new ExchangeLog({ tunnel, head, replayOf: null, records: side.records, settings: side.settings });
  const ending = new AbortController();
  let leave: (() => void) | null = null;
  try {
    leave = side.inFlight.enter(tunnel.projectId, () => ending.abort(displaced()));
    await relay(side, visit, { tunnel, target, head, log, ending });
    log.finish(null);
  } catch (error) {
    log.finish(error);
    throw error;
  } finally {
    leave?.();
  }
}

interface Passage {
  tunnel: PublicTunnel;
  target: PublicTarget;
  head: RequestHead;
  log: ExchangeLog;
  /** Ends the request; its reason is the error. */
  ending: AbortController;
}

async function relay(side: PublicSide, { message, response }: Visit, passage: Passage): Promise<void> {
  const { tunnel, target, head, log, ending } = passage;
  const { responseHeadMs, idleMs } = side.times ?? DEFAULT_TIMES;
  const stop = () => ending.abort(side.stopping.reason);
  side.stopping.addEventListener('abort', stop);
  response.once('close', () => ending.abort(hungUp()));
  const deadline = setTimeout(() => ending.abort(timedOut(responseHeadMs / 1000)), responseHeadMs);
  const onChunk = (chunk: Buffer) => {
    // The time of the local server begins with the last byte of the request.
    deadline.refresh();
    log.request.add(chunk);
    if (log.request.size > MAX_REQUEST_BYTES) ending.abort(bodyTooLarge(MAX_REQUEST_BYTES));
  };
  try {
    const body = head.hasBody ? message : null;
    const relayed = await side.exchange({ tunnel, head, body, onChunk, signal: ending.signal });
    clearTimeout(deadline);
    log.responded(relayed.head);
    const { status, headers } = relayed.head;
    if (!message.complete) response.shouldKeepAlive = false;
    response.writeHead(
      status,
      toPublicHeaders(headers, { prefix: target.prefix, isOwnOrigin: side.isOwnOrigin }).flat(),
    );
    flushHead(response, headers);
    const isBodyless = head.method === 'HEAD' || status === 204 || status === 304;
    await copyResponse(relayed.body, response, {
      ...{ declaredBytes: declaredBytesOf(headers), isBodyless, idleMs },
      onChunk: (chunk) => log.response.add(chunk),
    });
  } catch (error) {
    // The reason says more than what broke off because of it.
    throw ending.signal.aborted && !response.writableFinished ? ending.signal.reason : error;
  } finally {
    clearTimeout(deadline);
    side.stopping.removeEventListener('abort', stop);
  }
}

/** Sends the head before the body begins, so that a stream without events opens. */
function flushHead(response: ServerResponse, headers: HeaderPairs): void {
  // Node would send other characters in UTF-8 here; with the body it sends each as one byte.
  if (headers.every(([, value]) => /^[\t\x20-\x7e]*$/.test(value))) response.flushHeaders();
}

function headOf(side: PublicSide, visit: Visit, tunnel: PublicTunnel, path: string): RequestHead {
  const { message, clientAddress } = visit;
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  const headers = toLocalHeaders(pairsOf(message.rawHeaders), {
    clientAddress,
    protocol: new URL(side.settings.tunnelBaseUrl ?? side.settings.baseUrl).protocol.slice(0, -1),
    isOwnOrigin: side.isOwnOrigin,
    hasBasicAuth: tunnel.basicAuth !== null,
  });
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  return { method: message.method ?? 'GET', path, headers, hasBody };
}

function pairsOf(rawHeaders: readonly string[]): HeaderPairs {
  const pairs: HeaderPairs = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([rawHeaders[at] as string, rawHeaders[at + 1] as string]);
  }
  return pairs;
}

function declaredBytesOf(headers: HeaderPairs): number | null {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return length === undefined ? null : Number(length);
}
