import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ownerOfProject } from '@/lib/orgs/tenant';
import type { AppError } from '@/lib/platform/errors';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { enterFlight } from '@/lib/tunnel/relay/admission';
import { bytePace } from '@/lib/tunnel/relay/byte-pace';
import { bodyTooLarge, displaced, failed, hungUp, timedOut } from '@/lib/tunnel/relay/errors';
import { Flow } from '@/lib/tunnel/relay/flow';
import { IDLE_RESPONSE_MS, MAX_REQUEST_BYTES, RESPONSE_HEAD_MS } from '@/lib/tunnel/relay/limits';
import type { PublicSide } from '@/lib/tunnel/relay/relay-types';
import { toPublicHeaders } from './response-headers';
import { isFromBrowser, type PublicRequest, type RoutedRequest, redirectOf, routeRequest } from './route-request';

const DEFAULT_TIMES = { responseHeadMs: RESPONSE_HEAD_MS, idleMs: IDLE_RESPONSE_MS };

/**
 * Serves a request to `/t/{token}/…`: relays it to the client of the tunnel, and streams the response back. An error after
 * the head of the response destroys the connection.
 * @throws AppError not_found, forbidden, unauthenticated, payload_too_large, and those of `Exchange`
 */
export async function servePublic(side: PublicSide, request: PublicRequest, response: ServerResponse): Promise<void> {
  const routed = await routeRequest(side, request);
  const { tunnel, log, target } = routed;
  const location = redirectOf(request.message, target);
  if (location !== null) {
    response.writeHead(308, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': '0' }).end();
    return;
  }
  const ending = new AbortController();
  let leave: (() => void) | null = null;
  // The check below sees changes of the tunnel until now. Signals of later ones cause another.
  const check = () => void routed.refuseVisitor().catch((error: unknown) => ending.abort(error));
  const end = side.visits.add(tunnel.id, check);
  try {
    await routed.refuseVisitor();
    log.entered();
    leave = await enterFlight(side.inFlight, tunnel.projectId, () => ending.abort(displaced()));
    await relay(side, routed, { message: request.message, response, ending });
    log.finish(null);
  } catch (error) {
    log.finish(error);
    throw error;
  } finally {
    leave?.();
    end();
  }
}

/** Both ends of the connection to the public. */
interface Ends {
  message: IncomingMessage;
  response: ServerResponse;
  /** Ends the request; its reason is the error. */
  ending: AbortController;
}

async function relay(side: PublicSide, routed: RoutedRequest, { message, response, ending }: Ends): Promise<void> {
  const { tunnel, target, head, log } = routed;
  const { responseHeadMs, idleMs } = side.times ?? DEFAULT_TIMES;
  const owner = await ownerOfProject(tunnel.projectId);
  const stop = () => ending.abort(side.stopping.reason);
  side.stopping.addEventListener('abort', stop);
  response.once('close', () => ending.abort(hungUp()));
  // It may have closed while the tunnel was looked up.
  if (response.destroyed) ending.abort(hungUp());
  const deadline = setTimeout(() => ending.abort(timedOut(responseHeadMs / 1000)), responseHeadMs);
  const sent = bytePace().enter(owner);
  const received = bytePace().enter(owner);
  const onChunk = (chunk: Buffer) => {
    // The local server's time starts at the last byte of the request.
    deadline.refresh();
    log.request.add(chunk);
    if (log.request.size > MAX_REQUEST_BYTES) ending.abort(bodyTooLarge(MAX_REQUEST_BYTES));
    return sent.countChunk(chunk.length);
  };
  try {
    const body = head.hasBody ? message : null;
    const heldBytes = () => log.request.memoryBytes + log.response.memoryBytes + message.readableLength;
    const relayed = await side.exchange({ tunnel, head, body, onChunk, heldBytes, signal: ending.signal });
    clearTimeout(deadline);
    log.responded(relayed.head);
    const { status, headers } = relayed.head;
    if (!message.complete) response.shouldKeepAlive = false;
    const { isOwnOrigin, mayRender } = side;
    const mayAsk = !(target.isBare && isFromBrowser(message));
    const isProtected = tunnel.basicAuth !== null || tunnel.allowedCidrs.length > 0;
    const rules = { status, prefix: target.prefix, isOwnOrigin, mayRender, mayAsk, isProtected };
    response.writeHead(status, toPublicHeaders(headers, rules).flat());
    flushHead(response, headers);
    const isBodyless = head.method === 'HEAD' || status === 204 || status === 304;
    await copyResponse(relayed.body, response, {
      declaredBytes: declaredBytesOf(headers),
      isBodyless,
      idleMs,
      onChunk: (chunk) => {
        log.response.add(chunk);
        return relayed.isFromPeer ? received.countChunk(chunk.length) : 0;
      },
    });
  } catch (error) {
    // The reason is more specific than the errors that it causes.
    throw ending.signal.aborted && !response.writableFinished ? ending.signal.reason : error;
  } finally {
    clearTimeout(deadline);
    side.stopping.removeEventListener('abort', stop);
  }
}

/** Sends the head before the body starts, so that an event stream opens before its first event. */
function flushHead(response: ServerResponse, headers: HeaderPairs): void {
  // With other characters, Node would send this head in UTF-8; together with the body, it sends a byte for each.
  if (headers.every(([, value]) => /^[\t\x20-\x7e]*$/.test(value))) response.flushHeaders();
}

function declaredBytesOf(headers: HeaderPairs): number | null {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return length === undefined ? null : Number(length);
}

interface CopyRules {
  /** Bytes that Content-Length declares; null without it. */
  declaredBytes: number | null;
  /** The response has no body, even if bytes follow: to HEAD, and with status 204 or 304. */
  isBodyless: boolean;
  idleMs: number;
  /** Returns for how many milliseconds the body is not read. */
  onChunk(chunk: Buffer): number;
}

/**
 * Copies the body of a response whose head has been written, as fast as the reader reads. Resolves when all of it is sent.
 * Any failure destroys both sides, so that a partial body never looks complete.
 * @throws AppError tunnel_failed, tunnel_timeout; invalid_request when the reader disconnects
 */
function copyResponse(body: Readable, response: ServerResponse, rules: CopyRules): Promise<void> {
  const { declaredBytes, isBodyless, idleMs, onChunk } = rules;
  return new Promise((resolve, reject) => {
    let sent = 0;
    const flow = new Flow(body, response);
    const fail = (error: AppError) => {
      clearTimeout(idle);
      reject(error);
      body.destroy();
      response.destroy();
    };
    const idle = setTimeout(() => fail(timedOut(idleMs / 1000)), idleMs);
    body.on('data', (chunk: Buffer) => {
      // Bytes that follow a response without a body are not part of it.
      if (isBodyless) return body.destroy();
      idle.refresh();
      sent += chunk.length;
      if (declaredBytes !== null && sent > declaredBytes)
        return fail(failed('The response is longer than it declares.'));
      const restMs = onChunk(chunk);
      response.write(chunk);
      flow.afterChunk(restMs);
    });
    response.on('drain', () => {
      idle.refresh();
      flow.resume();
    });
    body.on('end', () => {
      const isShort = !isBodyless && declaredBytes !== null && sent < declaredBytes;
      if (isShort) fail(failed('The response is shorter than it declares.'));
      else response.end();
    });
    body.on('close', () => {
      if (!isBodyless && !body.readableEnded) fail(failed('The client of the tunnel broke off the response.'));
    });
    response.on('close', () => {
      clearTimeout(idle);
      body.destroy();
      if (response.writableFinished) resolve();
      else reject(hungUp());
    });
    if (response.destroyed) return fail(hungUp());
    if (body.destroyed && !isBodyless) return fail(failed('The client of the tunnel broke off the response.'));
    if (isBodyless) response.end();
  });
}
