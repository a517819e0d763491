import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ownerOfProject } from '@/lib/orgs/tenant';
import { AppError, isAppError } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decodeRequestHead, encodeHead } from '@/lib/tunnel/protocol/heads';
import { MAX_REQUEST_HEAD_BYTES } from '@/lib/tunnel/protocol/protocol';
import { bytePace } from '@/lib/tunnel/relay/byte-pace';
import type { ConnectedClient } from '@/lib/tunnel/relay/clients/connected-client';
import { hungUp, offline } from '@/lib/tunnel/relay/errors';
import {
  CONNECTION_HEADER,
  HEAD_HEADER,
  hashHead,
  type PeerVerifier,
  readWithLength,
  withLength,
} from './peer-protocol';
import type { PeerError } from './send-to-peer';

/** A request from another web process. */
interface PeerRequest {
  message: IncomingMessage;
  response: ServerResponse;
  tunnelId: string;
}

/**
 * Serves a signed request that another web process received for a tunnel whose client is connected here.
 * @throws AppError not_found when the signature is not valid, as for any unknown path
 */
export async function servePeer(
  { message, response, tunnelId }: PeerRequest,
  verifier: PeerVerifier,
  findClient: (tunnelId: string) => ConnectedClient | null,
): Promise<void> {
  const nothing = () =>
    new AppError('not_found', 'There is nothing at this path.', { headers: { Connection: 'close' } });
  const { headers } = message;
  const connectionId = String(headers[CONNECTION_HEADER]);
  const headHash = String(headers[HEAD_HEADER]);
  const signed = { method: message.method ?? '', path: message.url ?? '', tunnelId, connectionId, headHash };
  if (!verifier.isValid(headers, signed)) throw nothing();
  const json = await readWithLength(message, MAX_REQUEST_HEAD_BYTES).catch(() => {
    throw nothing();
  });
  const head = hashHead(json) === headHash ? decodeRequestHead(json) : null;
  if (head === null) throw nothing();
  const hanging = new AbortController();
  response.once('close', () => hanging.abort(hungUp()));
  response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  try {
    const tunnel = findClient(tunnelId);
    if (tunnel === null || tunnel.options.connectionId !== connectionId) throw offline();
    const body = head.hasBody ? message : null;
    if (body === null) message.resume();
    const place = bytePace().enter(await ownerOfProject(tunnel.options.projectId));
    const request = {
      tunnel: { id: tunnelId, projectId: tunnel.options.projectId },
      head,
      body,
      onChunk: ({ length }: Buffer) => place.countChunk(length),
      signal: hanging.signal,
    };
    const relayed = await tunnel.exchange(request);
    response.write(withLength(encodeHead(relayed.head)));
    copyBody(relayed.body, response);
  } catch (error) {
    if (response.destroyed) return;
    if (!isAppError(error)) log().error({ err: error, tunnelId }, 'request of another web process failed');
    response.end(withLength(Buffer.from(JSON.stringify(toPeerError(error)))));
    message.resume();
  }
}

function copyBody(body: Readable, response: ServerResponse): void {
  // It may have broken off with its head: it closes only once.
  if (body.destroyed && !body.readableEnded) return void response.destroy();
  body.pipe(response);
  // The other process must not mistake a partial body for a complete one.
  body.once('close', () => body.readableEnded || response.destroy());
  response.once('close', () => body.destroy());
}

function toPeerError(error: unknown): PeerError {
  if (!isAppError(error)) return { code: 'internal_error', detail: 'The other web process failed.' };
  const { retryAfterSeconds } = error.options;
  return { code: error.code, detail: error.message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}
