import { ZodObject, type ZodType } from 'zod';
import { SCHEMA_MODULES } from '@/lib/api/openapi/schema-modules';
import { api, resources } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';
import type { PathEntry, Verb } from '@/lib/http/table';
import * as pagination from '@/lib/platform/pagination';
import { docComment } from './print-type';

/** Routes that no server and no command-line program calls. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Pages, their forms, and pages of mailed links.
  'account.verifyEmail',
  'account.previewVerification',
  'account.resendVerification',
  'auth.register',
  'auth.logIn',
  'auth.restore',
  'passwords.requestReset',
  'passwords.reset',
  'passwords.change',
  'device.get',
  'device.approve',
  'device.deny',
  'invitations.accept',
  'invitations.preview',
  'identityProvider.list',
  'identityProvider.start',
  'identityProvider.complete',
  // A stream of hints for open pages: a program reads the list again.
  'changes.watch',
  // What npm, pages, providers, Prometheus and readers of the document call, and a WebSocket of lib/tunnel/client.
  'downloads.getPackage',
  'downloads.getPortalLogo',
  'ingress.receive',
  'operations.metrics',
  'openapi.get',
  'tunnelConnection.connect',
]);

/** Text fields without which a response is of no use. */
const NEEDS: Record<string, readonly string[]> = {
  'account.switchOrganization': ['accessToken'],
  'apiKeys.create': ['id', 'key'],
  'apiKeys.rotate': ['id', 'key'],
  'auth.refresh': ['accessToken', 'refreshToken'],
  'device.exchange': ['accessToken'],
  'device.start': ['deviceCode', 'userCode', 'verificationUri'],
  'events.send': ['id'],
  'events.sendToProject': ['id'],
  'operations.live': ['status'],
  'operations.ready': ['status'],
};

/** Types that the client declares itself, by the method and its part. */
const OWN_TYPES: Record<string, string> = {
  'events.send body': 'NewEvent',
  'events.sendToProject body': 'NewEvent',
  'operations.live response': 'Health',
  'operations.ready response': 'Readiness',
};

/** Bodies whose fields are optional only because a browser has a cookie. */
const WITHOUT_COOKIE: ReadonlySet<string> = new Set(['auth.refresh', 'auth.logOut']);

const MODULES = Object.entries({ ...SCHEMA_MODULES, 'lib/platform/pagination': pagination });

/**
 * Prints the resources of the client: a method for each route that a server or a command-line program calls, with the words and types
 * of the route.
 * @throws Error for a schema that no module exports
 */
export function printResources(): string {
  const imports = new Imports();
  const printed = Object.entries(resources).flatMap(([resource, routes]) => {
    const methods = Object.entries<unknown>(routes).flatMap(([method, route]) =>
      isRoute(route) && !LEFT_OUT.has(`${resource}.${method}`)
        ? [new Method(resource, method, route, imports).print()]
        : [],
    );
    return methods.length === 0 ? [] : [`    ${resource}: {\n${methods.join('\n')}\n    },`];
  });
  return `// Made from the routes: npx vitest run --project unit tests/package/client --update
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions, ProjectOptions, SendOptions } from '@/lib/client/options';
import type { Health, NewEvent, Readiness } from '@/lib/client/own-types';
import type { Body, Query } from '@/lib/client/query';
${imports.print()}
/** Every resource of the API, by the name that it has on the client. */
export type Resources = Readonly<ReturnType<typeof createResources>>;

/** Returns the methods of every resource. */
export function createResources(api: Api) {
  return {
${printed.join('\n')}
  };
}
`;
}

/** Whether an export of a module of routes is one. */
export function isRoute(value: unknown): value is RouteDefinition {
  return typeof value === 'object' && value !== null && 'serve' in value;
}

/** The exported schemas that the methods name, by module. */
class Imports {
  private readonly names = new Map<string, Set<string>>();

  /** Returns the name of a schema. @throws Error when no module exports it */
  nameOf(schema: ZodType): string {
    const isFile = schema instanceof ZodObject && 'format' in schema.shape;
    const found = findExport((value) => (isFile ? isSameList(value, schema) : value === schema));
    if (found === undefined) throw new Error('export the schema from its schema.ts');
    const [module, name] = found;
    this.names.set(module, (this.names.get(module) ?? new Set()).add(name));
    return name;
  }

  print(): string {
    const modules = [...this.names].sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = modules.map(
      ([module, names]) => `import type { ${[...names].sort().join(', ')} } from '@/${module}';\n`,
    );
    return lines.join('');
  }
}

function findExport(matches: (value: unknown) => boolean): [module: string, name: string] | undefined {
  for (const [module, exported] of MODULES) {
    for (const [name, value] of Object.entries(exported)) if (matches(value)) return [module, name];
  }
  return undefined;
}

/** Whether a query is that of a list that is also a file. */
function isSameList(value: unknown, schema: ZodType): boolean {
  if (!(value instanceof ZodObject && schema instanceof ZodObject)) return false;
  const keys = Object.keys(schema.shape).filter((key) => key !== 'format');
  return String(keys.sort()) === String(Object.keys(value.shape).sort());
}

