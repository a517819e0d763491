import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { knownOwnerOfProject } from '@/lib/orgs/tenant';
import { AppError, ERRORS, type ErrorCode, oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { ownerHeader } from '@/lib/platform/net/owner-header';
import { decodeResponseHead, encodeHead, type ResponseHead } from '@/lib/tunnel/protocol/heads';
import { MAX_RESPONSE_HEAD_BYTES } from '@/lib/tunnel/protocol/protocol';
import { failed, offline } from '@/lib/tunnel/relay/errors';
import { pumpBody } from '@/lib/tunnel/relay/flow';
import { PEER_CONNECT_MS } from '@/lib/tunnel/relay/limits';
import type { RelayedRequest, RelayedResponse } from '@/lib/tunnel/relay/relay-types';
import {
  CONNECTION_HEADER,
  HEAD_HEADER,
  hashHead,
  peerPath,
  readWithLength,
  signPeerRequest,
  withLength,
} from './peer-protocol';

/** The web process that holds the client of a tunnel. */
export interface Holder {
  connectionId: string;
  peerUrl: string;
}

/** An error that the other web process answered with. */
export interface PeerError {
  code: ErrorCode;
  detail: string;
  retryAfterSeconds?: number;
}

/** Sends requests to the web processes that hold the clients. */
export class PeerClient {
  private readonly agent = new Agent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000, scheduling: 'lifo' });

  /** See `Exchange`. */
  async exchange(holder: Holder, { tunnel, head, body, onChunk, signal }: RelayedRequest): Promise<RelayedResponse> {
    signal.throwIfAborted();
    const url = new URL(peerPath(tunnel.id), holder.peerUrl);
    const json = encodeHead(head);
    const { connectionId } = holder;
    const headHash = hashHead(json);
    const signed = { method: 'POST', path: url.pathname, tunnelId: tunnel.id, connectionId, headHash };
    const request = httpRequest(url, {
      agent: this.agent,
      method: 'POST',
      headers: {
        [CONNECTION_HEADER]: connectionId,
        [HEAD_HEADER]: headHash,
        ...signPeerRequest(signed),
        ...ownerHeader(url.pathname, { ownerId: knownOwnerOfProject(tunnel.projectId) ?? tunnel.projectId }),
      },
    });
    const abort = () => request.destroy();
    signal.addEventListener('abort', abort);
    request.once('close', () => signal.removeEventListener('abort', abort));
    try {
      const responding = responseOf(request);
      request.write(withLength(json));
      if (body === null) request.end();
      else pumpBody(body, request, { onChunk, onBroken: abort });
      const response = await responding;
      return { head: await readAnswer(response), body: response, isFromPeer: true };
    } catch (error) {
      request.destroy();
      if (signal.aborted) throw signal.reason;
      if (error instanceof AppError) throw error;
      log().warn(
        { tunnelId: tunnel.id, peerUrl: holder.peerUrl, reason: oneLineOf(error) },
        'web process not reachable',
      );
      throw offline('The web process that holds the client of this tunnel is not reachable.');
    }
  }

  close(): void {
    this.agent.destroy();
  }
}

function responseOf(request: ReturnType<typeof httpRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), PEER_CONNECT_MS);
    request.once('socket', (socket) => {
      if (!socket.connecting) return clearTimeout(connecting);
      socket.once('connect', () => clearTimeout(connecting));
    });
    request.once('close', () => {
      clearTimeout(connecting);
      reject(new Error('the connection to the other web process was lost'));
    });
    request.on('error', reject);
    request.once('response', (response) => {
      // The reader learns of a failure from `close`.
      response.on('error', () => undefined);
      resolve(response);
    });
  });
}

/** @throws AppError the error that the other process answered with */
async function readAnswer(response: IncomingMessage): Promise<ResponseHead> {
  if (response.statusCode !== 200) throw new Error(`the other web process answered with ${response.statusCode}`);
  const json = await readWithLength(response, MAX_RESPONSE_HEAD_BYTES);
  const head = decodeResponseHead(json);
  if (head !== null) return head;
  const { code, detail, retryAfterSeconds } = JSON.parse(json.toString('utf8')) as PeerError;
  if (!(code in ERRORS)) throw failed('The other web process answered with an unknown error.');
  throw new AppError(code, detail, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
