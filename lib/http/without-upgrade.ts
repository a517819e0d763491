import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** The parser gets what came with the request in pieces, so that one which is refused ends the reading of the next. */
const PIECE_BYTES = 2 * 1024;

/**
 * Serves a request that offers another protocol as if it did not, which it must allow (RFC 9110 section 7.8). Node has
 * detached the socket from its parser, so the request is parsed again, without the offer.
 */
export function serveWithoutUpgrade(server: Server, message: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = message;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    const kept = keptValue(name.toLowerCase(), value, message);
    if (kept !== null) lines.push(`${name}: ${kept}`);
  }
  // Before what has arrived since.
  for (const piece of inPieces(head).reverse()) socket.unshift(piece);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  server.emit('connection', socket);
}

function inPieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}

/** @returns null for a header that is left out */
function keptValue(name: string, value: string, { headers }: IncomingMessage): string | null {
  switch (name) {
    case 'upgrade':
      return null;
    case 'connection':
      return withoutOption(value, 'upgrade') || null;
    case 'host':
      // That of a target in absolute form, which the request does not have the second time.
      return headers.host ?? value;
    default:
      return value;
  }
}

function withoutOption(connection: string, option: string): string {
  const options = connection.split(',').map((each) => each.trim());
  return options.filter((each) => each !== '' && each.toLowerCase() !== option).join(', ');
}
