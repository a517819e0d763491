import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { CLIENT_HEADER, MAX_FRAME_BYTES, SUBPROTOCOL } from '@/lib/tunnel/protocol/protocol';
import { chooseProxy, connectThroughProxy } from './proxy';

interface ConnectOptions {
  url: URL;
  authorization: string;
  /** Lets the relay recognize this client after a disconnect. */
  clientSecret: string;
  userAgent: string;
  /** Its variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY choose the proxy. */
  env: Readonly<Record<string, string | undefined>>;
}

/** The relay refused the client. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }

  /** Whether another attempt would be refused as well. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429 && this.status !== 408;
  }
}

const HANDSHAKE_MS = 10_000;
const MAX_PROBLEM_BYTES = 16 * 1024;

/**
 * Opens the WebSocket of a tunnel. It is paused: resume it once its messages are handled.
 * @throws ConnectError when the server refuses it; Error when it is not reachable
 */
export async function connect({
  url,
  authorization,
  clientSecret,
  userAgent,
  env,
}: ConnectOptions): Promise<WebSocket> {
  const proxy = chooseProxy(url, env);
  const through = proxy === null ? null : await connectThroughProxy({ proxy, url, timeoutMs: HANDSHAKE_MS });
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, SUBPROTOCOL, {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      autoPong: false,
      ...(through === null ? {} : { createConnection: () => through }),
      headers: { ...credentialOf(authorization), [CLIENT_HEADER]: clientSecret, 'User-Agent': userAgent },
    });
    socket.once('open', () => {
      // A frame can arrive with the handshake, before anybody listens for it.
      socket.pause();
      resolve(socket);
    });
    socket.on('error', reject);
    socket.once('unexpected-response', (request, response) => {
      readProblem(response).then((detail) => {
        request.destroy();
        reject(new ConnectError(detail, response.statusCode ?? 0));
      });
    });
  });
}

/** The API expects keys in their own header. */
function credentialOf(authorization: string): Record<string, string> {
  const key = /^Bearer +(eds_\S+)$/.exec(authorization)?.[1];
  return key === undefined ? { Authorization: authorization } : { 'X-API-Key': key };
}

/** Reads the detail of a problem document; otherwise names the status. */
async function readProblem(response: IncomingMessage): Promise<string> {
  const byStatus = `The server answered with status ${response.statusCode}.`;
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      if (size > MAX_PROBLEM_BYTES) return byStatus;
      chunks.push(chunk as Buffer);
    }
    const { detail } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { detail?: unknown };
    return typeof detail === 'string' ? detail : byStatus;
  } catch {
    return byStatus;
  }
}

const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * Returns the milliseconds to wait before the next attempt to connect: doubles each time, minus up to a quarter at random.
 */
export function backoffMs(failures: number, random = Math.random): number {
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(ms * (1 - random() / 4));
}
