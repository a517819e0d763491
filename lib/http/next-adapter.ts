import { newId } from '@/lib/platform/ids';
import { clientSite } from '@/lib/platform/net/client-network';
import { readWebBody } from './body-reader';
import { dispatch, dispatchUnknown } from './dispatch';
import {
  PRIVATE_CONTENT_BYTES,
  PRIVATE_CONTENT_ENCODING,
  type PrivateRequestInfo,
  readPrivateHeaders,
} from './private-headers';
import { type ApiRequest, chooseRequestId } from './request';
import type { PathEntry } from './table';
import { BYTES_OF_MS } from './turns';
import type { WireResponse } from './wire-response';

type NextContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };
type NextHandler = (request: Request, context: NextContext) => Promise<Response>;
type NextVerb = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Returns Next's route handlers for one path of the table. The table answers every verb. */
export function toNext(route: string, entry: PathEntry): Record<NextVerb, NextHandler> {
  const handler: NextHandler = async (request, context) => {
    // Next resolves it to undefined on a path without parameters.
    const params = ((await context.params) ?? {}) as Record<string, string>;
    return toResponse(await dispatch(entry, toApiRequest(request, route, params)));
  };
  return onEveryVerb(handler);
}

/** Returns the handlers for paths that the table does not have, for requests that reach Next without the web entry. */
export function notFoundNext(): Record<NextVerb, NextHandler> {
  const handler: NextHandler = async (request) =>
    toResponse(dispatchUnknown(requestIdOf(request, readPrivateHeaders(request.headers))));
  return onEveryVerb(handler);
}

/** Next selects a handler by verb, but the table decides which verbs a path has. */
function onEveryVerb(handler: NextHandler): Record<NextVerb, NextHandler> {
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

function requestIdOf(request: Request, known: PrivateRequestInfo | null): string {
  return known?.requestId ?? chooseRequestId(request.headers.get('x-request-id'), newId);
}

function toApiRequest(request: Request, route: string, params: Record<string, string>): ApiRequest {
  const known = readPrivateHeaders(request.headers);
  const { search, searchParams } = new URL(request.url);
  return {
    method: request.method,
    route,
    params,
    query: searchParams,
    rawQuery: search.slice(1),
    // Without the web entry, the Content-Encoding that Next drops is not restored, so nothing may be compressed.
    header: (name) => (name === 'accept-encoding' ? (known?.acceptEncoding ?? null) : request.headers.get(name)),
    listHeaders: () => [...request.headers],
    readBody: (limitBytes, use) => readWebBody(request, limitBytes, clientSite(known?.clientAddress ?? ''), use),
    client: {
      ipAddress: known?.clientAddress ?? null,
      userAgent: request.headers.get('user-agent'),
      disconnectSignal: () => request.signal,
    },
    requestId: requestIdOf(request, known),
  };
}

function toResponse(response: WireResponse): Response {
  const { 'Content-Encoding': coding, ...rest } = response.headers;
  const headers = new Headers(coding === undefined ? rest : { ...rest, [PRIVATE_CONTENT_ENCODING]: coding });
  for (const cookie of response.cookies) headers.append('Set-Cookie', cookie);
  const { contentBytes = 0 } = response;
  if (contentBytes >= BYTES_OF_MS) headers.set(PRIVATE_CONTENT_BYTES, String(contentBytes));
  return new Response(response.content as BodyInit | null, { status: response.status, headers });
}
