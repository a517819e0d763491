import { connect } from 'node:net';
import type { Rendered } from './plan';

/** What a server sends back for one request. */
export interface RawAnswer {
  status: number;
  /** By lower-case name; of several the last. */
  headers: Record<string, string>;
  text: string;
  ms: number;
}

/** Nothing that could be read, and why. */
export interface NoAnswer {
  reason: string;
  ms: number;
}

/** Longer than any answer may take. */
export const PATIENCE_MS = 10_000;

/**
 * Sends bytes as they are: clients of HTTP repair or refuse much of what an attacker would send. Reads one answer; a second
 * one, to what a server takes for another request, is not looked at.
 */
export function sendRaw(port: number, request: Rendered): Promise<RawAnswer | NoAnswer> {
  return new Promise((resolve) => {
    const started = performance.now();
    const received: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const finish = (reason: string) => {
      clearTimeout(timer);
      socket.destroy();
      const ms = performance.now() - started;
      const answer = readAnswer(Buffer.concat(received), request.method);
      resolve(answer === null ? { reason, ms } : { ...answer, ms });
    };
    const timer = setTimeout(() => finish(`no answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (readAnswer(Buffer.concat(received), request.method) !== null) finish('');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => finish(`the connection failed: ${error.code}`));
    socket.on('close', () => finish('the connection was closed'));
    socket.write(request.head, 'latin1');
    socket.write(request.body);
    if (request.hangsUp) socket.end();
  });
}

const HEAD_END = '\r\n\r\n';

/** The first final answer in what was received; null while a part of it is missing. */
export function readAnswer(bytes: Buffer, method: string): Omit<RawAnswer, 'ms'> | null {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + HEAD_END.length);
  if (status >= 100 && status < 200) return readAnswer(rest, method);
  const headers = Object.fromEntries(lines.map(readHeader));
  const text = method === 'HEAD' || status === 204 || status === 304 ? '' : readContent(headers, rest);
  return text === null ? null : { status, headers, text };
}

function readHeader(line: string): [name: string, value: string] {
  const mark = line.indexOf(':');
  return [line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()];
}

function readContent(headers: Record<string, string>, rest: Buffer): string | null {
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
