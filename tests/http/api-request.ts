import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { api, subtrees } from '@/lib/api/table';
import { dispatch, dispatchUnknown } from '@/lib/http/dispatch';
import type { ApiRequest } from '@/lib/http/request';
import { toMatcher } from '@/lib/http/table';
import type { WireResponse } from '@/lib/http/wire-response';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { findResponseFault } from './response-fault';

/** The problem document of a rejected request. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: { path: string; message: string }[];
}

export interface CallOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  bearer?: string;
  apiKey?: string;
  /** Value of the Cookie header. */
  cookie?: string;
  headers?: Record<string, string>;
}

export interface TestResponse<T> {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Values of Set-Cookie. */
  cookies: string[];
  json: T;
  text: string;
}

/** Asserts that a request got a problem document with this status and code. */
export function expectProblem({ json }: TestResponse<unknown>, status: number, code: string): void {
  expect(json).toMatchObject({ status, code });
}

/** Asserts that a request was refused for one field or parameter. */
export function expectInvalid({ json }: TestResponse<unknown>, path: string | undefined): void {
  const { status, code, errors } = json as Problem;
  expect([status, code, errors?.[0]?.path]).toEqual([400, 'validation_failed', path]);
}

/** An HTTP request, independent of the transport. */
export interface WireRequest {
  method: string;
  /** With its query. */
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string | null;
}

export type ReceivedResponse = Omit<TestResponse<unknown>, 'json'>;

/** The transport of requests: the route table, or the socket of a server. */
export type Send = (request: WireRequest) => Promise<ReceivedResponse>;

export type Call = <T = Problem>(method: string, path: string, options?: CallOptions) => Promise<TestResponse<T>>;

/** Returns a client of the API over a transport. */
export function callOver(send: Send): Call {
  return async <T>(method: string, path: string, options: CallOptions = {}) => {
    const answer = await send(toWire(method, path, options));
    const fault = findResponseFault(method, path, answer);
    if (fault !== null) throw new Error(fault);
    const isJson = /\bjson\b/.test(answer.headers['content-type'] ?? '');
    return { ...answer, json: (isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined) as T };
  };
}

const match = toMatcher(api, subtrees);

/** Dispatches a request through the route table without a server; routing, callers, schemas and handlers are the real ones. */
export const sendThroughTable: Send = async (wire) => {
  const { pathname, search, searchParams } = new URL(wire.path, 'http://localhost');
  const found = match(pathname);
  if (found === null) return received(dispatchUnknown(newId()));
  const request: ApiRequest = {
    method: wire.method,
    route: found.route,
    params: found.params,
    query: searchParams,
    rawQuery: search.slice(1),
    header: (name) => wire.headers[name] ?? null,
    listHeaders: () => Object.entries(wire.headers),
    readBody: async (limitBytes, use) => {
      const bytes = Buffer.from(wire.body ?? '');
      if (bytes.length > limitBytes) throw new AppError('payload_too_large', 'The body is too large.');
      return use(bytes, () => new AbortController().signal);
    },
    client: { ipAddress: TEST_ADDRESS, userAgent: wire.headers['user-agent'] ?? null },
    requestId: newId(),
  };
  return received(await dispatch(found.entry, request));
};

/** The client address of requests made with `call`. */
export const TEST_ADDRESS = '203.0.113.7';

/** Calls the API through the route table. */
export const call: Call = callOver(sendThroughTable);

function toWire(method: string, path: string, options: CallOptions): WireRequest {
  const { body, bearer, apiKey, cookie, headers = {} } = options;
  const given = Object.entries({
    'content-type': body === undefined ? undefined : 'application/json',
    authorization: bearer === undefined ? undefined : `Bearer ${bearer}`,
    'x-api-key': apiKey,
    cookie,
    host: 'localhost:3000',
    ...headers,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value] as const]));
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return { method, path, headers: Object.fromEntries(given), body: text };
}

async function received(answer: WireResponse): Promise<ReceivedResponse> {
  const headers = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const bytes = Buffer.from(await new Response(answer.content as BodyInit | null).arrayBuffer());
  const wireHeaders = Object.fromEntries(headers);
  const text = decodeContent(bytes, wireHeaders);
  return { status: answer.status, headers: wireHeaders, cookies: answer.cookies, text };
}

/** The text of a body, as a client gets at it that honors Content-Encoding. */
export function decodeContent(bytes: Buffer, headers: Record<string, string>): string {
  return String(headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes);
}
