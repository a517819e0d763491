import { beforeCellIsChosen } from '@/lib/platform/cells/current-cell';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { stringify } from '@/lib/platform/json-text';
import { LARGE_ANSWER_BYTES } from '@/lib/platform/large-body';
import { payForThread } from '@/lib/platform/thread-turns';
import manifest from '@/package.json' with { type: 'json' };
import { type ContentCoding, preferredCoding } from './accept-encoding';
import type { ApiResponse } from './api-response';
import { encode, isCompressible, isCompressibleType } from './compression';
import { withEntityTag } from './entity-tag';
import { toProblem } from './problem';
import { rateLimitHeaders } from './rate-limit-headers';
import type { ApiRequest } from './request';
import { toErrorResponse } from './route';
import { finishRequest, startRequestSpan } from './served-request';
import type { PathEntry, Verb } from './table';
import { inShareOf } from './turns';
import type { WireResponse } from './wire-response';

/** Headers that a page of another origin may read, in addition to the CORS-safelisted ones. */
const EXPOSED = 'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-EDS-Version, X-Request-Id';

const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Request-Id';

const PREFLIGHT_SECONDS = 600;

type Headers = Record<string, string>;

/** Headers of every response under /api. No response is a page, or may be cached or framed. */
const API_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // Lets a client say that it was made for another version.
  'X-EDS-Version': manifest.version,
};

/** Serves a request to a path of the table. Its duration is measured and logged by route template. */
export function dispatch(entry: PathEntry, request: ApiRequest): Promise<WireResponse> {
  const definition = entry[request.method as Verb];
  // AsyncLocalStorage costs a third of a request that sends an event. Its few statements outside of the batch enter
  // their share by themselves, and only where there are several cells it chooses one.
  const isIntake = definition?.caller.confirm !== undefined || definition?.rawBodyBytes !== undefined;
  return beforeCellIsChosen(() =>
    isIntake ? answer(entry, request) : inShareOf(request, () => answer(entry, request)),
  );
}

async function answer(entry: PathEntry, request: ApiRequest): Promise<WireResponse> {
  const startedAt = performance.now();
  const span = startRequestSpan(request, request.header);
  const served = await serve(entry, request);
  const response = { ...served, headers: joinHeaders(served.headers, corsHeaders(request)) };
  Object.assign(response.headers, rateLimitHeaders(request.client));
  finishRequest(request, response.status, startedAt, span);
  return response;
}

/** Answers HEAD like GET without the body, and OPTIONS and unknown verbs from the table. */
async function serve(entry: PathEntry, request: ApiRequest): Promise<WireResponse> {
  const verb = request.method === 'HEAD' ? 'GET' : request.method;
  const definition = entry[verb as Verb];
  if (definition !== undefined && Object.hasOwn(entry, verb)) {
    const { sensitive = false } = definition.response;
    const codingOf = (contentType: string | undefined) =>
      sensitive || !isCompressibleType(contentType) ? 'identity' : preferredCoding(request.header('accept-encoding'));
    const response = await definition.serve(request);
    const startedAt = performance.now();
    const plain = toBytesIfLarge(toWireResponse(response, request.requestId, codingOf));
    const isPlain = sensitive || !isCompressible(plain);
    const tagged = isPlain ? withEntityTag(request, plain, 'strong') : withEntityTag(request, varying(plain), 'weak');
    // Routes that show bodies wait for a turn before they read one.
    if (isLarge(plain)) payForThread(request.client.ownerId, performance.now() - startedAt);
    const finished = isPlain ? tagged : await encode(tagged, codingOf(plain.headers['Content-Type']));
    if (request.method !== 'HEAD') return finished;
    await discardContent(finished);
    return { ...finished, content: null };
  }
  return toWireResponse(await answerOtherVerb(entry, request), request.requestId);
}

/** A compressible response varies with Accept-Encoding even when it is sent uncompressed. */
function varying(response: WireResponse): WireResponse {
  return { ...response, headers: joinHeaders(response.headers, { Vary: 'Accept-Encoding' }) };
}

