import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type * as z from 'zod';
import {
  findWrappedRefusal,
  type HeavyKind,
  readHeavily,
  recheckAfterWaits,
  STALE_MS,
} from '@/lib/platform/connection-shares';
import { hasMoved, isDatabaseUnreachable, isReferenceGone, isStatementCanceled } from '@/lib/platform/database-errors';
import { AppError, type ErrorCode, isAppError, justMoved, notFound } from '@/lib/platform/errors';
import { isId } from '@/lib/platform/ids';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { log } from '@/lib/platform/log';
import { ALWAYS_ALLOWED, type WhileAllowed } from '@/lib/platform/open-connections';
import { holdingPlace, mayHoldPlace } from '@/lib/platform/place-holder';
import { inThreadTurn, waitForThread } from '@/lib/platform/thread-turns';
import type { ApiResponse } from './api-response';
import type { CallerPolicy } from './caller-policy';
import { refuseManyValues, takeDocumentPlace } from './document-places';
import { MAX_FAULTS, MAX_PATH_CHARS, readJson, refuseBody, validate } from './json-body';
import { endLargeBody } from './large-bodies';
import { openCursor, sealCursor } from './list-cursor';
import { toProblem } from './problem';
import type { ApiRequest } from './request';
import { inShareOf } from './turns';

/** An event has 256 KiB of data. Parsing takes up to 0.15 ms of the thread for each KiB. */
const BODY_LIMIT_BYTES = 320 * 1024;
const ANONYMOUS_BODY_LIMIT_BYTES = 64 * 1024;
/** The largest body that is read before its credential is confirmed, if this process has not seen the credential. */
const UNKNOWN_BODY_LIMIT_BYTES = 2 * 1024;
/** The largest body that is parsed before its credential is confirmed: it may have been revoked. */
const KNOWN_BODY_LIMIT_BYTES = 64 * 1024;
const SHORT_BODY_BYTES = 16 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** The checked input of a handler. */
interface HandlerContext<C, P extends string, Q, B, H> {
  caller: C;
  params: Record<P, string>;
  query: Q;
  /** The headers that the route declares, by lower-case name. */
  headers: H;
  body: B;
  /** The body as it was sent, if a schema is declared: for data that must be kept byte for byte. */
  bodyText: string;
  /** The body as it was sent, if the route has `rawBodyBytes`. */
  bodyBytes: Buffer;
  request: ApiRequest;
  /** For a response or a socket that stays open: ends it with the caller's access. */
  whileAllowed: WhileAllowed;
}

/** The successful response. `R` is the JSON value of the body; undefined without a body. */
interface ResponseForm<R = unknown, A = unknown> {
  status: number;
  schema?: z.ZodType<R>;
  /** The media type of a body that is not JSON, without its parameters. */
  contentType?: string;
  /**
   * The body contains a secret, such as a token or a key. No response of the route is compressed: its length would reveal
   * what the secret has in common with text from an attacker (BREACH).
   */
  sensitive?: true;
  /** Headers of the successful response that its declaration does not imply (lib/api/openapi/headers.ts). */
  headers?: readonly ('Content-Disposition' | 'ETag' | 'Idempotent-Replayed' | 'X-Audit-Log-Truncated')[];
  /** Begins, continues or ends a browser's session. */
  setsCookies?: true;
  /** Other successful responses, with `schema` or a content type; one without either has no body. */
  alternatives?: readonly { status: number; contentType?: string; schema?: z.ZodType<A> }[];
}

/** A route as data, for both adapters, OpenAPI, and the tests that iterate over all routes. */
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
  rawBodyBytes?: number;
  /** The variable of the configuration that allows more than `rawBodyBytes`. */
  rawBodyVariable?: string;
  response: ResponseForm;
  /** Problem codes of its domain, beside those that its declaration implies (lib/api/openapi/operation.ts). */
  errors?: readonly ErrorCode[];
  /** 'node' is served by the web entry before Next, in a tenth of the processor time (docs/architecture.md#served-by-next-or-by-node). */
  servedBy: 'next' | 'node';
  serve(request: ApiRequest): Promise<ApiResponse>;
  /** Makes the checks of `serve` for a WebSocket, and returns what takes its socket over. @throws AppError */
  upgrade?(request: ApiRequest): Promise<TakeSocket>;
}

