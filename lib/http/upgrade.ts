import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { beforeCellIsChosen } from '@/lib/platform/cells/current-cell';
import { toWireResponse } from './dispatch';
import { toApiRequest } from './node-adapter';
import { CLIENT_CLOSED } from './observe-response';
import { endWithResponse } from './raw-response';
import { type ClientAddressOf, joined, readRequest } from './read-request';
import { refuseQuery, refuseRepeatedCredential, refuseRequest } from './request-rules';
import { toErrorResponse } from './route';
import { finishRequest, startRequestSpan } from './served-request';
import type { Match } from './table';
import { refuseTunnelUpgrade, type TunnelMount } from './tunnel-mount';
import { inShareOf, takeTurn } from './turns';
import type { WireResponse } from './wire-response';

const SWITCHING_PROTOCOLS = 101;

interface UpgradeOptions {
  match(pathname: string): Match | null;
  clientAddress: ClientAddressOf;
  tunnels?: TunnelMount;
}

/** A request that offers another protocol. */
interface Upgrade {
  message: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  /** Serves it as if it did not. */
  decline(): void;
}

/** Serves a request that offers another protocol: WebSockets on the routes that take them, else as if it did not. */
export async function serveUpgrade(
  options: UpgradeOptions,
  { message, socket, head, decline }: Upgrade,
): Promise<void> {
  const { pathname, context } = readRequest(options.clientAddress, message);
  const refused = refuseRequest(message, context.requestId);
  if (refused !== null) return end(socket, refused);
  const isWebSocket = message.method === 'GET' && joined(message.headers.upgrade)?.toLowerCase() === 'websocket';
  if (!isWebSocket) return decline();
  const place = options.tunnels?.placeOf(message.headers.host, pathname) ?? 'product';
  if (place === 'tunnel' && options.tunnels) {
    return end(socket, await refuseTunnelUpgrade(options.tunnels, message, context));
  }
  const match = place === 'product' ? options.match(pathname) : null;
  const definition = match?.entry.GET;
  if (match === null || definition?.upgrade === undefined) return decline();
  const { rawQuery, requestId } = context;
  const refusal = refuseQuery(rawQuery, requestId) ?? refuseRepeatedCredential(message, requestId);
  if (refusal !== null) return end(socket, refusal);
  const request = toApiRequest(match, message, socket, context);
  const startedAt = performance.now();
  const span = startRequestSpan(request, request.header);
  try {
    const finish = await takeTurn(message, socket, { clientAddress: context.clientAddress, cost: 1 });
    if (finish === null) return finishRequest(request, CLIENT_CLOSED, startedAt, span);
    const { upgrade } = definition;
    const take = async () => (await upgrade(request))(message, socket, head);
    await beforeCellIsChosen(() => inShareOf(request, take)).finally(finish);
    finishRequest(request, SWITCHING_PROTOCOLS, startedAt, span);
  } catch (error) {
    const response = toWireResponse(toErrorResponse(error, request), context.requestId);
    finishRequest(request, response.status, startedAt, span);
    end(socket, response);
  }
}

function end(socket: Duplex, { status, headers, content }: WireResponse): void {
  endWithResponse(socket, { status, headers, body: typeof content === 'string' ? content : '' });
}