const isLarge = ({ contentBytes = 0 }: WireResponse) => contentBytes > LARGE_ANSWER_BYTES;

/** Every further step would encode a large text again. */
function toBytesIfLarge(response: WireResponse): WireResponse {
  const { content } = response;
  return typeof content === 'string' && isLarge(response) ? { ...response, content: Buffer.from(content) } : response;
}

/** Answers OPTIONS, and verbs that the path does not have. */
async function answerOtherVerb(entry: PathEntry, request: ApiRequest): Promise<ApiResponse> {
  try {
    const guard = Object.values(entry).find(({ caller }) => caller.guardsPath);
    await guard?.caller.authenticate(request);
  } catch (error) {
    return toErrorResponse(error, request);
  }
  const headers = { Allow: allowed(entry) };
  if (request.method === 'OPTIONS') {
    return { status: 204, headers: { ...headers, ...preflightHeaders(request, headers.Allow) } };
  }
  const refusal = new AppError('method_not_allowed', `This path supports ${headers.Allow}.`, { headers });
  return toProblem(refusal, request.requestId);
}

/** Cancels a stream that will not be read, which releases what it holds. */
export async function discardContent({ content }: WireResponse): Promise<void> {
  if (content instanceof ReadableStream) await content.cancel();
}

/** Answers a path that the table does not have. */
export function dispatchUnknown(requestId: string): WireResponse {
  return toWireResponse(toProblem(new AppError('not_found', 'There is nothing at this path.'), requestId), requestId);
}

function allowed(entry: PathEntry): string {
  const verbs = Object.keys(entry);
  return [...verbs, ...(verbs.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Adds the common headers, serializes the body and opens the stream. @param codingOf the coding of a stream, by its type */
export function toWireResponse(
  response: ApiResponse,
  requestId: string,
  codingOf: (contentType: string | undefined) => ContentCoding = () => 'identity',
): WireResponse {
  const content = response.raw?.content ?? (response.body === undefined ? null : stringify(response.body));
  const contentType = response.raw?.contentType ?? (response.body === undefined ? undefined : 'application/json');
  return {
    status: response.status,
    headers: {
      ...API_HEADERS,
      'X-Request-Id': requestId,
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...response.headers,
    },
    cookies: response.cookies ?? [],
    content: typeof content === 'function' ? content(codingOf(contentType)) : content,
    ...(typeof content === 'function' || content === null ? {} : { contentBytes: content.length }),
    ...(response.raw?.gzip === undefined ? {} : { gzip: response.raw.gzip }),
  };
}

/** Merges two sets of headers. The values of `Vary` are combined (RFC 9110 section 12.5.5). */
function joinHeaders(headers: Headers, added: Headers): Headers {
  const joined = { ...headers, ...added };
  if (headers.Vary !== undefined && added.Vary !== undefined) joined.Vary = `${headers.Vary}, ${added.Vary}`;
  return joined;
}

/**
 * Returns the CORS headers that let pages of API_ALLOWED_ORIGINS read a response. No response allows credentials: cookies
 * are for the dashboard only.
 */
function corsHeaders(request: ApiRequest): Record<string, string> {
  const allowed = config().API_ALLOWED_ORIGINS;
  if (allowed.length === 0) return {};
  if (allowed.includes('*')) return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED };
  const origin = request.header('origin');
  if (origin === null || !allowed.includes(origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, Vary: 'Origin' };
}

/** Returns the additional headers of a preflight response. @param verbs those of the path, as in `Allow` */
function preflightHeaders(request: ApiRequest, verbs: string): Record<string, string> {
  const isPreflight = request.header('access-control-request-method') !== null;
  if (!isPreflight || !('Access-Control-Allow-Origin' in corsHeaders(request))) return {};
  return {
    'Access-Control-Allow-Methods': verbs,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  };
}
