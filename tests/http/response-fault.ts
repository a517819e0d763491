import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { headersOf, RESPONSE_HEADERS } from '@/lib/api/openapi/headers';
import { problemCodesOf } from '@/lib/api/openapi/operation';
import { api, subtrees } from '@/lib/api/table';
import { Problem } from '@/lib/http/problem-schema';
import type { RouteDefinition } from '@/lib/http/route';
import { type PathEntry, toMatcher, type Verb } from '@/lib/http/table';
import type { ErrorCode } from '@/lib/platform/errors';
import { noteProblem } from './unseen-problems';

export interface CheckedResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Decompressed; null when it is unknown, which leaves it unchecked. */
  text: string | null;
}

/** What is wrong with a body, as zod reports it. */
type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & { code?: string };

const MAX_ISSUES = 3;
const EXCERPT_LENGTH = 1_000;

const match = toMatcher(api, subtrees);

/**
 * Tells how a response differs from what its route declares: another status or problem code, a field that the schema does not
 * describe, a field that is missing, or a body where none is declared.
 *
 * @param path with or without its query
 * @returns the method, the path, the status and the issues; null when the response conforms or is a page
 */
export function findResponseFault(
  method: string,
  path: string,
  { status, headers, text }: CheckedResponse,
): string | null {
  const { pathname } = new URL(path, 'http://localhost');
  if (method === 'HEAD' || !isOfApi(pathname)) return null;
  const report = (fault: string | null) => (fault === null ? null : `${method} ${path} ${status}: ${fault}`);
  const headerFault = findHeaderFault(method as Verb, findRoute(method, pathname), status, headers);
  if (headerFault !== null) return report(headerFault);
  const { 'content-type': mediaType } = headers;
  if (status === 304) return report(text === '' || text === null ? null : 'has a body');
  if (status >= 400) {
    if (mediaType !== 'application/problem+json') return report(`has content type ${mediaType}, not a problem`);
    return report(findBodyFault(Problem, text) ?? findCodeFault(method as Verb, pathname, text));
  }
  if (method === 'OPTIONS') return null;
  const response = findRoute(method, pathname)?.response;
  const others = response?.alternatives?.filter((each) => each.status === status) ?? [];
  if (others.length > 0) {
    const isDeclared = others.some(({ contentType }) => (contentType ?? mediaType) === mediaType);
    const schema = others.find((each) => each.schema !== undefined)?.schema;
    if (isDeclared && schema !== undefined) return report(findBodyFault(schema, text));
    return report(isDeclared ? null : `has content type ${mediaType}`);
  }
  if (status !== response?.status) return report(`declared is ${response?.status ?? 'no such route'}`);
  if (response.contentType !== undefined) {
    const isDeclared = mediaType?.split(';')[0] === response.contentType;
    return report(isDeclared ? null : `has content type ${mediaType}`);
  }
  if (mediaType !== 'application/json') return null;
  if (response.schema === undefined) return report('has a body, but its route has no schema');
  return report(findBodyFault(response.schema, text));
}

/** Everything else is a page. */
function isOfApi(pathname: string): boolean {
  return /^\/(?:api|downloads|metrics)(?:\/|$)/.test(pathname);
}

function findRoute(method: string, pathname: string): RouteDefinition | undefined {
  const entry: PathEntry | undefined = match(pathname)?.entry;
  return entry?.[method as Verb];
}

/** Every header that clients may want to read is one of the route's OpenAPI description. */
function findHeaderFault(
  verb: Verb,
  route: RouteDefinition | undefined,
  status: number,
  headers: Record<string, string>,
): string | null {
  if (route === undefined || status === 304) return null;
  const declared = headersOf(verb, route, status);
  const undeclared = Object.keys(RESPONSE_HEADERS).find(
    (name) => headers[name.toLowerCase()] !== undefined && !declared.some((each) => each === name),
  );
  return undeclared === undefined ? null : `has the header ${undeclared}, which the route does not declare`;
}

/** Every code that a route responds with is one of its OpenAPI description. */
function findCodeFault(verb: Verb, pathname: string, text: string | null): string | null {
  const found = match(pathname);
  const route = (found?.entry as PathEntry | undefined)?.[verb];
  if (route === undefined || text === null) return null;
  const { code } = JSON.parse(text) as { code: ErrorCode };
  noteProblem(`${verb} ${found?.route}`, code);
  // A path with dot segments is refused, and reads here as another path.
  if (code === 'not_found') return null;
  return problemCodesOf(verb, route).includes(code) ? null : `has the code ${code}, which the route does not declare`;
}

function findBodyFault(schema: z.ZodType, text: string | null): string | null {
  if (text === null) return null;
  const issues = findIssues(schema, text);
  return issues.length === 0
    ? null
    : `${JSON.stringify(issues.slice(0, MAX_ISSUES))}\n${text.slice(0, EXCERPT_LENGTH)}`;
}

function findIssues(schema: z.ZodType, text: string): Issue[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [{ path: [], message: String(error) }];
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return parsed.error.issues;
  // zod leaves out what a schema does not describe, so an undescribed field makes a difference.
  return isDeepStrictEqual(parsed.data, value) ? [] : findDifferences(value, parsed.data, []);
}

function findDifferences(value: unknown, described: unknown, path: PropertyKey[]): Issue[] {
  if (isDeepStrictEqual(value, described)) return [];
  if (!isContainer(value) || !isContainer(described))
    return [{ path, message: 'differs from what the schema returns' }];
  const keys = Object.keys(value).filter((key) => !(key in described));
  const unknown = { code: 'unrecognized_keys', path, message: `undescribed: ${keys.join(', ')}` };
  const below = Object.entries(described).flatMap(([key, each]) => findDifferences(value[key], each, [...path, key]));
  return keys.length === 0 ? below : [unknown, ...below];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
