import {
  type RedactSignatures,
  redactSignatureHeaders,
  signatureRedactor,
  signaturesIn,
} from '@/lib/delivery/attempts/redact-signatures';
import { REDACTED, redactQuery, secretsInQuery } from '@/lib/platform/net/credential-names';
import { type HeaderPairs, parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import { present, presentBody } from '@/lib/platform/present';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { type ReplayObstacle, TunnelRequest, type TunnelRequestDetail } from '@/lib/tunnel/schema';
import { isCredentialHeader } from './log-row';

/**
 * Converts a row to a request without headers and bodies.
 * @param showsSecrets false redacts the secrets of its query
 */
export function presentRequest(
  row: Omit<TunnelRequest, 'createdAt'> & { createdAt: Date },
  showsSecrets: boolean,
): TunnelRequest {
  return present(TunnelRequest, { ...row, path: showsSecrets ? row.path : redactPath(row.path) });
}

/**
 * Converts a row to a request with its headers and bodies, without the check of its signature.
 * @param showsSecrets false redacts the signatures, also where the local server repeats them, and the secrets of the query
 * @param chosen see `isSignatureName`
 */
export function presentRequestDetail(
  row: TunnelRequestLog,
  showsSecrets: boolean,
  chosen: readonly string[],
): Omit<TunnelRequestDetail, 'signature'> {
  const given = parseHeaders(row.requestHeaders);
  const redact = showsSecrets
    ? null
    : signatureRedactor(signaturesIn(given ?? [], chosen), secretsInQuery(queryOf(row.path)));
  const shown = redact === null || given === null ? given : redactSignatureHeaders(given, chosen, redact);
  const headers = parseHeaders(row.responseHeaders);
  const request = presentBody(row.requestBody);
  // Nothing can be redacted within a compressed body.
  const isHidden = redact !== null && isEncoded(headers);
  const response = presentBody(isHidden ? null : redactBody(row.responseBody, redact));
  return {
    ...presentRequest(row, showsSecrets),
    requestHeaders: shownHeaders(shown, (value) => value),
    requestBody: request.body,
    requestBodyBase64: request.bodyBase64,
    requestBodyTruncated: row.requestBodyTruncated,
    responseHeaders: shownHeaders(headers, (value) => redact?.bytes(value) ?? value),
    responseBody: response.body,
    responseBodyBase64: response.bodyBase64,
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

/** Earlier versions stored some of the credentials that their names tell. */
function shownHeaders(headers: HeaderPairs | null, show: (value: string) => string): HeaderPairs | null {
  return headers?.map(([name, value]) => [name, isCredentialHeader(name) ? REDACTED : show(value)]) ?? null;
}

/** Whether the body of a message is compressed, by its headers. */
export function isEncoded(headers: HeaderPairs | null): boolean {
  const codings = headers?.filter(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  return codings.some(([, coding]) => coding.trim().toLowerCase() !== 'identity');
}

function redactPath(path: string): string {
  const query = queryOf(path);
  return query === '' ? path : path.slice(0, -query.length) + redactQuery(query);
}

function queryOf(path: string): string {
  const mark = path.indexOf('?');
  return mark === -1 ? '' : path.slice(mark + 1);
}

/** Characters are bytes here, so that a body that is not UTF-8 keeps its others. */
function redactBody(body: Uint8Array | null, redact: RedactSignatures | null): Uint8Array | null {
  if (body === null || redact === null) return body;
  return Buffer.from(redact.bytes(Buffer.from(body).toString('latin1')), 'latin1');
}
