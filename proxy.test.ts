import { readdirSync } from 'node:fs';
import { NextRequest } from 'next/server';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { config, proxy } from './proxy';

const visit = (path = '/login') => proxy(new NextRequest(`http://localhost:3000${path}`));
const policyOf = (path?: string) => visit(path).headers.get('Content-Security-Policy') ?? '';
const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((part) => part.startsWith(`${name} `))
    ?.slice(name.length + 1);

afterEach(() => setOnce('config', undefined));

describe('a page', () => {
  it('has a new nonce in every response', () => {
    const nonces = [policyOf(), policyOf(), policyOf()].map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1]);
    expect(new Set(nonces).size).toBe(3);
    for (const nonce of nonces) expect(Buffer.from(nonce ?? '', 'base64').length).toBe(16);
  });

  it('allows no script without the nonce', () => {
    expect(directive(policyOf(), 'script-src')).not.toMatch(/unsafe|\*|https?:/);
  });

  it('connects to no other origin and cannot be framed', () => {
    const policy = policyOf();
    expect(directive(policy, 'default-src')).toBe("'self'");
    expect(directive(policy, 'connect-src')).toBe("'self'");
    expect(directive(policy, 'frame-ancestors')).toBe("'none'");
    expect(directive(policy, 'base-uri')).toBe("'none'");
    expect(visit().headers.get('X-Frame-Options')).toBe('DENY');
  });

  it('sends no referrer and is not cached, because its URL may contain a token', () => {
    expect(visit('/reset-password?token=x').headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(visit('/reset-password?token=x').headers.get('Cache-Control')).toContain('no-store');
  });

  it('is not the page that Next shows after an error, whose status is 500', () => {
    const rewritten = (path: string) => visit(path).headers.get('x-middleware-rewrite');
    expect(rewritten('/_global-error')).toBe('http://localhost:3000/not-found');
    expect(rewritten('/_global-error/x?y=1')).toBe('http://localhost:3000/not-found');
    expect(rewritten('/login')).toBeNull();
  });

  it('has Strict-Transport-Security only when it is served over https', () => {
    expect(visit().headers.get('Strict-Transport-Security')).toBeNull();
    setOnce('config', parseConfig({ APP_BASE_URL: 'https://events.example' }));
    expect(visit().headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
  });
});

describe('a visitor without a session', () => {
  const open = (path: string, headers: Record<string, string> = {}) =>
    proxy(new NextRequest(`http://localhost:3000${path}`, { headers: { Accept: 'text/html,*/*', ...headers } }));
  const locationOf = (path: string, headers?: Record<string, string>) => {
    const location = open(path, headers).headers.get('Location');
    return location === null ? null : location.replace('http://localhost:3000', '');
  };

  it('is redirected from a page of the dashboard to the sign-in page, with the way back', () => {
    expect(open('/account').status).toBe(307);
    expect(locationOf('/')).toBe('/login');
    expect(locationOf('/projects/1/events?type=order.paid')).toBe(
      '/login?returnTo=%2Fprojects%2F1%2Fevents%3Ftype%3Dorder.paid',
    );
    expect(open('/account').headers.get('Cache-Control')).toContain('no-store');
  });

  it('is redirected from every folder of pages that need a session', () => {
    const folders = readdirSync('app/(dashboard)', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(locationOf(`/${name}/x`), name).toContain('/login?returnTo=');
    expect(locationOf('/device')).toContain('/login?returnTo=');
  });

  it.each(['//evil.example/', '/projects//evil.example', '/orgs/\\evil.example', '/account?x=//evil.example'])(
    'never leaves this origin: %s',
    (path) => {
      const location = locationOf(path);
      if (location !== null) expect(new URL(location, 'http://localhost:3000').host).toBe('localhost:3000');
    },
  );

  it.each(['/login', '/register', '/docs/api', '/operator', '/accept-invitation', '/nowhere', '/accounts'])(
    'may open %s',
    (path) => expect(locationOf(path)).toBeNull(),
  );

  it('is a matter of the cookie, and of documents only', () => {
    expect(locationOf('/account', { Cookie: 'eds_session=1' })).toBeNull();
    expect(locationOf('/account', { Accept: '*/*' })).toBeNull();
  });
});

describe('the matcher', () => {
  const matches = (path: string) => new RegExp(`^${config.matcher[0]}$`).test(path);

  it.each([
    '/',
    '/login',
    '/projects/1/events',
    '/tunnels',
    '/apiary',
    '/downloads',
    '/metrics/x',
    '/icon.svgx',
    '/robots.txtx',
    '/favicon.icon',
    '/_next/image',
    '/_next/staticx',
    '/portal/embed.jsx',
  ])('matches the page %s', (path) => {
    expect(matches(path)).toBe(true);
  });

  it.each([
    '/api/v1/events',
    '/downloads/eds.tgz',
    '/t/token/x',
    '/metrics',
    '/portal/embed.js',
    '/_next/static/a.js',
    '/icon.svg',
    '/favicon.ico',
    '/robots.txt',
  ])('does not match %s', (path) => {
    expect(matches(path)).toBe(false);
  });
});
