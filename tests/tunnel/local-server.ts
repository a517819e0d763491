import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server behind a tunnel. */
export interface LocalTarget {
  url: URL;
  port: number;
  close(): Promise<void>;
}

/** Starts a server on a free port; it closes after the test. */
export async function startLocal(listener: RequestListener): Promise<LocalTarget> {
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 64 * 1024 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { url: new URL(`http://127.0.0.1:${port}`), port, close };
}

/** What a local server has received. */
export interface Received {
  method: string;
  path: string;
  rawHeaders: string[];
  body: Buffer;
}

/** Reads a request. */
export async function readAll(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { method = '', url: path = '', rawHeaders } = message;
  return { method, path, rawHeaders, body: Buffer.concat(chunks) };
}

/** Answers with what it received, as JSON; the body in base64. */
export async function echo(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = await readAll(message).catch(() => null);
  // The tunnel canceled the request.
  if (received === null) return;
  const { body, ...rest } = received;
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ ...rest, body: body.toString('base64') }));
}