/** Keeps what gives the place of a document back. */
type KeepPlace = (leave: () => void) => void;

/** Takes over the socket of a request that offers the WebSocket protocol. Called at once. */
export type TakeSocket = (message: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface RouteOptions<C, P extends string, Q, B, H, R, A> {
  summary: string;
  caller: CallerPolicy<C>;
  params?: readonly P[];
  query?: z.ZodType<Q>;
  headers?: z.ZodObject & z.ZodType<H>;
  body?: z.ZodType<B>;
  bodyLimitBytes?: number;
  bodyOptional?: boolean;
  /**
   * The body is a document, which takes many times its bytes once it is parsed. Its values are bounded, and few are parsed and used at
   * once: it has a place (./document-places.ts) until its handler ends, which does not rest meanwhile.
   */
  isDocument?: true;
  /** Takes any query and any body of at most this size, for requests whose sender we cannot tell what to send. */
  rawBodyBytes?: number;
  /** The variable of the configuration that allows more, and the size that it gives a caller. */
  largerBody?: { variable: string; bytesFor(caller: C): number };
  response: ResponseForm<R, A>;
  errors?: readonly ErrorCode[];
  servedBy?: 'next' | 'node';
  /** The handler reads many rows by design. It runs one at a time for an owner, in one of the places of a kind. */
  isHeavy?: true | HeavyKind;
  /** Returns what the schema of its status describes. Tests parse every body with it. */
  handler(context: HandlerContext<C, P, Q, B, H>): Promise<ApiResponse<NoInfer<R | A>>>;
  /** For a route that WebSockets connect to; `handler` answers requests that are not one. */
  upgrade?(context: HandlerContext<C, P, Q, B, H>): Promise<TakeSocket>;
}

/**
 * Declares a route. The checks run in the order of docs/specification.md#order-of-checks: credentials, kind of caller,
 * tenancy, role or scope, then query and body (415, 413, 400), then the handler.
 */
export function route<
  C,
  P extends string = never,
  Q = undefined,
  B = undefined,
  H = undefined,
  R = undefined,
  A = never,
>(options: RouteOptions<C, P, Q, B, H, R, A>): RouteDefinition {
  const { summary, caller, params = [], query, headers, body, response, servedBy = 'next' } = options;
  const { bodyLimitBytes = caller.kind === 'anyone' ? ANONYMOUS_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES } = options;
  const { bodyOptional = false, isDocument = false, rawBodyBytes, largerBody, errors } = options;
  const { confirm } = caller;
  const confirmKey = async (known: C, request: ApiRequest) => {
    if (confirm !== undefined) await inShareOf(request, () => confirm(known, request));
  };
  const read = async (request: ApiRequest, known: C, keepPlace: KeepPlace) => {
    checkIds(request);
    if (rawBodyBytes !== undefined) {
      const bodyBytes = await request.readBody(largerBody?.bytesFor(known) ?? rawBodyBytes, async (bytes, needed) => {
        // The memory of a body that waits counts. Parsing a smaller one takes two milliseconds at most.
        const wait = () => waitForThread(request.client, needed);
        if (bytes.length > LARGE_BODY_BYTES) await holdingPlace(wait);
        else if (bytes.length > SHORT_BODY_BYTES) await wait();
        else await inThreadTurn(request.client, needed, () => undefined);
        return bytes;
      });
      return { query: undefined as Q, headers: undefined as H, body: undefined as B, bodyText: '', bodyBytes };
    }
    refuseRepeated(request);
    const checkedQuery = query
      ? validate(query, Object.fromEntries(isList(query) ? openCursor(request) : request.query))
      : refuseQuery(request);
    const checkedHeaders = (headers ? validate(headers, declaredHeaders(headers, request)) : undefined) as H;
    const checked = { query: checkedQuery as Q, headers: checkedHeaders };
    if (!body) {
      if (request.method !== 'GET' && request.method !== 'HEAD') await refuseBody(request, ANONYMOUS_BODY_LIMIT_BYTES);
      return { ...checked, body: undefined as B, bodyText: '', bodyBytes: NO_BYTES };
    }
    const isKnown = request.client.ownerId !== undefined;
    let isConfirmed = false;
    const confirmFor = async (bytes: number) => {
      if (isConfirmed || bytes <= (isKnown ? KNOWN_BODY_LIMIT_BYTES : UNKNOWN_BODY_LIMIT_BYTES)) return;
      isConfirmed = true;
      await confirmKey(known, request);
    };
    if (!isKnown) await confirmFor(mostBytesOf(request));
    const limits = { limitBytes: bodyLimitBytes, optional: bodyOptional };
    const { value, text } = await readJson(request, body, limits, async (bytes, needed) => {
      await confirmFor(bytes.length);
      if (!isDocument) return;
      keepPlace(await takeDocumentPlace(request.client, bytes.length, needed));
      refuseManyValues(request.client, bytes);
    });
    return { ...checked, body: value, bodyText: text, bodyBytes: NO_BYTES };
  };
  const check = async (given: ApiRequest, keepPlace: KeepPlace): Promise<HandlerContext<C, P, Q, B, H>> => {
    const request = { ...given, params: foldIds(given.params) };
    const first = await caller.authenticate(request);
    const authenticatedAt = performance.now();
    const input = await read(request, first, keepPlace).catch(async (fault) => {
      // A policy may leave its database check to the handler's statement. Its error still comes before one of the body, but not before
      // that of a body which was given up for its memory: that one closes the connection.
      if (!isAppError(fault) || fault.code !== 'overloaded') await confirmKey(first, request);
      throw fault;
    });
    const isChecked = caller.kind !== 'anyone' && !caller.confirm;
    const isStale = performance.now() - authenticatedAt > STALE_MS && isChecked;
    const known = isStale ? await caller.authenticate(request) : first;
    if (isChecked) {
      // A handler looks at the role after its statements, too.
      recheckAfterWaits(async () => {
        Object.assign(known as object, await caller.authenticate(request));
      });
    }
    const whileAllowed: WhileAllowed = (end) => caller.watch?.(known, request, end) ?? ALWAYS_ALLOWED(end);
    return { caller: known, params: request.params as Record<P, string>, request, whileAllowed, ...input };
  };
  const serve = async (given: ApiRequest): Promise<ApiResponse> => {
    let leavePlace: () => void = () => undefined;
    let bodyBytes: Buffer = NO_BYTES;
    try {
      const context = await check(given, (leave) => {
        leavePlace = leave;
      });
      bodyBytes = context.bodyBytes;
      const work = () => options.handler(context);
      const handle = bodyBytes.length > LARGE_BODY_BYTES ? () => holdingPlace(work) : work;
      return sealCursor(context.request, await (heavyKind ? readHeavily(handle, heavyKind) : handle()));
    } finally {
      endLargeBody(bodyBytes);
      leavePlace();
    }
  };
  const { upgrade, isHeavy } = options;
  const heavyKind = isHeavy === true ? 'heavy' : isHeavy;
  return {
    summary,
    caller,
    params,
    response,
    servedBy,
    bodyLimitBytes,
    bodyOptional,
    ...(rawBodyBytes === undefined ? {} : { rawBodyBytes }),
    ...(largerBody === undefined ? {} : { rawBodyVariable: largerBody.variable }),
    ...(errors === undefined ? {} : { errors }),
    ...(query ? { query } : {}),
    ...(headers ? { headers } : {}),
    ...(body ? { body } : {}),
    serve: (request) =>
      (isDocument ? mayHoldPlace(() => serve(request)) : serve(request)).catch((error) =>
        toErrorResponse(error, request),
      ),
    ...(upgrade === undefined ? {} : { upgrade: async (request) => upgrade(await check(request, () => undefined)) }),
  };
}

/** Lower-cases ids, as they are stored and compared. Other parameters, such as tokens, keep their case. */
function foldIds(params: ApiRequest['params']): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [name, isIdName(name) ? value.toLowerCase() : value]);
  return Object.fromEntries(entries);
}

