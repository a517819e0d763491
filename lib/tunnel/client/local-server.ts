import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { eventTypeOf } from '@/lib/incoming/event-type-policy';
import { type HeaderPairs, toHeaderPairs } from '@/lib/platform/net/header-pairs';
import { findExcess, type RequestHead, type ResponseHead } from '@/lib/tunnel/protocol/heads';
import { RESET } from '@/lib/tunnel/protocol/protocol';
import type { TunnelSession } from '@/lib/tunnel/protocol/session';
import type { TunnelStream } from '@/lib/tunnel/protocol/stream';

/** What the client reads, whatever the limit of the process is. Quoted as JSON it must also fit into a frame (`findExcess`). */
const MAX_LOCAL_HEAD_BYTES = 32 * 1024;

/** A request that the client has answered. */
export interface AnsweredRequest {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  /** Why the local server did not answer; null when it did. */
  error: string | null;
  /** The type of the event that it brings, as its sender names it; null without one. */
  eventType: string | null;
  /** The text of the body; null without one, and beyond 64 KiB. */
  body: string | null;
}

/** Longer bodies are not kept for `AnsweredRequest`. */
const MAX_KEPT_BYTES = 64 * 1024;

/** Passes requests of a tunnel to a local server, and its responses back, as streams. */
export class LocalServer {
  private readonly isTls: boolean;
  private readonly agent: HttpAgent;

  /** @param target origin of the server, with an optional path that is prepended to the path of every request */
  constructor(
    private readonly target: URL,
    private readonly onAnswered: (request: AnsweredRequest) => void = () => undefined,
  ) {
    this.isTls = target.protocol === 'https:';
    this.agent = this.isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /** Serves a request. Responds with 502 when the local server cannot be reached. */
  serve(session: TunnelSession, head: RequestHead, stream: TunnelStream): void {
    const startedAt = performance.now();
    const readBody = head.hasBody ? keepBody(stream) : () => null;
    const answer = (status: number, error: string | null) => {
      const { method, path, headers } = head;
      const body = readBody();
      const durationMs = Math.round(performance.now() - startedAt);
      this.onAnswered({ method, path, status, error, durationMs, eventType: eventTypeOf(headers, () => body), body });
    };
    const request = this.send(head);
    let hasAnswered = false;
    request.on('response', (response) => {
      const responseHead = this.toHead(response);
      const excess = findExcess(responseHead);
      if (excess !== null) {
        response.destroy();
        fail(`the response has ${excess}`, `it cannot pass on the response of the server at ${origin}`);
        return;
      }
      hasAnswered = true;
      session.respond(stream, responseHead);
      answer(response.statusCode ?? 0, null);
      copyBack(response, stream);
    });
    const { origin } = this.target;
    const fail = (reason: string, fault = `the server at ${origin} did not answer`) => {
      if (stream.destroyed || stream.writableEnded) return;
      // The head has been sent, and the other side must not mistake a partial body for a complete one.
      if (hasAnswered) {
        stream.reset(RESET.failed);
        return;
      }
      const text = `The tunnel works, but ${fault}: ${reason}\n`;
      answer(502, reason);
      session.respond(stream, { status: 502, headers: [['Content-Type', 'text/plain; charset=utf-8']] });
      stream.end(text);
      stream.resume();
    };
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => fail(code ?? message));
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail('it switched to another protocol, unasked');
    });
    // The visitor disconnected.
    stream.on('close', () => request.destroy());
    if (head.hasBody) stream.pipe(request);
    else {
      stream.resume();
      request.end();
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private send({ method, path, headers, hasBody }: RequestHead): ClientRequest {
    const { hostname, port, pathname } = this.target;
    const isFramed = headers.some(([name]) => name.toLowerCase() === 'content-length');
    const sent: HeaderPairs = [['Host', this.target.host], ...headers];
    if (hasBody && !isFramed) sent.push(['Transfer-Encoding', 'chunked']);
    return (this.isTls ? httpsRequest : httpRequest)({
      agent: this.agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: `${pathname.replace(/\/$/, '')}${path}`,
      headers: sent.flat() as unknown as Record<string, string>,
      setHost: false,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_LOCAL_HEAD_BYTES,
    });
  }

  private toHead({ statusCode = 502, rawHeaders }: IncomingMessage): ResponseHead {
    const headers = toHeaderPairs(rawHeaders).map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === 'location' ? this.toPath(value) : value,
    ]);
    return { status: statusCode, headers };
  }

  /** A redirect to the local server itself becomes a path, which the relay puts below the public address. */
  private toPath(location: string): string {
    const { origin } = this.target;
    return location === origin || location.startsWith(`${origin}/`) ? location.slice(origin.length) || '/' : location;
  }
}

/** Keeps what arrives of a body. @returns a function that returns its text; null for none, or a long one */
function keepBody(stream: TunnelStream): () => string | null {
  let chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_KEPT_BYTES) chunks.push(chunk);
    else chunks = [];
  });
  return () => (size === 0 || size > MAX_KEPT_BYTES ? null : Buffer.concat(chunks).toString());
}

function copyBack(response: IncomingMessage, stream: TunnelStream): void {
  response.pipe(stream);
  response.on('error', () => undefined);
  response.on('close', () => response.complete || stream.reset(RESET.failed));
}
