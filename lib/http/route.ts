import type * as z from 'zod';
import { isDatabaseAway, isReferenceGone, isStatementCancelled } from '@/lib/platform/db';
import { AppError, isAppError, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import type { ApiResponse } from './api-response';
import type { CallerPolicy } from './caller-policy';
import { MAX_FAULTS, MAX_PATH_CHARS, readJson, refuseBody, validate } from './json-body';
import { openCursor, sealCursor } from './list-cursor';
import { toProblem } from './problem';
import type { ApiRequest } from './request';

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** What is parsed for somebody who has shown nothing yet: a mebibyte of brackets holds the event loop for half a second. */
const STRANGERS_BODY_LIMIT_BYTES = 64 * 1024;

/** What a handler is given: everything already checked. */
export interface HandlerContext<C, P extends string, Q, B, H> {
  caller: C;
  params: Record<P, string>;
  query: Q;
  /** The headers a route declares, by lower-case name. */
  headers: H;
  body: B;
  /** The body's own text, where a schema is declared: for what must be kept as it was sent. */
  bodyText: string;
  request: ApiRequest;
}

/** What success looks like. `R` is the JSON value of the body; undefined where there is none. */
export interface ResponseForm<R = unknown> {
  status: number;
  schema?: z.ZodType<R>;
  /**
   * The body holds a secret, such as a token or a key. No answer of the route is compressed: its length would tell what the secret
   * has in common with text that somebody else has put beside it (BREACH).
   */
  sensitive?: true;
}

/** A route as data: what both adapters serve, OpenAPI tells, and the tests that walk every route read. */
export interface RouteDefinition {
  /** One sentence, imperative, for OpenAPI. */
  summary: string;
  caller: CallerPolicy<unknown>;
  params: readonly string[];
  query?: z.ZodType;
  headers?: z.ZodObject;
  body?: z.ZodType;
  bodyLimitBytes: number;
  bodyOptional: boolean;
  response: ResponseForm;
  /** 'node' is served by the web entry before Next (DESIGN 4b): some twenty times the throughput. */
  lane: 'next' | 'node';
  serve(request: ApiRequest): Promise<ApiResponse>;
}

interface RouteOptions<C, P extends string, Q, B, H, R> {
  summary: string;
  caller: CallerPolicy<C>;
  params?: readonly P[];
  query?: z.ZodType<Q>;
  headers?: z.ZodObject & z.ZodType<H>;
  body?: z.ZodType<B>;
  bodyLimitBytes?: number;
  bodyOptional?: boolean;
  response: ResponseForm<R>;
  lane?: 'next' | 'node';
  /** What it returns is what `response.schema` describes; the test suites parse every body with it. */
  handler(context: HandlerContext<C, P, Q, B, H>): Promise<ApiResponse<NoInfer<R>>>;
}

/**
 * Declares a route. Checks run in the contract's order (CONTRACT 10): credentials, kind of caller, tenancy, role or scope,
 * then query and body (415, 413, 400); only then the handler.
 */
export function route<C, P extends string = never, Q = undefined, B = undefined, H = undefined, R = undefined>(
  options: RouteOptions<C, P, Q, B, H, R>,
): RouteDefinition {
  const { summary, caller, params = [], query, headers, body, response, lane = 'next' } = options;
  const { bodyLimitBytes = caller.kind === 'anyone' ? STRANGERS_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES } = options;
  const { bodyOptional = false } = options;
  const read = async (request: ApiRequest, known: C) => {
    checkIds(request);
    refuseRepeated(request);
    const checkedQuery = query
      ? validate(query, Object.fromEntries(isList(query) ? openCursor(request) : request.query))
      : refuseQuery(request);
    const checkedHeaders = (headers ? validate(headers, declaredHeaders(headers, request)) : undefined) as H;
    const checked = { query: checkedQuery as Q, headers: checkedHeaders };
    if (!body) {
      if (request.method !== 'GET' && request.method !== 'HEAD') await refuseBody(request, STRANGERS_BODY_LIMIT_BYTES);
      return { ...checked, body: undefined as B, bodyText: '' };
    }
    const json = await readJson(request, bodyLimitBytes, bodyOptional, async (bytes) => {
      if (bytes > STRANGERS_BODY_LIMIT_BYTES) await caller.confirm?.(known, request);
    });
    const checkedBody = validate(body, json.value);
    return { ...checked, body: checkedBody, bodyText: json.text };
  };
  const serve = async (given: ApiRequest): Promise<ApiResponse> => {
    const request = { ...given, params: foldIds(given.params) };
    const known = await caller.authenticate(request);
    const input = await read(request, known).catch(async (fault) => {
      // A policy that leaves its database check to the handler's own statement must still speak before the body's fault.
      await caller.confirm?.(known, request);
      throw fault;
    });
    const answer = await options.handler({
      caller: known,
      params: request.params as Record<P, string>,
      request,
      ...input,
    });
    return sealCursor(request, answer);
  };
  return {
    summary,
    caller,
    params,
    response,
    lane,
    bodyLimitBytes,
    bodyOptional,
    ...(query ? { query } : {}),
    ...(headers ? { headers } : {}),
    ...(body ? { body } : {}),
    serve: (request) => serve(request).catch((error) => refuse(error, request)),
  };
}

/** Ids as they are stored and compared, however a path writes them. What is no id, such as a token, keeps its case. */
function foldIds(params: ApiRequest['params']): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [name, isIdName(name) ? value.toLowerCase() : value]);
  return Object.fromEntries(entries);
}

