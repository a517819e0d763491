import type { ContentCoding } from './accept-encoding';

/** Opens the content of a response while it is sent, in the coding that the client accepts. Called once. */
export type OpenStream = (coding: ContentCoding) => ReadableStream<Uint8Array>;

/**
 * The response of a route. `body` is sent as JSON; `raw` is sent as it is. `Body` is what the route's schema describes, for
 * `raw` as well.
 */
export interface ApiResponse<Body = unknown> {
  status: number;
  body?: Body;
  raw?: { contentType: string; content: string | Uint8Array | OpenStream };
  headers?: Record<string, string>;
  /** Whole Set-Cookie values. */
  cookies?: string[];
}

export type ResponseExtras = Pick<ApiResponse, 'headers' | 'cookies'>;

/** 200: read or changed. */
export function ok<Body>(body: Body, extras: ResponseExtras = {}): ApiResponse<Body> {
  return { status: 200, body, ...extras };
}

/** 200 with one more member, whose JSON text is sent as it is stored, byte for byte. */
export function okWithJsonMember<Body extends object, Name extends string>(
  body: Body,
  name: Name,
  jsonText: string,
): ApiResponse<Body & Record<Name, Record<string, unknown>>> {
  const head = JSON.stringify(body).slice(0, -1);
  const comma = head === '{' ? '' : ',';
  const content = `${head}${comma}${JSON.stringify(name)}:${jsonText}}`;
  return { status: 200, raw: { contentType: 'application/json', content } };
}

/** 201: created. */
export function created<Body>(body: Body, extras: ResponseExtras = {}): ApiResponse<Body> {
  return { status: 201, body, ...extras };
}

/** 202: accepted for later. */
export function accepted<Body>(body: Body, extras: ResponseExtras = {}): ApiResponse<Body> {
  return { status: 202, body, ...extras };
}

/** 204: done, without a body. */
export function noContent(extras: ResponseExtras = {}): ApiResponse<undefined> {
  return { status: 204, ...extras };
}

/** 302 to a page. A fault redirects as well: a browser is shown a page, never a problem document. */
export function redirect(location: string, extras: ResponseExtras = {}): ApiResponse<undefined> {
  return { status: 302, ...extras, headers: { ...extras.headers, Location: location } };
}
