import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownerOfProject } from '@/lib/orgs/find-tenant';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { bytePace } from '@/lib/tunnel/relay/byte-pace';
import { bodyTooLarge, displaced, hungUp, timedOut } from '@/lib/tunnel/relay/errors';
import { enterFlight } from '@/lib/tunnel/relay/in-flight';
import { IDLE_RESPONSE_MS, MAX_REQUEST_BYTES, RESPONSE_HEAD_MS } from '@/lib/tunnel/relay/limits';
import { copyResponse } from './copy-response';
import { findPassage, type Passage, type Visit } from './passage';
import type { PublicSide } from './public-side';
import { toPublicHeaders } from './response-headers';

const DEFAULT_TIMES = { responseHeadMs: RESPONSE_HEAD_MS, idleMs: IDLE_RESPONSE_MS };

/**
 * Serves a request to `/t/{token}/…`: relays it to the client of the tunnel, and streams the response back. An error after
 * the head of the response destroys the connection.
 * @throws AppError not_found, forbidden, unauthenticated, payload_too_large, and those of `Exchange`
 */
export async function servePublic(side: PublicSide, visit: Visit, response: ServerResponse): Promise<void> {
  const passage = await findPassage(side, visit);
  const { tunnel, log } = passage;
  const ending = new AbortController();
  let leave: (() => void) | null = null;
  try {
    passage.refuseVisitor();
    leave = await enterFlight(side.inFlight, tunnel.projectId, () => ending.abort(displaced()));
    await relay(side, passage, { message: visit.message, response, ending });
    log.finish(null);
  } catch (error) {
    log.finish(error);
    throw error;
  } finally {
    leave?.();
  }
}

/** Both ends of the connection to the public. */
interface Ends {
  message: IncomingMessage;
  response: ServerResponse;
  /** Ends the request; its reason is the error. */
  ending: AbortController;
}

async function relay(side: PublicSide, passage: Passage, { message, response, ending }: Ends): Promise<void> {
  const { tunnel, target, head, log } = passage;
  const { responseHeadMs, idleMs } = side.times ?? DEFAULT_TIMES;
  const owner = await ownerOfProject(tunnel.projectId);
  const stop = () => ending.abort(side.stopping.reason);
  side.stopping.addEventListener('abort', stop);
  response.once('close', () => ending.abort(hungUp()));
  // It may have closed while the tunnel was looked up.
  if (response.destroyed) ending.abort(hungUp());
  const deadline = setTimeout(() => ending.abort(timedOut(responseHeadMs / 1000)), responseHeadMs);
  const [sent, received] = [bytePace().enter(owner), bytePace().enter(owner)];
  const onChunk = (chunk: Buffer) => {
    // The local server's time starts at the last byte of the request.
    deadline.refresh();
    log.request.add(chunk);
    if (log.request.size > MAX_REQUEST_BYTES) ending.abort(bodyTooLarge(MAX_REQUEST_BYTES));
    return sent.count(chunk.length);
  };
  try {
    const body = head.hasBody ? message : null;
    const relayed = await side.exchange({ tunnel, head, body, onChunk, signal: ending.signal });
    clearTimeout(deadline);
    log.responded(relayed.head);
    const { status, headers } = relayed.head;
    if (!message.complete) response.shouldKeepAlive = false;
    const { isOwnOrigin, mayRender } = side;
    response.writeHead(
      status,
      toPublicHeaders(headers, { status, prefix: target.prefix, isOwnOrigin, mayRender }).flat(),
    );
    flushHead(response, headers);
    const isBodyless = head.method === 'HEAD' || status === 204 || status === 304;
    await copyResponse(relayed.body, response, {
      ...{ declaredBytes: declaredBytesOf(headers), isBodyless, idleMs },
      onChunk: (chunk) => {
        log.response.add(chunk);
        return relayed.isFromPeer ? received.count(chunk.length) : 0;
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
