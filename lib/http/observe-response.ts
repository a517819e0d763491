import type { IncomingMessage, ServerResponse } from 'node:http';
import { joined } from './read-request';
import { finishRequest, startRequestSpan } from './served-request';

/** The status of a request whose client has disconnected before the response began, as proxies log it. */
export const CLIENT_CLOSED = 499;

interface ServedRequest {
  /** A path template. */
  route: string;
  params?: Readonly<Record<string, string>>;
  requestId: string;
  /** False for requests whose duration and status are not ours, such as those of tunnels. */
  hasMetric?: boolean;
}

/** Logs, counts and traces a request that no route of the table serves, when its response has ended. */
export function observeResponse(
  message: IncomingMessage,
  response: ServerResponse,
  { route, params = {}, requestId, hasMetric = true }: ServedRequest,
): void {
  const startedAt = performance.now();
  const facts = { method: message.method ?? 'GET', route, params, requestId };
  const span = startRequestSpan(facts, (name) => joined(message.headers[name]) ?? null);
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
    finishRequest(facts, status, startedAt, span, hasMetric);
  });
}
