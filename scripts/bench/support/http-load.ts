import { connect, type Socket } from 'node:net';
import type { Pool } from 'undici';
import { atPace } from './pace.mjs';

/** The result of a load of equal requests. */
export interface LoadResult {
  /** Responses per second. */
  perSecond: number;
  latenciesMs: number[];
  /** Responses by status. */
  statuses: Record<string, number>;
}

/**
 * Sends one request repeatedly on keep-alive connections, one at a time on each.
 *
 * Uses raw sockets and reads only the status and the length of a response: client, service and database share the machine,
 * so the CPU of a client library would count too.
 */
export async function loadHttp(port: number, request: Buffer, connections: number, ms: number): Promise<LoadResult> {
  const result: LoadResult = { perSecond: 0, latenciesMs: [], statuses: {} };
  const started = performance.now();
  const end = started + ms;
  await Promise.all(Array.from({ length: connections }, () => runConnection(port, request, end, result)));
  result.perSecond = result.latenciesMs.length / ((performance.now() - started) / 1000);
  return result;
}

/** @throws Error unless every request got 202 */
export function requireAccepted(result: LoadResult): LoadResult {
  const statuses = Object.keys(result.statuses);
  if (statuses.some((status) => status !== '202')) throw new Error(`not every event got 202: ${statuses}`);
  return result;
}

function runConnection(port: number, request: Buffer, end: number, result: LoadResult): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let pending = '';
    const send = () => {
      sentAt = performance.now();
      if (sentAt >= end) {
        socket.end();
        resolve();
        return;
      }
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      pending += chunk;
      const length = answerLength(pending);
      if (length === null || pending.length < length) return;
      const status = pending.slice(9, 12);
      pending = pending.slice(length);
      result.statuses[status] = (result.statuses[status] ?? 0) + 1;
      result.latenciesMs.push(performance.now() - sentAt);
      send();
    });
  });
}

function answerLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = text.slice(0, headEnd);
  const declared = /content-length: (\d+)/i.exec(head);
  if (declared !== null) return headEnd + 4 + Number(declared[1]);
  const lastChunk = text.indexOf('\r\n0\r\n\r\n', headEnd);
  return lastChunk === -1 ? null : lastChunk + 7;
}

/** Returns the bytes of a request. */
export function httpRequest(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const all = { Host: '127.0.0.1', ...headers, ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends GETs at a fixed rate, without waiting for responses.
 * @returns the latency of each, in milliseconds
 */
export function getAtPace(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  perSecond: number,
  ms: number,
): Promise<number[]> {
  return atPace(perSecond, ms, async () => {
    const sentAt = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.text();
    if (statusCode !== 200) throw new Error(`GET ${path} got ${statusCode}`);
    return performance.now() - sentAt;
  });
}
