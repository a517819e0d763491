import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { shareConnections } from '@/lib/platform/connection-shares';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { clientSite } from '@/lib/platform/net/client-network';
import { isOwnDelivery, VIA_HEADER } from '@/lib/platform/net/via';
import { isStopping } from '@/lib/platform/process';
import { Connections } from './connections';
import { toWireResponse } from './dispatch';
import type { ServeDocument } from './documents';
import { EntryQueue } from './entry-queue';
import { closeUnlessRead, GuardedMessage } from './guarded-message';
import { limitConnections } from './limit-connections';
import { dropPageHeaders, keepPageHeaders, restoreApiHeaders } from './next-isolation';
import { serveNode, writeNode } from './node-adapter';
import { observeResponse } from './observe-response';
import type { FindPage, PageRoute } from './page-routes';
import { isPrivateHeader, privateHeaders } from './private-headers';
import { toProblem } from './problem';
import { endWithResponse } from './raw-response';
import { type ClientAddressOf, joined, type RequestContext, readRequest } from './read-request';
import {
  hasTooManyHeaders,
  MAX_HEADERS,
  MAX_PARSED_CHARS,
  refuseLongHeader,
  refuseQuery,
  refuseRepeatedCredential,
  refuseRequest,
} from './request-rules';
import type { RouteDefinition } from './route';
import { BUILD_ROUTE, OTHER_ROUTE, TUNNEL_ROUTE } from './served-request';
import type { ServeStatic } from './static-files';
import { strangerBudget } from './stranger-budget';
import type { Match, Verb } from './table';
import { serveTunnel, type TunnelMount } from './tunnel-mount';
import { slotTenantOf, takeTurn } from './turns';
import { UnreadBytes } from './unread-bytes';
import { serveUpgrade } from './upgrade';
import { serveWithoutUpgrade } from './without-upgrade';

type NextHandler = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

interface WebServerOptions {
  match(pathname: string): Match | null;
  next: NextHandler;
  clientAddress: ClientAddressOf;
  /** Prefixes without pages: an unknown path below them gets a 404 problem. */
  ownPrefixes: readonly string[];
  tunnels?: TunnelMount;
  serveStatic?: ServeStatic;
  /** Finds the page at a path, for metrics and the log. */
  findPage?: FindPage;
  /** Sends pages that the build rendered. */
  serveDocument?: ServeDocument;
}

const BUILD_PREFIX = '/_next/';

/** How late a timeout may be noticed. Node's 30 s would double that of headers. */
const TIMEOUT_CHECK_MS = 5_000;
/** The time that a client has for its headers, for an entire request, and between two requests on one connection. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Creates the server of the web entry. Only it sees the socket, so it passes the client's address to Next in a private
 * header, and drops a header of that name that a client sent. It answers itself what Next would answer badly or slowly:
 * fast paths, unknown paths and verbs, invalid encodings (docs/architecture.md#served-by-next-or-by-node).
 */
