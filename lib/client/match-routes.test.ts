import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ZodObject, type ZodType } from 'zod';
import { SCHEMA_MODULES } from '@/lib/api/openapi/schema-modules';
import { resources as routes, api as table } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';
import type { PathEntry, Verb } from '@/lib/http/table';
import { PageQuery } from '@/lib/platform/pagination';
import type { Api, RequestParts } from './api';
import { createResources } from './resources/create-resources';

/** Routes that no server and no command-line program calls. */
const EXCEPTIONS: Record<string, string> = {
  'account.verifyEmail': 'the page of a mailed link',
  'account.previewVerification': 'the page of a mailed link',
  'account.resendVerification': 'a page',
  'auth.register': 'the form of a page',
  'auth.logIn': 'the form of a page; programs sign in with device.start',
  'auth.restore': 'a page: the session of its cookie',
  'changes.watch': 'a stream of hints for open pages; a program reads the list again',
  'device.get': 'the page where a person approves a device',
  'device.approve': 'the page where a person approves a device',
  'device.deny': 'the page where a person approves a device',
  'downloads.getPackage': 'npm downloads it',
  'identityProvider.list': 'the buttons of the sign-in page',
  'identityProvider.start': 'redirects a browser',
  'identityProvider.complete': 'redirects a browser',
  'ingress.receive': 'providers call it with their own signatures',
  'invitations.accept': 'the page of a mailed link',
  'invitations.preview': 'the page of a mailed link',
  'openapi.get': 'a static document',
  'operations.metrics': 'Prometheus calls it',
  'passwords.requestReset': 'the form of a page',
  'passwords.reset': 'the page of a mailed link',
  'passwords.change': 'the form of a page',
  'tunnelConnection.connect': 'a WebSocket, of lib/tunnel/client',
};

/** Schemas whose type the client declares itself, or that are declared inside a route. */
const OWN_TYPES: Record<string, string> = { NewEvent: 'SendEventBody' };
const NAMED: Record<string, unknown> = Object.assign({ PageQuery }, ...Object.values(SCHEMA_MODULES));

interface Recorded {
  kind: keyof Api;
  verb: Verb;
  path: string;
  parts: RequestParts<string>;
  options: unknown;
}

/** Calls a method with the arguments arg0, arg1, … and returns the request that it makes. */
function record(resource: string, method: string): Recorded {
  const made: Recorded[] = [];
  const note =
    (kind: keyof Api, verb?: Verb) =>
    (...given: unknown[]) => {
      const [actual, path, parts = {}, options] = verb === undefined ? given : [verb, ...given];
      made.push({ kind, verb: actual, path, parts, options } as Recorded);
    };
  const api = { call: note('call'), run: note('run'), list: note('list', 'GET'), download: note('download', 'GET') };
  const methods = createResources(api as unknown as Api) as unknown as Record<
    string,
    Record<string, (...given: unknown[]) => unknown>
  >;
  methods[resource]?.[method]?.(...Array.from({ length: 6 }, (_, index) => `arg${index}`));
  const [request] = made;
  if (request === undefined) throw new Error(`${resource}.${method} makes no request`);
  return request;
}

const METHODS = Object.entries(createResources({} as Api)).flatMap(([resource, methods]) =>
  Object.keys(methods).map((method): [string, string] => [resource, method]),
);

const routeOf = (resource: string, method: string) =>
  (routes as unknown as Record<string, Record<string, RouteDefinition>>)[resource]?.[method];

const SOURCES = readdirSync('lib/client/resources')
  .map((file) => readFileSync(`lib/client/resources/${file}`, 'utf8'))
  .join('');

/** Returns the source of a method up to its arrow. */
function signatureOf(resource: string, method: string): string {
  const [, methods = ''] = new RegExp(`^export function ${resource}\\(([^]*?)^}`, 'm').exec(SOURCES) ?? [];
  const found = new RegExp(`^    ${method}: \\(([^]*?) =>`, 'm').exec(methods);
  if (found === null) throw new Error(`no source of ${resource}.${method}`);
  return found[0].replace(/\s+/g, ' ');
}