/** A method of a resource. */
class Method {
  private readonly operation: string;
  private readonly verb: Verb;
  private readonly path: string;

  constructor(
    resource: string,
    private readonly name: string,
    private readonly route: RouteDefinition,
    private readonly imports: Imports,
  ) {
    this.operation = `${resource}.${name}`;
    [this.verb, this.path] = placeOf(route);
  }

  /** The ids, then the body or query, then the options. */
  print(): string {
    const { summary, headers } = this.route;
    const input = this.input();
    const ids = this.idNames();
    const parameters = [
      ...ids.map((id) => `${id}: string`),
      ...input.map(({ parameter }) => parameter),
      this.options(),
    ];
    const needs = NEEDS[this.operation];
    const parts = [
      ...(ids.length === 0 ? [] : [`ids: { ${ids.join(', ')} }`]),
      ...input.map(({ part }) => part),
      ...(this.route.caller.kind === 'anyone' ? ['isAnonymous: true'] : []),
      ...(headers === undefined ? [] : ['isRepeatable: true', 'idempotencyKey: options?.idempotencyKey']),
      ...(needs === undefined ? [] : [`needs: [${needs.map((name) => `'${name}'`).join(', ')}]`]),
    ];
    const [kind, type] = this.result();
    const verb = kind === 'call' || kind === 'run' ? `'${this.verb}', ` : '';
    const given = `${verb}'${this.path}', ${parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`}, options`;
    // A file is not what a list of the client reads.
    const [words = ''] = summary.split('; `format');
    const comment = docComment(words).replace(/^/, '      ');
    return `${comment}      ${this.name}: (${parameters.join(', ')}): ${type} =>\n        api.${kind}(${given}),`;
  }

  /** The options of the client name its project, so methods take other ids. A project itself is named. */
  private idNames(): string[] {
    const names = [...this.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
    return this.operation.startsWith('projects.') ? names : names.filter((name) => name !== 'projectId');
  }

  private options(): string {
    const needsProject = this.path.includes('{projectId}') && !this.idNames().includes('projectId');
    const types = [
      needsProject ? ['ProjectOptions'] : [],
      this.route.headers === undefined ? [] : ['SendOptions'],
    ].flat();
    return `options?: ${types.length === 0 ? 'CallOptions' : types.join(' & ')}`;
  }

  private input(): { parameter: string; part: string }[] {
    const { body, query, bodyOptional } = this.route;
    if (body !== undefined) {
      const own = OWN_TYPES[`${this.operation} body`];
      const type = own ?? `Body<typeof ${this.imports.nameOf(body)}>`;
      if (WITHOUT_COOKIE.has(this.operation)) return [{ parameter: `body: Required<${type}>`, part: 'body' }];
      if (bodyOptional) return [{ parameter: `body?: ${type}`, part: 'body' }];
      const mayBeEmpty = this.verb === 'POST' && body.safeParse({}).success;
      return [{ parameter: `body${mayBeEmpty ? '?' : ''}: ${type}`, part: mayBeEmpty ? 'body: body ?? {}' : 'body' }];
    }
    if (query === undefined) return [];
    const mark = query.safeParse({}).success ? '?' : '';
    return [{ parameter: `query${mark}: Query<typeof ${this.imports.nameOf(query)}>`, part: 'query' }];
  }

  private result(): [kind: 'call' | 'run' | 'list' | 'download', type: string] {
    const { status, schema, alternatives = [] } = this.route.response;
    if (status === 204 || (status === 202 && schema === undefined)) return ['run', 'Promise<void>'];
    if (schema === undefined || this.operation === 'organizationExport.download')
      return ['download', 'Promise<Response>'];
    const own = OWN_TYPES[`${this.operation} response`];
    if (own !== undefined) return ['call', `Promise<${own}>`];
    const { data, nextCursor } = schema instanceof ZodObject ? schema.shape : {};
    const element = (data as { element?: ZodType } | undefined)?.element;
    if (nextCursor !== undefined && element !== undefined)
      return ['list', `ListRequest<${this.imports.nameOf(element)}>`];
    if (findExport((value) => value === schema) === undefined && element !== undefined)
      return ['call', `Promise<{ data: ${this.imports.nameOf(element)}[] }>`];
    const schemas = new Set([schema, ...alternatives.flatMap((each) => each.schema ?? [])]);
    return ['call', `Promise<${[...schemas].map((each) => this.imports.nameOf(each)).join(' | ')}>`];
  }
}

/** Returns where the table has a route. @throws Error when it has not */
export function placeOf(route: RouteDefinition): [verb: Verb, path: string] {
  for (const [path, entry] of Object.entries<PathEntry>(api)) {
    for (const [verb, each] of Object.entries(entry)) if (each === route) return [verb as Verb, path];
  }
  throw new Error(`no path has the route: ${route.summary}`);
}
