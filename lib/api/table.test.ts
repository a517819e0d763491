import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RouteDefinition } from '@/lib/http/route';
import { type PathEntry, VERBS } from '@/lib/http/table';
import { api } from './table';

/** Without the files of the documentation, which the build makes. */
const mounted = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[[...') && !file.startsWith('docs/'))
  .map((file) => `/${path.dirname(file)}`);

const toTemplate = (folder: string) => folder.replaceAll(/\[(\w+)\]/g, '{$1}');

const routes = Object.entries(api as Record<string, PathEntry>).flatMap(([route, entry]) =>
  VERBS.flatMap((verb) => {
    const definition = entry[verb];
    return definition === undefined ? [] : [{ name: `${verb} ${route}`, route, definition }];
  }),
);

describe('the table of routes', () => {
  it('has a route.ts for every path, and a path for every route.ts', () => {
    expect(mounted.map(toTemplate).sort()).toEqual(Object.keys(api).sort());
  });

  it.each(mounted)('app%s/route.ts mounts its own path and nothing else', (folder) => {
    const route = toTemplate(folder);
    const source = readFileSync(path.join('app', folder, 'route.ts'), 'utf8');
    // Long paths are wrapped by the formatter.
    const statements = source.replaceAll(/\s+/g, '').replaceAll(',)', ')').split(';').filter(Boolean);
    expect(statements).toHaveLength(3);
    expect(statements.at(-1)).toMatch(/^exportconst\{GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS,?\}=toNext/);
    expect(statements.at(-1)).toContain(`toNext('${route}',api['${route}'])`);
  });

  it.each(routes)('$name declares exactly the parameters of its path', ({ route, definition }) => {
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect([...definition.params].sort()).toEqual(inPath.sort());
  });
});

const SECRET = /(?:^|[a-z_])(?:key|secret|token|code|password|credential)s?$/i;

type JsonSchema = { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[]; type?: string };

/** Whether a value can be text or a list of texts, which includes values that the schema does not restrict. */
function holdsText({ type, anyOf, items }: JsonSchema): boolean {
  if (anyOf !== undefined) return anyOf.some(holdsText);
  if (type === 'array') return items === undefined || holdsText(items);
  return type === undefined || type === 'string';
}

/** The names of all text fields, at any depth of a schema. */
function textFieldsOf(schema: z.ZodType): string[] {
  const names: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const fields = Object.entries((node as JsonSchema).properties ?? {});
    names.push(...fields.filter(([, field]) => holdsText(field)).map(([name]) => name));
    for (const child of Object.values(node)) walk(child);
  };
  walk(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }));
  return names;
}

const secretsOf = ({ response }: RouteDefinition) =>
  response.schema === undefined ? [] : textFieldsOf(response.schema).filter((name) => SECRET.test(name));

describe('a route whose response contains a secret', () => {
  it.each(routes)('$name is declared sensitive if and only if it contains one', ({ definition }) => {
    const secrets = secretsOf(definition);
    expect(definition.response.sensitive ?? false, `fields: ${secrets}`).toBe(secrets.length > 0);
  });

  it('is a known one, and is found at any depth of the schema', () => {
    const found = routes.filter(({ definition }) => secretsOf(definition).length > 0).map(({ name }) => name);
    expect(found.sort()).toEqual([
      'GET /api/v1/portal/endpoints/{endpointId}/secret',
      'GET /api/v1/projects/{projectId}/alerts/{alertId}/secret',
      'GET /api/v1/projects/{projectId}/endpoints/{endpointId}/secret',
      'GET /api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret',
      'GET /api/v1/projects/{projectId}/sources/{sourceId}/secret',
      'POST /api/v1/auth/device/code',
      'POST /api/v1/auth/device/token',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/refresh',
      'POST /api/v1/auth/register',
      'POST /api/v1/auth/restore',
      'POST /api/v1/auth/switch-organization',
      'POST /api/v1/portal/endpoints/{endpointId}/rotate-secret',
      'POST /api/v1/portal/sessions',
      'POST /api/v1/projects/{projectId}/alerts',
      'POST /api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret',
      'POST /api/v1/projects/{projectId}/api-keys',
      'POST /api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate',
      'POST /api/v1/projects/{projectId}/endpoints/{endpointId}/rotate-secret',
      'POST /api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/rotate-secret',
      'POST /api/v1/projects/{projectId}/sources/{sourceId}/rotate-secret',
    ]);
    const nested = z.object({ data: z.array(z.union([z.null(), z.object({ signingSecret: z.string().optional() })])) });
    expect(textFieldsOf(nested)).toContain('signingSecret');
  });
});
