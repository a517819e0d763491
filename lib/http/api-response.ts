import type { ContentCoding } from './accept-encoding';

/** Starts the content of a response, in the coding that the client accepts. Called once. */
export type OpenStream = (coding: ContentCoding) => ReadableStream<Uint8Array>;

/**
 * The response of a route. `body` is sent as JSON, `raw` unchanged. The route's schema describes `Body`, also when it is
 * sent as `raw`.
 */
export interface ApiResponse<Body = unknown> {
  status: number;
  body?: Body;
  raw?: {
    contentType: string;
    content: string | Uint8Array | OpenStream;
    /** `content` in gzip, if it is the same for every request: compressing it each time would waste processor time. */
    gzip?: Uint8Array;
  };
  headers?: Record<string, string>;
  /** Complete Set-Cookie values. */
  cookies?: string[];
}

type ResponseExtras = Pick<ApiResponse, 'headers' | 'cookies'>;

/** 200: read or changed. */
export function ok<Body>(body: Body, extras: ResponseExtras = {}): ApiResponse<Body> {
  return { status: 200, body, ...extras };
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

/** 302 to a page. Errors redirect too: a browser must show a page, never a problem document. */
export function redirect(location: string, extras: ResponseExtras = {}): ApiResponse<undefined> {
  return { status: 302, ...extras, headers: { ...extras.headers, Location: location } };
}
