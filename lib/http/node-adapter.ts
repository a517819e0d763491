import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readNodeBody } from './body-reader';
import { discardContent, dispatch, dispatchUnknown } from './dispatch';
import type { ApiRequest } from './request';
import type { Match } from './table';
import type { WireResponse } from './wire-response';

/** What the web entry knows of a request before any route does. */
export interface Arrival {
  clientAddress: string;
  requestId: string;
  query: URLSearchParams;
}

/** Serves a request to a path of the table on node:http, without Next. */
export async function serveNode(
  match: Match | null,
  message: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
): Promise<void> {
  const answer =
    match === null
      ? dispatchUnknown(arrival.requestId)
      : await dispatch(match.entry, toApiRequest(match, message, response, arrival));
  await writeNode(response, answer, message.method === 'HEAD');
}

function toApiRequest(match: Match, message: IncomingMessage, response: ServerResponse, arrival: Arrival): ApiRequest {
  return {
    method: message.method ?? 'GET',
    route: match.route,
    params: match.params,
    query: arrival.query,
    header: (name) => {
      const value = message.headers[name];
      return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
    },
    readBody: (limitBytes) => readNodeBody(message, limitBytes),
    client: {
      ipAddress: arrival.clientAddress,
      userAgent: message.headers['user-agent'] ?? null,
      disconnectSignal: () => disconnectSignalOf(response),
    },
    requestId: arrival.requestId,
  };
}

function disconnectSignalOf(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const caller = new AbortController();
  response.once('close', () => response.writableFinished || caller.abort());
  return caller.signal;
}

/** Writes an answer out, streamed where its content is a stream. */
export async function writeNode(response: ServerResponse, answer: WireResponse, isHead = false): Promise<void> {
  if (response.destroyed || response.headersSent) return discardContent(answer);
  const headers: Record<string, string | string[]> = { ...answer.headers };
  if (answer.cookies.length > 0) headers['Set-Cookie'] = answer.cookies;
  const { content } = answer;
  if (content instanceof ReadableStream) {
    response.writeHead(answer.status, headers);
    // An error in mid-stream destroys the connection: a half document must not end well-formed.
    await pipeline(Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]), response).catch(() =>
      response.destroy(),
    );
    return;
  }
  if (content !== null) headers['Content-Length'] = String(Buffer.byteLength(content));
  else if (answer.status !== 204 && answer.status !== 304 && !isHead) headers['Content-Length'] = '0';
  response.writeHead(answer.status, headers).end(content ?? undefined);
}
