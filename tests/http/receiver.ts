import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Time of performance.now(). */
  at: number;
}

export interface Receiver {
  url: string;
  port: number;
  received: ReceivedRequest[];
  close(): Promise<void>;
}

/** Responds to a request after its body was read; `index` counts from 0. */
export type Responder = (response: ServerResponse, index: number, request: ReceivedRequest) => void;

export const respondWith =
  (status: number, body = '', headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Starts an HTTP server on a free local port; it closes after the test. */
export async function startReceiver(answer: Responder = respondWith(200, 'ok')): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (message, response) => {
    const request = { ...(await readRequest(message)), at: performance.now() };
    received.push(request);
    answer(response, received.length - 1, request);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close: () => {
      server.closeAllConnections();
      // Runs also when it is closed already.
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  onTestFinished(receiver.close);
  return receiver;
}

/** Starts a receiver that responds with 200 and only counts requests: for more bytes than fit into memory. */
export async function startCountingReceiver(): Promise<{ port: number; count(): number }> {
  let count = 0;
  const server = createServer((message, response) => {
    count += 1;
    message.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, count: () => count };
}

async function readRequest(message: IncomingMessage): Promise<Omit<ReceivedRequest, 'at'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: message.method ?? '', path: message.url ?? '', headers: message.headers, body };
}

/** Waits until `check` returns true. @throws Error after `timeoutMs`, naming the condition */
export async function waitFor(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  for (const end = performance.now() + timeoutMs; !(await check()); ) {
    if (performance.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
