import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_BASE_URL } from '@/lib/platform/built-base-url';
import { createDocuments } from './documents';
import type { PageRoute } from './page-routes';
import { toMatcher } from './table';

const SCRIPT = `self.push("${BUILT_BASE_URL}")`;
const PAGE = `<html><script src="/a.js" async=""></script><p>${BUILT_BASE_URL}</p><script>${SCRIPT}</script></html>`;
const SENT = PAGE.replaceAll(BUILT_BASE_URL, 'https://events.example');
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'documents-'));
  fs.mkdirSync(path.join(folder, 'docs/guides'), { recursive: true });
  fs.writeFileSync(path.join(folder, '_not-found.html'), '<p>Page not found</p>');
  fs.writeFileSync(path.join(folder, 'login.html'), 'rendered by the build by mistake');
  fs.writeFileSync(path.join(folder, 'docs/guides/retries.html'), PAGE);
  fs.writeFileSync(path.join(folder, 'docs/guides/gone.html'), PAGE);
  fs.writeFileSync(path.join(folder, 'docs/search-index.body'), '["search"]');
  fs.mkdirSync(path.join(folder, 'portal'));
  fs.writeFileSync(path.join(folder, 'portal/any.html'), PAGE);
  const framed = {
    route: '/portal/{projectId}',
    file: 'portal/any.html',
    framedBy: async ({ params }: PageRoute) => {
      if (params.projectId === 'broken') throw new Error('no connection');
      return params.projectId === 'framed' ? ['https://app.example.com', 'http://localhost:3000'] : [];
    },
  };
  const serve = createDocuments({ folder, prefix: '/docs/', baseUrl: 'https://events.example', framed });
  fs.rmSync(path.join(folder, 'docs/guides/gone.html'));
  const findPage = toMatcher({
    '/docs/guides/{slug}': {},
    '/docs/search': {},
    '/login': {},
    '/portal/{projectId}': {},
    '/projects/{projectId}': {},
  });
  server = createServer((message, response) => {
    const pathname = new URL(message.url ?? '', 'http://x').pathname;
    void serve(message, response, pathname, findPage(pathname)).then(
      (served) => served || response.writeHead(204).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});

afterAll(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

const get = (pathname: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`, { headers, method });

describe('a page that the build rendered', () => {
  it.each(['br', 'gzip', 'identity'])('is sent in %s with the base URL of the deployment', async (coding) => {
    const response = await get('/docs/guides/retries', { 'accept-encoding': coding });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe(SENT);
  });

  it('may also be the answer of a route, in JSON', async () => {
    const response = await get('/docs/search-index', { 'accept-encoding': 'br' });
    expect([response.headers.get('content-type'), await response.json()]).toEqual(['application/json', ['search']]);
    expect(response.headers.get('etag')).toMatch(/^W\/"/);
  });

  it('runs exactly its own scripts, and cannot be framed', async () => {
    const { headers } = await get('/docs/guides/retries');
    const hash = createHash('sha256').update('self.push("https://events.example")').digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('is sent again only once it has changed', async () => {
    const { headers } = await get('/docs/guides/retries');
    const tag = headers.get('etag') ?? '';
    expect(headers.get('cache-control')).toBe('no-cache');
    expect((await get('/docs/guides/retries', { 'if-none-match': tag })).status).toBe(304);
    expect((await get('/docs/guides/retries', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('has no content for HEAD', async () => {
    const response = await get('/docs/guides/retries', { 'accept-encoding': 'identity' }, 'HEAD');
    expect([response.headers.get('content-length'), await response.text()]).toEqual([String(SENT.length), '']);
  });

  it.each(['/nowhere', '/docs/nowhere', '/docs/guides/nowhere'])('says that there is none at %s', async (pathname) => {
    const response = await get(pathname);
    expect([response.status, await response.text()]).toEqual([404, '<p>Page not found</p>']);
  });

  it.each([
    ['a page that is not a document', '/login', {}],
    ['a page for each id', '/projects/1', {}],
    ['a page below the documents that is rendered for each request', '/docs/search?q=x', {}],
    ['a path that Next redirects', '/docs/guides/', {}],
    ['a file that a later build removed', '/docs/guides/gone', {}],
    ["the parts of a page that Next's client asks for", '/docs/guides/retries', { rsc: '1' }],
  ])('leaves %s to Next', async (_name, pathname, headers) => {
    expect((await get(pathname, headers)).status).toBe(204);
  });
});

describe('the page of a portal', () => {
  it('is framed by exactly the origins of its project, and is the same for every project', async () => {
    const response = await get('/portal/framed');
    const { status, headers } = response;
    expect([status, await response.text()]).toEqual([200, SENT]);
    expect(headers.get('content-security-policy')).toMatch(
      /; frame-ancestors https:\/\/app\.example\.com http:\/\/localhost:3000$/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each(['/portal/alone', '/portal/unknown', '/portal/broken'])('is framed by none at %s', async (pathname) => {
    const response = await get(pathname);
    expect([response.status, await response.text()]).toEqual([200, SENT]);
    expect(response.headers.get('content-security-policy')).toMatch(/; frame-ancestors 'none'$/);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  it('takes new origins although its content is the same', async () => {
    const { headers } = await get('/portal/alone');
    const again = await get('/portal/framed', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([
      304,
      expect.stringContaining('frame-ancestors https://app.example.com'),
    ]);
  });
});
