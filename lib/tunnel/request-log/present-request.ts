import { type HeaderPairs, parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import type { ReplayObstacle, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';

/** Columns of a list row, without headers and bodies. */
export const LISTED = {
  ...{ id: true, tunnelId: true, method: true, path: true, responseStatus: true, durationMs: true, requestSize: true },
  ...{ responseSize: true, error: true, replayOf: true, createdAt: true },
} as const;

/** Converts a row to a request without headers and bodies. */
export function presentRequest(row: Pick<TunnelRequestLog, keyof typeof LISTED>): TunnelRequest {
  const { id, tunnelId, method, path, responseStatus, durationMs, requestSize, responseSize, error, replayOf } = row;
  return {
    ...{ id, tunnelId, method, path, responseStatus, durationMs, requestSize, responseSize, error, replayOf },
    createdAt: row.createdAt.toISOString(),
  };
}

/** Converts a row to a request with its headers and bodies, without the check of its signature. */
export function presentRequestDetail(row: TunnelRequestLog): Omit<TunnelRequestDetail, 'signature'> {
  const [request, response] = [presentBody(row.requestBody), presentBody(row.responseBody)];
  return {
    ...presentRequest(row),
    requestHeaders: parseHeaders(row.requestHeaders),
    requestBody: request.text,
    requestBodyBase64: request.base64,
    requestBodyTruncated: row.requestBodyTruncated,
    responseHeaders: parseHeaders(row.responseHeaders),
    responseBody: response.text,
    responseBodyBase64: response.base64,
    responseBodyTruncated: row.responseBodyTruncated,
    replayObstacle: findReplayObstacle(row),
  };
}

/** Returns why a request cannot be replayed unchanged; null if it can. */
export function findReplayObstacle(row: TunnelRequestLog): ReplayObstacle | null {
  if (row.requestHeaders === null) return 'headers_not_kept';
  if (row.requestBody === null) return row.requestSize === 0 ? null : 'body_not_kept';
  return row.requestBodyTruncated || row.requestBody.length < row.requestSize ? 'body_truncated' : null;
}

/** Parses the headers of a row; null when they were not kept. */
export function parseHeaders(text: string | null): HeaderPairs | null {
  return text === null ? null : parseHeaderPairs(text);
}

function presentBody(body: Uint8Array | null): { text: string | null; base64: string | null } {
  if (body === null) return { text: null, base64: null };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body), base64: null };
  } catch {
    return { text: null, base64: Buffer.from(body).toString('base64') };
  }
}
