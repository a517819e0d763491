import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type * as z from 'zod';
import { api, subtrees } from '@/lib/api/table';
import { Problem } from '@/lib/http/problem-schema';
import type { RouteDefinition } from '@/lib/http/route';
import { type PathEntry, toMatcher, type Verb } from '@/lib/http/table';

interface Received {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Decompressed. */
  text: string;
}

const match = toMatcher(api, subtrees);

/**
 * Fails when a response differs from what its route declares: another status, a field that the schema does not describe, a
 * field that is missing, or a body where none is declared.
 */
export function expectConforming(method: string, path: string, received: Received): void {
  const { status, headers, text } = received;
  const what = `${method} ${path} ${status}`;
  const pathname = new URL(path, 'http://localhost').pathname;
  if (method === 'HEAD' || !isOfApi(pathname)) return;
  if (status === 304) {
    expect(text, what).toBe('');
  } else if (status >= 400) {
    expect(headers['content-type'], what).toBe('application/problem+json');
    expectDescribed(Problem, text, what);
  } else if (method !== 'OPTIONS') {
    const response = findRoute(method, pathname)?.response;
    expect(status, what).toBe(response?.status);
    if (headers['content-type'] !== 'application/json') return;
    expect(response?.schema, `${what} has no schema`).toBeDefined();
    expectDescribed(response?.schema as z.ZodType, text, what);
  }
}

/** Everything else is a page. */
function isOfApi(pathname: string): boolean {
  return /^\/(?:api|metrics)(?:\/|$)/.test(pathname);
}

function findRoute(method: string, pathname: string): RouteDefinition | undefined {
  const entry: PathEntry | undefined = match(pathname)?.entry;
  return entry?.[method as Verb];
}

/** zod leaves out what a schema does not describe, so an undescribed field makes a difference. */
function expectDescribed(schema: z.ZodType, text: string, what: string): void {
  const value: unknown = JSON.parse(text);
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    expect.fail(`${what}: ${JSON.stringify(parsed.error.issues.slice(0, 3))}\n${text.slice(0, 1_000)}`);
  // toEqual tells what differs, but takes seconds for a large body.
  if (!isDeepStrictEqual(parsed.data, value)) expect(value, what).toEqual(parsed.data);
}