export function createWebServer(options: WebServerOptions): Server {
  const server = createServer<typeof GuardedMessage>({
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderSize: 32 * 1024,
    // Node would answer a missing one without a problem document; `refuseRequest` does.
    requireHostHeader: false,
    IncomingMessage: GuardedMessage,
  });
  // One more than `refuseRequest` allows, so that it sees that there are too many: each takes time.
  server.maxHeadersCount = MAX_HEADERS + 1;
  limitConnections(server, options.clientAddress);
  const connections = new Connections(new UnreadBytes(options.clientAddress), () => !server.listening);
  server.on('connection', (socket) => connections.add(socket));
  const endReading = (message: GuardedMessage) => {
    // Its body never ends, and Node tells nobody once the response is sent.
    message.socket.once('close', () => message.destroy());
    connections.refuse(message.socket);
  };
  const refusePieces = (message: GuardedMessage, error: AppError) => {
    const { socket, response } = message;
    endReading(message);
    if (response === null || response.headersSent) socket.destroy();
    else refuse(response, error);
  };
  const addressOf = (message: GuardedMessage) =>
    options.clientAddress(message.socket.remoteAddress, joined(message.headers['x-forwarded-for']));
  const tenantOf = (message: GuardedMessage) => slotTenantOf(message, addressOf(message));
  const networkOf = (message: GuardedMessage) => clientSite(addressOf(message));
  const start = (message: GuardedMessage, response: ServerResponse) => {
    if (response.destroyed) return;
    handle(options, message, response).catch((error) => {
      log().error({ err: error }, 'request failed outside every route');
      response.destroy();
    });
  };
  const entries = new EntryQueue(tenantOf);
  const enter = (message: GuardedMessage, response: ServerResponse) =>
    entries.enter(message, response, () => start(message, response));
  const serve = (message: GuardedMessage, response: ServerResponse) => {
    const { socket } = message;
    const turn = connections.enter(socket, response);
    if (turn === 'drop') return;
    if (hasTooManyHeaders(message.rawHeaders)) connections.refuse(socket);
    // A client that never pauses would keep a closing server open on its keep-alive connection.
    // While the process still serves, the clients that it answers should connect to another one.
    if (!server.listening || isStopping()) response.shouldKeepAlive = false;
    closeUnlessRead(message, response);
    message.response = response;
    message.refuse = refusePieces;
    message.endReading = endReading;
    message.networkOf = networkOf;
    response.once('close', () => {
      connections.leave(socket, response);
      message.response = null;
      // A connection that had a request when the server began to close, and becomes idle afterwards, would keep it open, too.
      if (!server.listening) server.closeIdleConnections();
    });
    if (turn === 'refuse') return refuse(response, tooManyUnanswered());
    if (turn === 'serve') enter(message, response);
    // Its response could not be sent before those of the requests before it.
    else connections.onNext(socket, response, () => enter(message, response));
  };
  server.on('request', serve);
  // Node would answer an unknown expectation with an empty 417.
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => {
    if (connections.isAnswering(socket)) socket.destroy();
    else refuseMalformed(error, socket);
  });
  // Node would close the connection without a response.
  server.on('connect', (_message, socket) => refuseDetached(new Error('not a proxy'), socket));
  const upgrade = (message: GuardedMessage, socket: Duplex, head: Buffer) => {
    const destroy = () => socket.destroy();
    socket.on('error', destroy);
    // After a declined offer the connection starts over, and its earlier requests no longer count. No client sends an offer before their
    // responses.
    if (!connections.release(message.socket)) {
      destroy();
      return;
    }
    const decline = () => {
      // The server listens again: one connection may offer any number of upgrades.
      socket.off('error', destroy);
      serveWithoutUpgrade(server, message, socket, head);
    };
    entries.enter(message, socket, () => {
      serveUpgrade(options, { message, socket, head, decline }).catch((error) => {
        log().error({ err: error }, 'upgrade failed outside every route');
        socket.destroy();
      });
    });
  };
  server.on('upgrade', (message: GuardedMessage, socket: Duplex, head: Buffer) => {
    // Splitting a long Connection takes milliseconds, and no budget has counted this client yet. No closure here may capture the request: a
    // refused socket lives on for two seconds.
    const isLong = (message.headers.connection?.length ?? 0) > MAX_PARSED_CHARS;
    if (isLong) refuseDetached(new Error('long Connection'), socket);
    else upgrade(message, socket, head);
  });
  return server;
}

