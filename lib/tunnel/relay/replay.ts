import { Readable } from 'node:stream';
import { type HeaderPairs, withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import type { RequestHead } from '@/lib/tunnel/protocol/heads';
import type { TestResponse } from '@/lib/tunnel/schema';
import { enterFlight } from './admission';
import { displaced, hungUp, timedOut } from './errors';
import { ExchangeLog } from './exchange-log';
import { MAX_REQUEST_BYTES, RESPONSE_HEAD_MS } from './limits';
import type { PublicSide, RelayedResponse } from './relay-types';

/** A request to send again. */
export interface TunnelSendRequest {
  tunnelId: string;
  projectId: string;
  method: string;
  /** Path and query below the token, starting with a slash. */
  path: string;
  headers: HeaderPairs;
  body: Buffer;
  replayOf: string | null;
  testResponse: TestResponse | null;
}

/**
 * Sends a replayed request through a tunnel. Resolves with the id of its log entry when the local server starts to respond;
 * the entry is written when the response is complete, after 30 s at most.
 * @throws AppError tunnel_offline, tunnel_failed, tunnel_timeout, tunnel_busy
 */
export async function replay(side: PublicSide, request: TunnelSendRequest): Promise<{ requestId: string }> {
  const head = headOf(request);
  const { tunnelId: id, projectId, testResponse } = request;
  const tunnel = { id, projectId, testResponse };
  const log = new ExchangeLog({
    tunnel,
    head,
    replayOf: request.replayOf,
    credentials: [],
    records: side.records,
    settings: side.settings,
    isBodyComplete: () => true,
  });
  log.request.add(request.body);
  const ending = new AbortController();
  const responseHeadMs = side.times?.responseHeadMs ?? RESPONSE_HEAD_MS;
  const deadline = setTimeout(() => ending.abort(timedOut(responseHeadMs / 1000)), responseHeadMs);
  let leave: (() => void) | null = null;
  const finish = (error: unknown) => {
    clearTimeout(deadline);
    leave?.();
    log.finish(error);
  };
  try {
    leave = await enterFlight(side.inFlight, tunnel.projectId, () => ending.abort(displaced()));
    const body = head.hasBody ? Readable.from([request.body]) : null;
    const relayed = await side.exchange({ tunnel, head, body, signal: ending.signal });
    log.responded(relayed.head);
    void readBody(relayed, log).then(finish);
    return { requestId: log.id };
  } catch (error) {
    finish(error);
    throw error;
  }
}

/** Reads the body for the log, up to the size of a request. @returns the error that ended it; null for none */
async function readBody({ body }: RelayedResponse, log: ExchangeLog): Promise<unknown> {
  try {
    for await (const chunk of body) {
      log.response.add(chunk as Buffer);
      if (log.response.size > MAX_REQUEST_BYTES) break;
    }
    return null;
  } catch {
    return hungUp();
  } finally {
    body.destroy();
  }
}

function headOf({ method, path, headers, body }: TunnelSendRequest): RequestHead {
  const kept: HeaderPairs = withoutHopByHopHeaders(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  if (body.length > 0) kept.push(['Content-Length', String(body.length)]);
  return { method, path, headers: kept, hasBody: body.length > 0 };
}
