import type { IncomingMessage } from 'node:http';
import { markedCredentials } from '@/lib/delivery/credentials';
import { AppError } from '@/lib/platform/errors';
import { toHeaderPairs } from '@/lib/platform/net/header-pairs';
import { hasLongConnection, type RequestHead } from '@/lib/tunnel/protocol/heads';
import { takeVisitTurn } from '@/lib/tunnel/relay/admission';
import { bodyTooLarge } from '@/lib/tunnel/relay/errors';
import { ExchangeLog } from '@/lib/tunnel/relay/exchange-log';
import { MAX_REQUEST_BYTES, MAX_VISITOR_HEADERS } from '@/lib/tunnel/relay/limits';
import type { PublicSide, TunnelRecords } from '@/lib/tunnel/relay/relay-types';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { toLocalHeaders } from './request-headers';
import { basicChallenge } from './response-headers';

/** A request of the public. */
export interface PublicRequest {
  message: IncomingMessage;
  clientAddress: string;
}

/** A request of the public to a tunnel that exists. */
export interface RoutedRequest {
  tunnel: PublicTunnel;
  target: PublicTarget;
  head: RequestHead;
  log: ExchangeLog;
  /** Refuses the request by the present rules of the tunnel. @throws AppError not_found, forbidden, unauthenticated, payload_too_large */
  refuseVisitor(): Promise<void>;
}

/** Finds the tunnel of a request. The request is logged when its log is finished. @throws AppError not_found, overloaded, tunnel_busy, invalid_request */
export async function routeRequest(
  side: PublicSide,
  { message, clientAddress }: PublicRequest,
): Promise<RoutedRequest> {
  const target = parseTarget(message.url ?? '');
  if (target === null) throw noTunnel();
  const tunnel = await findTunnelOf(side, target);
  await takeVisitTurn(tunnel.projectId, message.socket);
  refuseManyHeaders(message);
  const { records, settings, isOwnOrigin } = side;
  const head = headOf(side, { message, clientAddress }, tunnel, target.path);
  const log = new ExchangeLog({
    tunnel,
    head,
    replayOf: null,
    records,
    settings,
    credentials: markedCredentials(toHeaderPairs(message.rawHeaders)),
    isBodyComplete: () => message.readableEnded,
  });
  const rules = { target, clientAddress, mayEnter: records.mayEnter, isOwnOrigin };
  const refuse = async () => refuseVisitor(await findTunnelOf(side, target), message, rules);
  return { tunnel, target, head, log, refuseVisitor: refuse };
}

/** @throws AppError not_found, overloaded */
async function findTunnelOf(side: PublicSide, { token }: PublicTarget): Promise<PublicTunnel> {
  const tunnel = await side.findTunnel(token);
  if (tunnel === null) throw noTunnel();
  return tunnel;
}

const noTunnel = () => new AppError('not_found', 'There is no tunnel at this URL.');

/** @throws AppError invalid_request */
function refuseManyHeaders({ rawHeaders }: IncomingMessage): void {
  const refuse = (detail: string) => new AppError('invalid_request', detail, { headers: { Connection: 'close' } });
  if (rawHeaders.length > 2 * MAX_VISITOR_HEADERS) {
    throw refuse(`A request to a tunnel has at most ${MAX_VISITOR_HEADERS} headers.`);
  }
  if (hasLongConnection(toHeaderPairs(rawHeaders))) throw refuse('The header Connection is too long.');
}

function headOf(
  side: PublicSide,
  { message, clientAddress }: PublicRequest,
  tunnel: PublicTunnel,
  path: string,
): RequestHead {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  const headers = toLocalHeaders(toHeaderPairs(message.rawHeaders), {
    clientAddress,
    publicUrl: new URL(side.settings.tunnelBaseUrl ?? side.settings.baseUrl),
    isOwnOrigin: side.isOwnOrigin,
    hasBasicAuth: tunnel.basicAuth !== null,
  });
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  return { method: message.method ?? 'GET', path, headers, hasBody };
}

/** The target of a public request. */
interface PublicTarget {
  token: string;
  /** `/t/` and the token, as the visitor wrote it. */
  prefix: string;
  /** Path and query below the token, byte for byte, starting with a slash. */
  path: string;
  /** No slash follows the token, so browsers take the folder of all tunnels for that of this one. */
  isBare: boolean;
}

const TARGET = /^(\/t\/([^/?#]+))([^#]*)$/s;

/** Splits the target of a request to `/t/{token}/…`; null when there is no token. */
export function parseTarget(url: string): PublicTarget | null {
  const [, prefix, token, rest = ''] = TARGET.exec(url) ?? [];
  if (prefix === undefined || token === undefined) return null;
  const isBare = !rest.startsWith('/');
  return { token, prefix, path: isBare ? `/${rest}` : rest, isBare };
}

/** Whether a browser sent a request. Those that a page on plain HTTP makes tell it by their name only. */
export function isFromBrowser({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] !== undefined || headers['user-agent']?.startsWith('Mozilla/') === true;
}

/**
 * Returns where a browser goes that opens a tunnel without the final slash; null for other requests, such as webhooks. There the
 * folder of the URL is `/t/`: the browser would send a password of this tunnel, and requests of its pages, to all tunnels.
 */
export function redirectOf(message: IncomingMessage, { isBare, prefix, path }: PublicTarget): string | null {
  const { 'sec-fetch-mode': mode, accept = '' } = message.headers;
  if (!isBare || !isFromBrowser(message) || !['GET', 'HEAD'].includes(message.method ?? '')) return null;
  return mode === 'navigate' || (mode === undefined && accept.includes('text/html')) ? prefix + path : null;
}

interface VisitorRules {
  target: PublicTarget;
  clientAddress: string;
  mayEnter: TunnelRecords['mayEnter'];
  isOwnOrigin: boolean;
}

/**
 * Refuses a public request before it is relayed.
 * @throws AppError forbidden for an address that is not allowed; unauthenticated; payload_too_large
 */
function refuseVisitor(tunnel: PublicTunnel, message: IncomingMessage, rules: VisitorRules): void {
  const { clientAddress, mayEnter, isOwnOrigin, target } = rules;
  const { headers } = message;
  const result = mayEnter(tunnel, { clientAddress, authorization: headers.authorization });
  if (result === 'address') throw new AppError('forbidden', 'Your IP address isn’t allowed to use this tunnel.');
  if (result === 'credentials') {
    const mayAsk = !(target.isBare && isFromBrowser(message));
    throw new AppError('unauthenticated', 'This tunnel requires a username and password.', {
      headers: mayAsk ? { 'WWW-Authenticate': basicChallenge(target.prefix) } : {},
    });
  }
  // A service worker would stay in the dashboard's origin, or get the requests to all tunnels of their own.
  if ((!isOwnOrigin || target.isBare) && headers['service-worker'] !== undefined) {
    throw new AppError('forbidden', 'A tunnel can serve a service worker below its URL only, on an origin of its own.');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_REQUEST_BYTES) throw bodyTooLarge(MAX_REQUEST_BYTES);
}

/**
 * Refuses a WebSocket to a tunnel, and logs it like any other request.
 * @throws AppError upgrade_unsupported; not_found, forbidden, unauthenticated
 */
export async function refuseUpgrade(side: PublicSide, request: PublicRequest): Promise<never> {
  const routed = await routeRequest(side, request);
  try {
    await routed.refuseVisitor();
    throw new AppError('upgrade_unsupported', 'Tunnels don’t support WebSocket connections. Use server-sent events.');
  } catch (error) {
    routed.log.finish(error);
    throw error;
  }
}
