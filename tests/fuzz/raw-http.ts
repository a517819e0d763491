import { connect } from 'node:net';
import type { Rendered } from './plan';

/** The response to one request. */
export interface RawResponse {
  status: number;
  /** By lower-case name; the last of a repeated header. */
  headers: Record<string, string>;
  text: string;
  ms: number;
}

/** No readable response, and why. */
export interface NoResponse {
  reason: string;
  ms: number;
}

/** No response may take this long. */
export const MAX_RESPONSE_MS = 30_000;

/**
 * Sends bytes as they are: HTTP clients repair or refuse much of what an attacker would send. Reads one response; a
 * second one, to bytes that the server takes for another request, is ignored.
 */
export function sendRaw(port: number, request: Rendered): Promise<RawResponse | NoResponse> {
  return new Promise((resolve) => {
    const started = performance.now();
    const received: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const finish = (reason: string) => {
      clearTimeout(timer);
      socket.destroy();
      const ms = performance.now() - started;
      const answer = readResponse(Buffer.concat(received), request.method);
      resolve(answer === null ? { reason, ms } : { ...answer, ms });
    };
    const timer = setTimeout(() => finish(`no response within ${MAX_RESPONSE_MS / 1000} s`), MAX_RESPONSE_MS);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (readResponse(Buffer.concat(received), request.method) !== null) finish('');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => finish(`the connection failed: ${error.code}`));
    socket.on('close', () => finish('the connection was closed'));
    socket.write(request.head, 'latin1');
    socket.write(request.body);
    if (request.hangsUp) socket.end();
  });
}

const HEAD_END = '\r\n\r\n';

/** Parses the first final response; null while it is incomplete. */
export function readResponse(bytes: Buffer, method: string): Omit<RawResponse, 'ms'> | null {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + HEAD_END.length);
  if (status >= 100 && status < 200) return readResponse(rest, method);
  const headers = Object.fromEntries(lines.map(readHeader));
  const text = method === 'HEAD' || status === 204 || status === 304 ? '' : readContent(headers, rest);
  return text === null ? null : { status, headers, text };
}

function readHeader(line: string): [name: string, value: string] {
  const mark = line.indexOf(':');
  return [line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()];
}

function readContent(headers: Record<string, string>, rest: Buffer): string | null {
  // A mutated request may ask for a stream that lasts longer than a response may take.
  if (headers['content-type'] === 'text/event-stream') return '';
  if (headers['transfer-encoding'] === 'chunked') return readChunks(rest);
  const length = Number(headers['content-length'] ?? Number.NaN);
  return rest.length >= length ? rest.subarray(0, length).toString('utf8') : null;
}

function readChunks(bytes: Buffer): string | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const chunkEnd = lineEnd + 2 + size;
    if (bytes.length < chunkEnd + 2) return null;
    if (size === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(bytes.subarray(lineEnd + 2, chunkEnd));
    at = chunkEnd + 2;
  }
}
