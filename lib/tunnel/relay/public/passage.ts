import type { IncomingMessage } from 'node:http';
import { markedCredential } from '@/lib/delivery/credential-mark';
import { AppError } from '@/lib/platform/errors';
import { toHeaderPairs } from '@/lib/platform/net/header-pairs';
import { hasLongConnection, type RequestHead } from '@/lib/tunnel/protocol/heads';
import { ExchangeLog } from '@/lib/tunnel/relay/exchange-log';
import { MAX_VISITOR_HEADERS } from '@/lib/tunnel/relay/limits';
import { takeVisitTurn } from '@/lib/tunnel/relay/visit-turn';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { type PublicTarget, parseTarget } from './parse-target';
import type { PublicSide } from './public-side';
import { refuseVisitor } from './refuse-visitor';
import { toLocalHeaders } from './request-headers';

/** A request of the public. */
export interface Visit {
  message: IncomingMessage;
  clientAddress: string;
}

/** A request of the public to a tunnel that exists. */
export interface Passage {
  tunnel: PublicTunnel;
  target: PublicTarget;
  head: RequestHead;
  log: ExchangeLog;
  /** @throws AppError forbidden, unauthenticated, payload_too_large */
  refuseVisitor(): void;
}

/** Finds the tunnel of a request. The request is logged when its log is finished. @throws AppError not_found, overloaded, tunnel_busy, invalid_request */
export async function findPassage(side: PublicSide, { message, clientAddress }: Visit): Promise<Passage> {
  const target = parseTarget(message.url ?? '');
  const tunnel = target === null ? null : await side.findTunnel(target.token);
  if (target === null || tunnel === null) throw new AppError('not_found', 'There is no tunnel at this URL.');
  await takeVisitTurn(tunnel.projectId, message.socket);
  refuseManyHeaders(message);
  const { records, settings, isOwnOrigin } = side;
  const head = headOf(side, { message, clientAddress }, tunnel, target.path);
  const log = new ExchangeLog({
    ...{ tunnel, head, replayOf: null, records, settings },
    credential: markedCredential(toHeaderPairs(message.rawHeaders)),
    isBodyComplete: () => message.readableEnded,
  });
  const rules = { prefix: target.prefix, clientAddress, mayEnter: records.mayEnter, isOwnOrigin };
  return { tunnel, target, head, log, refuseVisitor: () => refuseVisitor(tunnel, message.headers, rules) };
}

/** @throws AppError invalid_request */
function refuseManyHeaders({ rawHeaders }: IncomingMessage): void {
  const refuse = (detail: string) => new AppError('invalid_request', detail, { headers: { Connection: 'close' } });
  if (rawHeaders.length > 2 * MAX_VISITOR_HEADERS) {
    throw refuse(`A request to a tunnel has at most ${MAX_VISITOR_HEADERS} headers.`);
  }
  if (hasLongConnection(toHeaderPairs(rawHeaders))) throw refuse('The header Connection is too long.');
}

function headOf(side: PublicSide, { message, clientAddress }: Visit, tunnel: PublicTunnel, path: string): RequestHead {
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
