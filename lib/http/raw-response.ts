import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client may take to read a response on a socket without a server before the connection is destroyed. */
const LINGER_MS = 2_000;

/** A response with a text. */
export interface RawResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Writes a response on a socket that node:http has given away, and ends it. */
export function endWithResponse(socket: Duplex, { status, headers, body }: RawResponse): void {
  const lines = Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // The server's timeouts do not apply to this socket: a client that keeps its end open would hold it indefinitely.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // Otherwise the timer keeps a socket in memory that has closed.
  socket.once('close', () => clearTimeout(timer));
}