async function handle(options: WebServerOptions, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, context } = readRequest(options.clientAddress, message);
  const { requestId } = context;
  const observe = (route: string, params = {}) => observeResponse(message, response, { route, params, requestId });
  const refused = refuseRequest(message, requestId);
  if (refused !== null) {
    observe(OTHER_ROUTE);
    return writeNode(response, refused, message.method === 'HEAD');
  }
  const place = options.tunnels?.placeOf(message.headers.host, pathname) ?? 'product';
  if (place === 'tunnel' && options.tunnels) {
    observeResponse(message, response, { route: TUNNEL_ROUTE, requestId, hasMetric: false });
    return serveTunnel(options.tunnels, message, response, context);
  }
  const isOwn =
    place === 'product' &&
    options.ownPrefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
  const match = isOwn && !DOT_SEGMENT.test(pathname) ? options.match(pathname) : null;
  const page = isOwn ? null : findPage(options, pathname);
  const isSource = takesDeliveries(match, message.method);
  const refusal = isSource
    ? null
    : (refuseLongHeader(message, requestId) ??
      refuseQuery(context.rawQuery, requestId, isOwn ? 'call' : 'page') ??
      (needsCredential(match, message.method) ? refuseRepeatedCredential(message, requestId) : null));
  const isLoop = isOwnDelivery(joined(message.headers[VIA_HEADER])) && !isSource;
  // `dispatch` observes the requests to routes of the table, whoever serves them.
  if (match === null || isLoop || refusal !== null) {
    observe((match ?? page)?.route ?? OTHER_ROUTE, (match ?? page)?.params);
  }
  if (refusal !== null) return writeNode(response, refusal, message.method === 'HEAD');
  if (isLoop) return writeNode(response, toWireResponse(toProblem(refusedDelivery(), requestId), requestId));
  if (place === 'nothing') return serveNode(null, message, response, context);
  if (OF_PORTAL.test(pathname)) delete message.headers.cookie;
  if (isOwn) {
    if (match === null || !isForNext(match, message.method)) {
      return serveByNode(match, message, response, context);
    }
  } else if (!isPagePath(pathname)) {
    return serveNode(null, message, response, context);
  } else if (!PAGE_VERBS.includes(message.method ?? '')) {
    const refused = new AppError('method_not_allowed', 'Read pages with GET.', { headers: { Allow: 'GET, HEAD' } });
    return writeNode(response, toWireResponse(toProblem(refused, context.requestId), context.requestId));
  }
  setPrivateHeaders(message, context);
  if (isOwn) {
    dropPageHeaders(message);
    restoreApiHeaders(response);
  } else {
    keepPageHeaders(message);
  }
  response.setHeader('X-Request-Id', context.requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (await options.serveStatic?.(message, response, pathname)) return;
  if (!isOwn && (await serveDocument(options, message, response, { pathname, page, context }))) return;
  const cost = isOwn ? 1 : costOf(page);
  await inTurn(message, response, { context, cost, work: () => options.next(message, response) });
}

interface Visit {
  pathname: string;
  page: PageRoute | null;
  context: RequestContext;
}

/** Sends a page of the build. What it reads of the database counts for the network of the client, as for any stranger. */
async function serveDocument(
  { serveDocument: serve }: WebServerOptions,
  message: IncomingMessage,
  response: ServerResponse,
  { pathname, page, context }: Visit,
): Promise<boolean> {
  if (serve === undefined) return false;
  const share = { network: clientSite(context.clientAddress), isReading: true };
  return shareConnections(share, () => serve(message, response, pathname, page));
}

interface TurnOf {
  context: RequestContext;
  cost: number;
  work: () => Promise<void>;
}

/** Works on a request in the turn of whoever sent it, unless it is refused or the client disconnects. A stranger's network pays for it. */
async function inTurn(
  message: IncomingMessage,
  response: ServerResponse,
  { context: { clientAddress, requestId }, cost, work }: TurnOf,
): Promise<void> {
  let finish: (() => void) | null;
  try {
    finish = await takeTurn(message, response, { clientAddress, cost });
  } catch (error) {
    return writeNode(response, toWireResponse(toProblem(error, requestId), requestId));
  }
  if (finish !== null) await work().finally(finish);
}

