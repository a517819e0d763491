import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, isAppError } from '@/lib/platform/errors';
import { clientSite } from '@/lib/platform/net/client-network';
import { provenOwnerOf } from '@/lib/platform/net/owner-header';
import { toWireResponse } from './dispatch';
import { writeNode } from './node-adapter';
import type { RequestContext } from './read-request';
import { toErrorResponse } from './route';
import { TUNNEL_ROUTE } from './served-request';
import { refuseLate, strangerBudget } from './stranger-budget';
import type { WireResponse } from './wire-response';

/** What the web server needs of tunnels: they are neither routes nor pages, and take any method, path and body. */
export interface TunnelMount {
  /** Tells where a request belongs: to a tunnel, nowhere, or to the dashboard and the API. */
  placeOf(host: string | undefined, pathname: string): 'tunnel' | 'nothing' | 'product';
  /** @throws AppError before the head of the response was sent */
  serve(message: IncomingMessage, response: ServerResponse, clientAddress: string): Promise<void>;
  /** Refuses a WebSocket to a tunnel. @throws AppError always */
  refuseUpgrade(message: IncomingMessage, clientAddress: string): Promise<never>;
}

/** The request never reached a local server. Whoever knows the URL of a tunnel can send them without end. */
const NOT_RELAYED: readonly ErrorCode[] = [
  'not_found',
  'tunnel_busy',
  'tunnel_offline',
  'forbidden',
  'unauthenticated',
  'upgrade_unsupported',
];

/** Serves a request of a tunnel. An error becomes a problem document, unless the response has begun. */
export async function serveTunnel(
  tunnels: TunnelMount,
  message: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  const payer = payerOf(message, context.clientAddress);
  try {
    await refuseLate(() => refuseWhenSpent(payer));
    await tunnels.serve(message, response, context.clientAddress);
  } catch (error) {
    countUnlessRelayed(payer, error);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    // What is left of the body is not read, so the connection cannot carry another request.
    if (!message.complete) response.shouldKeepAlive = false;
    await writeNode(response, toTunnelProblem(error, context.requestId), message.method === 'HEAD');
  }
}

/** The start of the URLs of requests between web processes. No token starts with a tilde. */
const OF_PEERS = '/t/~';

/** Who pays for a request that is not relayed. */
interface Payer {
  name: string;
  isOwner: boolean;
}

/**
 * Returns the owner of a request that this service sends to itself; for any other request, the client's network. Requests relayed by
 * another web process have a budget of their own, so an owner's failed deliveries do not turn away its visitors. So do deliveries to
 * endpoints of its customers: a customer chooses their URLs, and must not stop the owner's own deliveries.
 */
function payerOf(message: IncomingMessage, clientAddress: string): Payer {
  const proven = provenOwnerOf(message);
  if (proven === null) return { name: clientSite(clientAddress), isOwner: false };
  const { ownerId, isOfCustomer } = proven;
  if (isOfCustomer) return { name: `customers of ${ownerId}`, isOwner: true };
  return { name: message.url?.startsWith(OF_PEERS) ? `peers for ${ownerId}` : ownerId, isOwner: true };
}

/** @throws AppError rate_limited */
function refuseWhenSpent({ name, isOwner }: Payer): void {
  if (isOwner) strangerBudget().refuseOwnerWhenSpent(name);
  else strangerBudget().refuseWhenSpent(name);
}

function countUnlessRelayed({ name }: Payer, error: unknown): void {
  if (isAppError(error) && NOT_RELAYED.includes(error.code)) strangerBudget().count(name);
}

/** The response to a WebSocket through a tunnel. It costs as much as a request that is not relayed, and guesses a password as well. */
export async function refuseTunnelUpgrade(
  tunnels: TunnelMount,
  message: IncomingMessage,
  { clientAddress, requestId }: RequestContext,
): Promise<WireResponse> {
  const payer = payerOf(message, clientAddress);
  const refusal = await refuseLate(() => refuseWhenSpent(payer))
    .then(() => tunnels.refuseUpgrade(message, clientAddress))
    .catch((error: unknown) => error);
  countUnlessRelayed(payer, refusal);
  return toTunnelProblem(refusal, requestId);
}

function toTunnelProblem(error: unknown, requestId: string): WireResponse {
  return toWireResponse(toErrorResponse(error, { requestId, route: TUNNEL_ROUTE }), requestId);
}
