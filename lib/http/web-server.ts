import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { finish } from './dispatch';
import { dropBrokenRouterState, dropPageHeaders, restoreApiHeaders } from './next-isolation';
import { type Arrival, serveNode, writeNode } from './node-adapter';
import { isPrivateHeader, privateHeaders } from './private-headers';
import { toProblem } from './problem';
import { chooseRequestId } from './request';
import type { Match, Verb } from './table';

type NextHandler = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface WebServerOptions {
  match(pathname: string): Match | null;
  next: NextHandler;
  clientAddress(socketAddress: string | undefined, forwardedFor: string | undefined): string;
  /** Paths under these prefixes are the table's alone: what it does not know is a 404 problem, never a page. */
  ownPrefixes: readonly string[];
}

/** A client may take this long for its headers, a whole request, or between two requests on one connection. */
const [HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS] = [20_000, 60_000, 65_000];

/** How long the answer to what is no request may take to be read, before its connection is cut. */
const LINGER_MS = 2_000;

/**
 * The web entry's server. It alone sees the socket, so it tells Next who the client is in a private header and drops the
 * client's own copy of it; and it answers what Next would answer badly or slowly itself: the table's fast paths, unknown
 * paths and verbs, bad encodings (DESIGN 4c).
 */
export function createWebServer(options: WebServerOptions): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderSize: 32 * 1024,
  });
  const serve = (message: IncomingMessage, response: ServerResponse) => {
    // A client that never pauses would hold a closing server open for ever on its kept-alive connection.
    if (!server.listening) response.shouldKeepAlive = false;
    // So would one that was being answered when the server was told to close, and then asks no more.
    response.once('close', () => server.listening || server.closeIdleConnections());
    handle(options, message, response).catch((error) => {
      log().error({ err: error }, 'request failed outside every route');
      response.destroy();
    });
  };
  server.on('request', serve);
  // Node would answer a bare 417 to an expectation that it does not know.
  server.on('checkExpectation', serve);
  server.on('clientError', refuseMalformed);
  // Node would close the connection without an answer. It hands the socket over without a listener for its errors.
  server.on('connect', (_message, socket) => {
    socket.on('error', () => socket.destroy());
    refuseMalformed(new Error('not a proxy'), socket);
  });
  return server;
}

async function handle(options: WebServerOptions, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = toOriginForm(message.url ?? '/');
  message.url = target;
  const { pathname, query } = splitUrl(target);
  const arrival: Arrival = {
    clientAddress: options.clientAddress(message.socket.remoteAddress, single(message.headers['x-forwarded-for'])),
    requestId: chooseRequestId(single(message.headers['x-request-id']), newId),
    query,
  };
  const isOwn = options.ownPrefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
  if (isOwn) {
    const match = DOT_SEGMENT.test(pathname) ? null : options.match(pathname);
    if (match === null || !isForNext(match, message.method)) return serveNode(match, message, response, arrival);
  } else if (!pathname.startsWith('/') || !isDecodable(pathname) || DOT_SEGMENT.test(pathname)) {
    return serveNode(null, message, response, arrival);
  } else if (!PAGE_VERBS.includes(message.method ?? '')) {
    const refusal = new AppError('method_not_allowed', 'A page is read with GET.', { headers: { Allow: 'GET, HEAD' } });
    return writeNode(response, finish(toProblem(refusal, arrival.requestId), arrival.requestId));
  }
  setPrivateHeaders(message, arrival);
  if (isOwn) {
    dropPageHeaders(message);
    restoreApiHeaders(response);
  } else {
    dropBrokenRouterState(message);
  }
  response.setHeader('X-Request-Id', arrival.requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  return options.next(message, response);
}

/** Next would resolve it, and serve a path of the table that a proxy before us, or we, have not recognized as one. */
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Pages are read; there is no form that posts to one. */
const PAGE_VERBS = ['GET', 'HEAD'];

/** A server must also take the absolute form of a target (RFC 9112 section 3.2.2), as a proxy would send it. */
function toOriginForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, '') || '/';
}

/** Verbs that the path does not have are answered from the table too: Next would answer some of them with a bare 400 or 500. */
function isForNext(match: Match, method = 'GET'): boolean {
  const definition = match.entry[(method === 'HEAD' ? 'GET' : method) as Verb];
  return definition !== undefined && definition.lane === 'next';
}

function setPrivateHeaders(message: IncomingMessage, arrival: Arrival): void {
  for (const name of Object.keys(message.headers)) {
    if (isPrivateHeader(name) || name === 'x-forwarded-for') delete message.headers[name];
  }
  const acceptEncoding = single(message.headers['accept-encoding']) ?? null;
  Object.assign(message.headers, privateHeaders({ ...arrival, acceptEncoding }));
}

function splitUrl(url: string): { pathname: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  return mark === -1
    ? { pathname: url, query: new URLSearchParams() }
    : { pathname: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const requestId = newId();
  const title = STATUS_CODES[status];
  const detail = 'This is not a request that can be read.';
  const body = JSON.stringify({
    ...{ type: 'about:blank', title, status, detail, code: 'invalid_request', requestId },
    ...(status === 400 ? { errors: [{ path: '', message: detail }] } : {}),
  });
  const headers = [
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  // None of the server's timeouts reaches it any more: a client that keeps its own end open would hold it for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