const isIdName = (name: string) => name.endsWith('Id');

/** @throws AppError not_found when an id of the path is not a UUID */
function checkIds(request: ApiRequest): void {
  for (const [name, value] of Object.entries(request.params)) {
    if (isIdName(name) && !isId(value)) throw notFound(name.slice(0, -2));
  }
}

/** A body in chunks may have any size. */
function mostBytesOf(request: ApiRequest): number {
  const isChunked = request.header('transfer-encoding') !== null;
  return isChunked ? Number.POSITIVE_INFINITY : Number(request.header('content-length') ?? 0);
}

function declaredHeaders(schema: z.ZodObject, request: ApiRequest): Record<string, string> {
  const present = Object.keys(schema.shape).flatMap((name) => {
    const value = request.header(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(present);
}

/** Only the query of a list has a cursor. */
function isList(query: z.ZodType): boolean {
  return 'cursor' in ((query as Partial<z.ZodObject>).shape ?? {});
}

/** A client should not have to guess which of two values counts. */
function refuseRepeated({ query }: ApiRequest): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of query.keys()) (seen.has(name) ? repeated : seen).add(name);
  refuseParameters([...repeated], 'appears more than once');
}

function refuseQuery(request: ApiRequest): undefined {
  refuseParameters([...request.query.keys()], 'is not a known parameter');
  return undefined;
}

function refuseParameters(names: readonly string[], message: string): void {
  const errors = names.slice(0, MAX_FAULTS).map((name) => ({ path: name.slice(0, MAX_PATH_CHARS), message }));
  if (errors.length > 0) throw new AppError('validation_failed', `${errors[0]?.path}: ${message}`, { errors });
}

/** Turns the error of a request into a response. Logs it if the service is at fault. */
export function toErrorResponse(
  error: unknown,
  request: Pick<ApiRequest, 'requestId' | 'route'> & { method?: string },
): ApiResponse {
  if (isDatabaseUnreachable(error)) {
    log().warn({ err: error, requestId: request.requestId, route: request.route }, 'database unreachable');
    const detail = 'The database is unreachable. Try again shortly.';
    return toProblem(new AppError('unavailable', detail, { retryAfterSeconds: 2 }), request.requestId);
  }
  if (isStatementCanceled(error)) {
    log().warn({ err: error, requestId: request.requestId, route: request.route }, 'database statement timed out');
    const detail =
      request.method === 'GET' || request.method === 'HEAD'
        ? 'Reading this took longer than the two seconds that a read may take. Narrow the time range or the filter, or try again shortly.'
        : 'The database took too long to respond. Try again shortly.';
    return toProblem(new AppError('unavailable', detail, { retryAfterSeconds: 5 }), request.requestId);
  }
  if (hasMoved(error)) return toProblem(justMoved(), request.requestId);
  if (isReferenceGone(error)) {
    // An erasure finished during the request: it answers as if it had arrived after the erasure.
    log().warn(
      { err: error, requestId: request.requestId, route: request.route },
      'resource deleted during the request',
    );
    return toProblem(new AppError('not_found', 'The resource was just deleted.'), request.requestId);
  }
  if (isAppError(error)) return toProblem(error, request.requestId);
  const refusal = findWrappedRefusal(error);
  if (refusal !== null) return toProblem(refusal, request.requestId);
  log().error({ err: error, requestId: request.requestId, route: request.route }, 'request failed');
  return toProblem(error, request.requestId);
}
