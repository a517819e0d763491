import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { toWireResponse } from './dispatch';
import { toProblem } from './problem';
import type { WireResponse } from './wire-response';

/** Headers of a request: each takes 2 µs, and no client sends half as many. Node would leave out the others, such as a length that it has read, or the address of a proxy. */
export const MAX_HEADERS = 200;

/** Returns the response to a request with an invalid host in its target, without a host, with too many or ambiguous headers, or with an unknown transfer coding. Else null. */
export function refuseRequest(message: IncomingMessage, requestId: string): WireResponse | null {
  // `readRequest` leaves no other target in absolute form.
  const fault = /^https?:\/\//i.test(message.url ?? '') ? 'The host of the URL is invalid.' : findFault(message);
  if (fault === null) return null;
  const refusal = new AppError('invalid_request', fault, { headers: { Connection: 'close' } });
  return toWireResponse(toProblem(refusal, requestId), requestId);
}

/** Whether `refuseRequest` refuses a request for the number of its headers. */
export function hasTooManyHeaders(rawHeaders: readonly string[]): boolean {
  return rawHeaders.length > 2 * MAX_HEADERS;
}

function findFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (hasTooManyHeaders(rawHeaders)) return 'The request has more than 200 headers.';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host.';
  // The body would be stored encoded, and without this header.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    return 'The body has a transfer coding other than chunked.';
  }
  // Another server may read another one than this (RFC 9112 section 3.2).
  return hosts > 1 ? 'The request has more than one Host.' : null;
}

/**
 * Returns the response to a request that repeats a header with a credential. Else null. Node keeps the first Authorization, and a proxy in
 * front may have read another one.
 */
export function refuseRepeatedCredential({ rawHeaders }: IncomingMessage, requestId: string): WireResponse | null {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (name !== 'authorization' && name !== 'x-api-key') continue;
    if (seen.has(name)) {
      const refusal = new AppError('ambiguous_credentials', 'Send Authorization or X-API-Key only once.');
      return toWireResponse(toProblem(refusal, requestId), requestId);
    }
    seen.add(name);
  }
  return null;
}

/** Headers with lists or patterns that are parsed for each request, before its sender is known. 32 KiB of commas take 13 ms. */
const PARSED_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'origin',
  'range',
];
export const MAX_PARSED_CHARS = 1_024;

/** Browsers keep fewer for a site. 32 KiB of semicolons take 30 ms: they are parsed here and by Next. */
const MAX_COOKIES = 200;

/**
 * Returns the response to a request with a long header that would be parsed, or with very many cookies. Else null. Sources take the
 * headers of any sender.
 */
export function refuseLongHeader({ headers }: IncomingMessage, requestId: string): WireResponse | null {
  const name = PARSED_HEADERS.find((each) => (headers[each]?.length ?? 0) > MAX_PARSED_CHARS);
  const fault =
    name !== undefined
      ? `The header ${name} has more than 1,024 characters.`
      : hasMore(headers.cookie ?? '', ';', MAX_COOKIES)
        ? 'The request has more than 200 cookies.'
        : null;
  if (fault === null) return null;
  const refusal = new AppError('invalid_request', fault);
  return toWireResponse(toProblem(refusal, requestId), requestId);
}

/** Whether a separator divides a text into more than so many parts. Does not search further than that. */
function hasMore(text: string, separator: string, most: number): boolean {
  let count = 1;
  for (let at = text.indexOf(separator); at !== -1 && count <= most; at = text.indexOf(separator, at + 1)) count += 1;
  return count > most;
}

/** Parameters of a request. No route has so many. Parsing 4,500 takes 0.24 ms, and Next parses them again. Counting takes 1 µs. */
const MAX_PARAMETERS = 100;
/** Next writes the query of a page into the page, several times: 28 KiB took it a quarter of a second. */
const MAX_QUERY_CHARS = { call: 8 * 1024, page: 2 * 1024 };

/** Returns the response to a request with a query that is too long, or has too many parameters; they are not parsed. Else null. */
export function refuseQuery(
  rawQuery: string,
  requestId: string,
  kind: keyof typeof MAX_QUERY_CHARS = 'call',
): WireResponse | null {
  const fault = hasMore(rawQuery, '&', MAX_PARAMETERS)
    ? 'The request has more than 100 parameters.'
    : rawQuery.length > MAX_QUERY_CHARS[kind]
      ? 'The query is too long.'
      : null;
  if (fault === null) return null;
  const refusal = new AppError('invalid_request', fault);
  return toWireResponse(toProblem(refusal, requestId), requestId);
}