/** The schema of one item, for a list. */
function itemOf(schema: ZodType | undefined): ZodType | undefined {
  if (!(schema instanceof ZodObject) || !('nextCursor' in schema.shape)) return schema;
  return (schema.shape.data as unknown as { element: ZodType }).element;
}

describe.each(METHODS)('%s.%s', (resource, method) => {
  const request = record(resource, method);
  const route = routeOf(resource, method) as RouteDefinition;

  it('sends the request of its route', () => {
    const { kind, verb, path, parts } = request;
    expect((table as Record<string, PathEntry>)[path]?.[verb], `${verb} ${path}`).toBe(route);
    const kinds = { 204: 'run', 202: route.response.schema === undefined ? 'run' : 'call' } as Record<number, string>;
    const isJson = route.response.schema !== undefined && resource !== 'organizationExport';
    const isList = itemOf(route.response.schema) !== route.response.schema;
    expect(kind).toBe(kinds[route.response.status] ?? (!isJson ? 'download' : isList ? 'list' : 'call'));
    expect([parts.body !== undefined, parts.query !== undefined]).toEqual([
      route.body !== undefined,
      route.query !== undefined,
    ]);
    expect(parts.isAnonymous ?? false).toBe(route.caller.kind === 'anyone');
    expect(parts.isRepeatable ?? false).toBe(route.headers !== undefined);
  });

  it('takes the ids in the order of the path, then the body or query, then the options', () => {
    const { parts, options, path } = request;
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    const ids = named.filter((name) => name !== 'projectId' || 'projectId' in (parts.ids ?? {}));
    expect(Object.entries(parts.ids ?? {})).toEqual(ids.map((name, index) => [name, `arg${index}`]));
    const input = [parts.body, parts.query].filter((each) => each !== undefined);
    expect(input).toEqual(input.map((_, index) => `arg${ids.length + index}`));
    expect(options).toBe(`arg${ids.length + input.length}`);
    const needsProject = named.includes('projectId') && !ids.includes('projectId');
    expect(signatureOf(resource, method).includes('options?: ProjectOptions')).toBe(needsProject);
  });

  it('has the types of its route', () => {
    const signature = signatureOf(resource, method);
    const named = (pattern: RegExp) => {
      const name = pattern.exec(signature)?.[1];
      return name === undefined ? undefined : NAMED[OWN_TYPES[name] ?? name];
    };
    expect(named(/body\??: (?:Required<)?(?:Body<typeof )?(\w+)/)).toBe(route.body);
    const query = named(/query\??: Query<typeof (\w+)/) as ZodObject | undefined;
    const parameters = Object.keys((route.query as ZodObject | undefined)?.shape ?? {});
    expect(parameters).toEqual(expect.arrayContaining(Object.keys(query?.shape ?? {})));
    if (resource === 'operations' || route.response.schema === undefined || request.kind === 'download') return;
    const item = itemOf(route.response.schema) as ZodType;
    const isWrapped = signature.includes('{ data: ');
    const expected = isWrapped ? ((item as ZodObject).shape.data as unknown as { element: ZodType }).element : item;
    expect(named(/(?:Promise|ListRequest)<(?:\{ data: )?(\w+)/)).toBe(expected);
  });
});

describe('the client', () => {
  it('has a method for every route that a server or a program calls', () => {
    const all = Object.entries(routes).flatMap(([resource, each]) =>
      Object.entries(each).flatMap(([name, value]) => ('serve' in value ? [`${resource}.${name}`] : [])),
    );
    const present = METHODS.map(([resource, method]) => `${resource}.${method}`);
    expect([...present, ...Object.keys(EXCEPTIONS)].sort()).toEqual(all.sort());
  });
});