/** Serves a request before Next. Those whose caller is checked first take a turn, too, as lists take as long here. */
async function serveByNode(
  match: Match | null,
  message: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const caller = definitionOf(match, message.method)?.caller;
  const isCheckedFirst = needsCredential(match, message.method) && caller?.confirm === undefined;
  const work = () => serveNode(match, message, response, context);
  if (isCheckedFirst) return inTurn(message, response, { context, cost: 1, work });
  await work();
  // A policy that leaves its check to the handler cannot tell before that the sender is a stranger.
  if (caller?.confirm !== undefined && response.statusCode === 401) {
    strangerBudget().count(clientSite(context.clientAddress));
  }
}

function refuse(response: ServerResponse, error: AppError): void {
  const requestId = newId();
  void writeNode(response, toWireResponse(toProblem(error, requestId), requestId));
}

function tooManyUnanswered(): AppError {
  const detail =
    'Too many requests of this connection wait for their responses. Wait for one before you send the next.';
  return new AppError('rate_limited', detail, { retryAfterSeconds: 1, headers: { Connection: 'close' } });
}

/** Scripts, style sheets and pictures of the build have one template. */
function findPage({ findPage: find }: WebServerOptions, pathname: string): PageRoute | null {
  return pathname.startsWith(BUILD_PREFIX) ? { route: BUILD_ROUTE, params: {} } : (find?.(pathname) ?? null);
}

/** How many calls of the API take as long as a page. A search of the documentation is made for each request. */
function costOf(page: PageRoute | null): number {
  return page?.route === '/docs/search' ? 10 : 4;
}

/** Next would resolve the segment, and serve an API path that neither a proxy in front nor this server recognized. */
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Pages of strangers frame the portal, so nothing there may depend on who is signed in to the dashboard (docs/specification.md#portal). */
const OF_PORTAL = /^\/(?:api\/v1\/)?portal(?:\/|$)/;

/** No form posts to a page. */
const PAGE_VERBS = ['GET', 'HEAD'];

/** Verbs that the path does not have are answered here: Next would answer some of them with an empty 400 or 500. */
function isForNext(match: Match, method?: string): boolean {
  return definitionOf(match, method)?.servedBy === 'next';
}

function definitionOf(match: Match | null, method = 'GET'): RouteDefinition | undefined {
  return match?.entry[(method === 'HEAD' ? 'GET' : method) as Verb];
}

function needsCredential(match: Match | null, method?: string): boolean {
  return (definitionOf(match, method)?.caller.kind ?? 'anyone') !== 'anyone';
}

/** A source takes requests of any sender, and counts the hops itself (docs/decisions/056-loops-end.md). */
function takesDeliveries(match: Match | null, method = 'GET'): boolean {
  return match?.entry[method as Verb]?.rawBodyBytes !== undefined;
}

function refusedDelivery(): AppError {
  return new AppError('conflict', 'This request comes from a delivery of this service, which may not call its API.');
}

function setPrivateHeaders(message: IncomingMessage, { clientAddress, requestId }: RequestContext): void {
  for (const name of Object.keys(message.headers)) {
    if (isPrivateHeader(name) || name === 'x-forwarded-for') delete message.headers[name];
  }
  const acceptEncoding = joined(message.headers['accept-encoding']) ?? null;
  Object.assign(message.headers, privateHeaders({ clientAddress, requestId, acceptEncoding }));
}

/** No page has a path a quarter as long. Next takes quadratic time for some, and writes them into the page. */
const MAX_PAGE_PATH_CHARS = 1_024;

function isPagePath(pathname: string): boolean {
  if (!pathname.startsWith('/') || pathname.length > MAX_PAGE_PATH_CHARS || DOT_SEGMENT.test(pathname)) return false;
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Refuses a request whose socket Node has passed on, without an error listener. */
function refuseDetached(error: Error, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuseMalformed(error, socket);
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const requestId = newId();
  const title = STATUS_CODES[status];
  const detail = 'The request is not valid HTTP.';
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail,
    code: 'invalid_request',
    requestId,
    ...(status === 400 ? { errors: [{ path: '', message: detail }] } : {}),
  });
  const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/problem+json' };
  endWithResponse(socket, { status, headers, body });
}
