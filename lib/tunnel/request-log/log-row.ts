import { config } from '@/lib/platform/config/config';
import { toStorable } from '@/lib/platform/text';
import { isCredentialHeader, REDACTED } from '@/lib/tunnel/credential-headers';
import type { CapturedBody, TunnelRequestEntry } from '@/lib/tunnel/types';

/** A request as its row holds it. */
export interface LogRow extends Omit<TunnelRequestEntry, 'requestHeaders' | 'responseHeaders'> {
  /** JSON text; null when they are not kept. */
  requestHeaders: string | null;
  responseHeaders: string | null;
}

/** A response may have as many headers as its frame holds. The columns are for reading, not for more than that. */
const MAX_HEADER_BYTES = 64 * 1024;
/** What is left of the path of a request in a flood, and of a refused one. */
const MAX_SHORT_PATH_CHARS = 200;
/** The largest integer of a column. A stream that never ends may be larger. */
const MAX_INTEGER = 2_147_483_647;

/** Converts a request to a row: without credentials, and with what the configuration allows of headers and bodies. */
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

/** Returns the memory that a row takes, in bytes. */
export function rowBytes(row: LogRow): number {
  return textBytes(row) + bodyBytes(row) + 500;
}

/** Returns the length of the path and the headers of a row, near their bytes. */
export function textBytes({ path, requestHeaders, responseHeaders }: LogRow): number {
  return path.length + (requestHeaders?.length ?? 0) + (responseHeaders?.length ?? 0);
}

/** Removes the headers of a row, and the end of a long path. Without its headers it is not replayed. */
export function shortenTexts(row: LogRow): void {
  row.requestHeaders = null;
  row.responseHeaders = null;
  row.path = row.path.slice(0, MAX_SHORT_PATH_CHARS);
}

/** Removes the bodies of a row. An empty one stays: it says that all of the body is there. @returns the bytes that this frees */
export function removeBodies(row: LogRow): number {
  const before = bodyBytes(row);
  if (row.requestBody?.bytes.length !== 0) row.requestBody = null;
  if (row.responseBody?.bytes.length !== 0) row.responseBody = null;
  return before;
}

/** Returns how many bytes of bodies a row holds. */
export function bodyBytes({ requestBody, responseBody }: LogRow): number {
  return (requestBody?.bytes.length ?? 0) + (responseBody?.bytes.length ?? 0);
}

function headersText(headers: readonly [name: string, value: string][]): string {
  let size = 0;
  const kept: [string, string][] = [];
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
  // A part of a larger buffer would keep all of that buffer in memory.
  const isPart = bytes.buffer.byteLength > 2 * bytes.length;
  return { bytes: isPart ? Buffer.from(bytes) : bytes, truncated: body.truncated || bytes.length < body.bytes.length };
}

function toInteger(value: number): number {
  return Math.min(MAX_INTEGER, Math.max(0, Math.round(value) || 0));
}
