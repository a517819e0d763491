import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { toWireResponse } from './dispatch';
import { type RequestContext, writeNode } from './node-adapter';
import { toErrorResponse } from './route';
import type { WireResponse } from './wire-response';

/** What the web server needs of tunnels: they are neither routes nor pages, and take any method, path and body. */
export interface TunnelMount {
  /** Tells where a request belongs: to a tunnel, nowhere, or to the dashboard and the API. */
  placeOf(host: string | undefined, pathname: string): 'tunnel' | 'nothing' | 'product';
  /** @throws AppError before the head of the response was sent */
  serve(message: IncomingMessage, response: ServerResponse, clientAddress: string): Promise<void>;
}

/** Serves a request of a tunnel. An error becomes a problem document, unless the response has begun. */
export async function serveTunnel(
  tunnels: TunnelMount,
  message: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
): Promise<void> {
  try {
    await tunnels.serve(message, response, context.clientAddress);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    // What is left of the body is not read, so the connection cannot carry another request.
    if (!message.complete) response.shouldKeepAlive = false;
    await writeNode(response, toTunnelProblem(error, context.requestId), message.method === 'HEAD');
  }
}

/** The response to a WebSocket through a tunnel. */
export function refuseTunnelUpgrade(requestId: string): WireResponse {
  const detail = 'WebSocket connections do not pass through a tunnel. Server-sent events do.';
  return toTunnelProblem(new AppError('upgrade_unsupported', detail), requestId);
}

function toTunnelProblem(error: unknown, requestId: string): WireResponse {
  return toWireResponse(toErrorResponse(error, { requestId, route: '/t/{token}' }), requestId);
}
