import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { ClientInfo } from '@/lib/platform/client-info';
import { clientSite } from '@/lib/platform/net/client-network';
import { toHeaderPairs } from '@/lib/platform/net/header-pairs';
import { readNodeBody } from './body-reader';
import { discardContent, dispatch, dispatchUnknown } from './dispatch';
import type { RequestContext } from './read-request';
import type { ApiRequest } from './request';
import type { Match, Verb } from './table';
import { noteContentBytes } from './turns';
import type { WireResponse } from './wire-response';

const NO_QUERY = new URLSearchParams();

/** Serves a request to a path of the table on node:http, without Next. */
export async function serveNode(
  match: Match | null,
  message: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const wireResponse =
    match === null
      ? dispatchUnknown(context.requestId)
      : await dispatch(match.entry, toApiRequest(match, message, response, context));
  await writeNode(response, wireResponse, message.method === 'HEAD');
}

/** Describes a request to routes. @param response the response, or the socket of an upgrade */
export function toApiRequest(
  match: Match,
  message: IncomingMessage,
  response: Writable,
  context: RequestContext,
): ApiRequest {
  let disconnected: AbortSignal | undefined;
  const client: ClientInfo = {
    ipAddress: context.clientAddress,
    userAgent: message.headers['user-agent'] ?? null,
    // One for all waits of the request: each listens to its response.
    disconnectSignal: () => {
      disconnected ??= disconnectSignalOf(response);
      return disconnected;
    },
  };
  return {
    method: message.method ?? 'GET',
    route: match.route,
    params: match.params,
    // A source keeps it as text. `route` copies the request, which would parse it.
    query: match.entry[message.method as Verb]?.rawBodyBytes === undefined ? context.query : NO_QUERY,
    rawQuery: context.rawQuery,
    header: (name) => {
      // A route may ask for a name that a tenant chose, such as `constructor`.
      const value = Object.hasOwn(message.headers, name) ? message.headers[name] : undefined;
      return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
    },
    listHeaders: () => toHeaderPairs(message.rawHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    readBody: (limitBytes, use) => {
      const sender = { network: clientSite(context.clientAddress), ownerId: client.ownerId };
      return readNodeBody(message, limitBytes, sender, use);
    },
    client,
    requestId: context.requestId,
  };
}

function disconnectSignalOf(response: Writable): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const connection = new AbortController();
  response.once('close', () => response.writableFinished || connection.abort());
  return connection.signal;
}

/** Writes a response, streamed if its content is a stream. */
export async function writeNode(response: ServerResponse, wireResponse: WireResponse, isHead = false): Promise<void> {
  if (response.destroyed || response.headersSent) return discardContent(wireResponse);
  noteContentBytes(response, wireResponse.contentBytes ?? 0);
  const headers: Record<string, string | string[]> = { ...wireResponse.headers };
  if (wireResponse.cookies.length > 0) headers['Set-Cookie'] = wireResponse.cookies;
  const { content } = wireResponse;
  if (content instanceof ReadableStream) {
    response.writeHead(wireResponse.status, headers);
    // An error in mid-stream destroys the connection: a partial document must not look complete.
    await pipeline(Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]), response).catch(() =>
      response.destroy(),
    );
    return;
  }
  if (content !== null) headers['Content-Length'] = String(Buffer.byteLength(content));
  else if (wireResponse.status !== 204 && wireResponse.status !== 304 && !isHead) headers['Content-Length'] = '0';
  response.writeHead(wireResponse.status, headers);
  if (content instanceof Uint8Array) await writeSlices(response, content);
  else response.end(content ?? undefined);
}

/** To write a MiB to a client that reads fast takes the thread for some milliseconds. */
const SLICE_BYTES = 64 * 1024;

/** Writes content in slices, between which the thread serves others. What a client does not read waits in its connection, which is counted. */
async function writeSlices(response: ServerResponse, content: Uint8Array): Promise<void> {
  let at = 0;
  for (; content.length - at > SLICE_BYTES && !response.destroyed; at += SLICE_BYTES) {
    response.write(content.subarray(at, at + SLICE_BYTES));
    await setImmediate();
  }
  response.end(content.subarray(at));
}
