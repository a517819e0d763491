import { config } from '@/lib/platform/config/config';
import { isCredentialName, REDACTED } from '@/lib/platform/net/credential-names';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { isInternalHeader } from '@/lib/platform/net/via';
import { copyText, toStorable } from '@/lib/platform/text';
import type { CapturedBody, TunnelRequestEntry } from '@/lib/tunnel/types';

/** Whether a header carries a credential, which the log must not keep. Judges by the name, as attempts do. */
export function isCredentialHeader(name: string): boolean {
  // CGI programs do not tell x_api_key from x-api-key.
  const lower = name.toLowerCase().replaceAll('_', '-');
  return isCredentialName(lower) || lower === 'x-platform-admin-token' || isInternalHeader(lower);
}

/** A request as stored in its row. */
export interface LogRow extends Omit<TunnelRequestEntry, 'requestHeaders' | 'responseHeaders'> {
  /** JSON text; null when headers are not kept. */
  requestHeaders: string | null;
  responseHeaders: string | null;
}

/** A response may have larger headers, but the log is for people to read. */
const MAX_HEADER_BYTES = 64 * 1024;
/** What is left of the path of a request in a flood, and of a refused one. */
const MAX_SHORT_PATH_CHARS = 200;
/** The largest value of an integer column. An endless stream can exceed it. */
const MAX_INTEGER = 2_147_483_647;

/**
 * Converts a request to a row, without credentials, and with as much of its headers and bodies as the configuration allows.
 */
export function toLogRow(entry: TunnelRequestEntry): LogRow {
  const { TUNNEL_LOG_HEADERS: keepsHeaders, TUNNEL_LOG_BODY_BYTES: maxBytes } = config();
  const { requestHeaders, responseHeaders, responseSize, error } = entry;
  return {
    ...entry,
    method: toStorable(entry.method),
    path: toStorable(entry.path),
    error: error === null ? null : toStorable(error),
    durationMs: toInteger(entry.durationMs),
    requestSize: toInteger(entry.requestSize),
    responseSize: responseSize === null ? null : toInteger(responseSize),
    requestHeaders: keepsHeaders && requestHeaders !== null ? headersText(requestHeaders) : null,
    responseHeaders: keepsHeaders && responseHeaders !== null ? headersText(responseHeaders) : null,
    requestBody: limitBody(entry.requestBody, maxBytes),
    responseBody: limitBody(entry.responseBody, maxBytes),
  };
}

/** Returns the memory that a row uses, in bytes. */
export function rowBytes(row: LogRow): number {
  return textBytes(row) + bodyBytes(row) + 500;
}

/** Returns the length of a row's path and headers in characters, which is close to their size in bytes. */
export function textBytes({ path, requestHeaders, responseHeaders }: LogRow): number {
  return path.length + (requestHeaders?.length ?? 0) + (responseHeaders?.length ?? 0);
}

/** Removes a row's headers and cuts a long path. A request without headers cannot be replayed. */
export function shortenTexts(row: LogRow): void {
  row.requestHeaders = null;
  row.responseHeaders = null;
  row.path = copyText(row.path.slice(0, MAX_SHORT_PATH_CHARS));
}

/** Removes a row's bodies, except empty ones, which are complete. @returns the bytes freed */
export function removeBodies(row: LogRow): number {
  const before = bodyBytes(row);
  if (row.requestBody?.bytes.length !== 0) row.requestBody = null;
  if (row.responseBody?.bytes.length !== 0) row.responseBody = null;
  return before;
}

/** Returns the size of a row's bodies, in bytes. */
export function bodyBytes({ requestBody, responseBody }: LogRow): number {
  return (requestBody?.bytes.length ?? 0) + (responseBody?.bytes.length ?? 0);
}

function headersText(headers: HeaderPairs): string {
  let size = 0;
  const kept: HeaderPairs = [];
  for (const [name, value] of headers) {
    const shown = isCredentialHeader(name) ? REDACTED : value;
    size += name.length + shown.length;
    if (size > MAX_HEADER_BYTES) break;
    kept.push([name, shown]);
  }
  return JSON.stringify(kept);
}

function limitBody(body: CapturedBody | null, maxBytes: number): CapturedBody | null {
  if (body === null) return null;
  // That a part of it is missing is kept all the same: such a request is not replayed.
  if (maxBytes === 0) return body.truncated ? { bytes: Buffer.alloc(0), truncated: true } : null;
  const bytes = body.bytes.subarray(0, maxBytes);
  // A view of a larger buffer would keep all of that buffer in memory.
  const isPart = bytes.buffer.byteLength > 2 * bytes.length;
  return { bytes: isPart ? Buffer.from(bytes) : bytes, truncated: body.truncated || bytes.length < body.bytes.length };
}

function toInteger(value: number): number {
  return Math.min(MAX_INTEGER, Math.max(0, Math.round(value) || 0));
}
