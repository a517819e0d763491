import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERBS } from '@/lib/http/table';
import { api } from './table';

const mounted = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[[...'))
  .map((file) => `/${path.dirname(file)}`);

const toTemplate = (folder: string) => folder.replaceAll(/\[(\w+)\]/g, '{$1}');

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

  const routes = Object.entries(api).flatMap(([route, entry]) =>
    VERBS.flatMap((verb) =>
      verb in entry ? [{ name: `${verb} ${route}`, route, definition: entry[verb as never] }] : [],
    ),
  );

  it.each(routes)('$name declares exactly the parameters of its path', ({ route, definition }) => {
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect([...(definition as { params: string[] }).params].sort()).toEqual(inPath.sort());
  });

  it.each(routes)('$name has a summary that is a sentence', ({ definition }) => {
    expect((definition as { summary: string }).summary).toMatch(/^[A-Z].*\.$/);
  });
});
