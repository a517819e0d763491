import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPageRoutes } from './page-routes';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = (...names: string[]) => names.map((page) => ({ page, regex: '' }));
const file = path.join(folder, 'routes-manifest.json');
writeFileSync(
  file,
  JSON.stringify({
    staticRoutes: pages('/', '/login', '/docs/api'),
    dynamicRoutes: pages('/docs/api/[tag]', '/projects/[projectId]/events', '/projects/[projectId]/events/[eventId]'),
  }),
);
const find = createPageRoutes(file);

describe('the page at a path', () => {
  it.each([
    ['/', '/', {}],
    ['/login', '/login', {}],
    ['/docs/api/events', '/docs/api/{tag}', { tag: 'events' }],
    ['/projects/p1/events', '/projects/{projectId}/events', { projectId: 'p1' }],
    ['/projects/p1/events/e1', '/projects/{projectId}/events/{eventId}', { projectId: 'p1', eventId: 'e1' }],
  ])('%s has the template %s', (pathname, route, params) => {
    expect(find(pathname)).toMatchObject({ route, params });
  });

  it.each(['/nothing', '/projects', '/projects/p1/other', '/login/more', '/%zz'])('%s has none', (pathname) => {
    expect(find(pathname)).toBeNull();
  });

  it('cannot be found without a build', () => {
    expect(() => createPageRoutes(path.join(folder, 'missing.json'))).toThrow('ENOENT');
  });
});