const isIdName = (name: string) => name.endsWith('Id');

/** A path id that is no UUID names nothing. */
function checkIds(request: ApiRequest): void {
  for (const [name, value] of Object.entries(request.params)) {
    if (isIdName(name) && !isId(value)) throw notFound(name.slice(0, -2));
  }
}

function declaredHeaders(schema: z.ZodObject, request: ApiRequest): Record<string, string> {
  const present = Object.keys(schema.shape).flatMap((name) => {
    const value = request.header(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(present);
}

/** A list's query has a cursor; elsewhere the name means nothing. */
function isList(query: z.ZodType): boolean {
  return 'cursor' in ((query as Partial<z.ZodObject>).shape ?? {});
}

/** Which of two values counts is a guess that a client should not have to make. */
function refuseRepeated({ query }: ApiRequest): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of query.keys()) (seen.has(name) ? repeated : seen).add(name);
  refuseParameters([...repeated], 'is given more than once');
}

function refuseQuery(request: ApiRequest): undefined {
  refuseParameters([...request.query.keys()], 'is not a known parameter');
  return undefined;
}

function refuseParameters(names: readonly string[], message: string): void {
  const errors = names.slice(0, MAX_FAULTS).map((name) => ({ path: name.slice(0, MAX_PATH_CHARS), message }));
  if (errors.length > 0) throw new AppError('validation_failed', `${errors[0]?.path}: ${message}`, { errors });
}

/** The answer to what went wrong with a request, logged where it is a fault of ours. */
export function refuse(error: unknown, request: ApiRequest): ApiResponse {
  if (isDatabaseAway(error)) {
    log().warn({ err: error, requestId: request.requestId, route: request.route }, 'the database is away');
    const detail = 'The database cannot be reached just now. Try again shortly.';
    return toProblem(new AppError('unavailable', detail, { retryAfterSeconds: 2 }), request.requestId);
  }
  if (isStatementCancelled(error)) {
    log().warn({ err: error, requestId: request.requestId, route: request.route }, 'the database was too slow');
    const detail = 'The database took too long to answer. Try again shortly.';
    return toProblem(new AppError('unavailable', detail, { retryAfterSeconds: 5 }), request.requestId);
  }
  if (isReferenceGone(error)) {
    // An erasure overtook the request: it answers as it would have a moment later.
    log().warn({ err: error, requestId: request.requestId, route: request.route }, 'what a request is about is gone');
    return toProblem(notFound('resource: it has just been deleted'), request.requestId);
  }
  if (!isAppError(error)) {
    log().error({ err: error, requestId: request.requestId, route: request.route }, 'request failed');
  }
  return toProblem(error, request.requestId);
}
