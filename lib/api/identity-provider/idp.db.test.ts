import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jwt from 'next-auth/jwt';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startProvider, type TestProvider, withClaims } from '@/e2e/support/provider';
import { signInAtProvider, Visitor } from '@/e2e/support/visitor';
import { privateHeaders } from '@/lib/http/private-headers';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { sendThroughNext } from '@/tests/http/adapters';
import { call, callOver, expectProblem } from '@/tests/http/api-request';
import { listen } from '@/tests/http/listen';
import { captureLog } from '@/tests/monitoring/captured-log';
import { setTestConfig } from '@/tests/setup/variables';

const database = useDatabase();

const throughNext = callOver(sendThroughNext);

const START = '/api/v1/auth/oauth/idp';

const CALLBACK = '/api/v1/auth/oauth/idp/callback';

const CLIENT = { IDP_OAUTH_CLIENT_ID: 'client-1', IDP_OAUTH_CLIENT_SECRET: 's3cret' };

let issuer: { url: string; asked: number; server: Server } | undefined;

/** An issuer that serves discovery only; `changes` are applied to its document. */
async function startIssuer(changes: object = {}): Promise<string> {
  const server = createServer((_request, response) => {
    if (issuer !== undefined) issuer.asked += 1;
    const [authorization_endpoint, token_endpoint, jwks_uri] = ['/auth', '/token', '/jwks'].map((path) => url + path);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ issuer: url, authorization_endpoint, token_endpoint, jwks_uri, ...changes }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer = { url, asked: 0, server };
  return url;
}

function configure(variables: Record<string, string>): void {
  setTestConfig({ DATABASE_URL: database.url, ...variables });
}

afterEach(async () => {
  await new Promise((resolve) => (issuer === undefined ? resolve(null) : issuer.server.close(resolve)));
  issuer = undefined;
  setOnce('idp-issuer', undefined);
  configure({});
});

describe('without an OAuth client', () => {
  it.each([START, CALLBACK, `${CALLBACK}?code=1&state=2`])('%s is 404', async (path) => {
    configure({});
    const response = await call('GET', path);
    expectProblem(response, 404, 'not_found');
    expect(response.cookies).toEqual([]);
  });

  it('lists no provider', async () => {
    configure({});
    expect((await call('GET', '/api/v1/auth/providers')).json).toEqual({ data: [] });
  });
});

describe('with an OAuth client', () => {
  it('lists the provider with the name of its button', async () => {
    configure({ ...CLIENT, IDP_OAUTH_NAME: 'Acme ID' });
    expect((await call('GET', '/api/v1/auth/providers')).json).toEqual({ data: [{ id: 'idp', name: 'Acme ID' }] });
  });

  it('the start redirects to the provider: code flow with state, nonce and PKCE, three scopes, our URI', async () => {
    configure({ ...CLIENT, APP_BASE_URL: 'https://events.example.com', IDP_OAUTH_ISSUER: await startIssuer() });
    const { status, headers } = await call('GET', START);
    expect(status).toBe(302);
    const target = new URL(headers.location ?? '');
    expect(target.origin + target.pathname).toBe(`${issuer?.url}/auth`);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      client_id: 'client-1',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `https://events.example.com${CALLBACK}`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('the start sets four cookies for ten minutes that no script can read and no other host can set', async () => {
    configure({ ...CLIENT, APP_BASE_URL: 'https://events.example.com', IDP_OAUTH_ISSUER: await startIssuer() });
    const { cookies } = await call('GET', `${START}?returnTo=/device`);
    const [slot] = new Set(cookies.map((cookie) => cookie.slice(cookie.indexOf('.') + 1, cookie.indexOf('='))));
    expect(slot).toMatch(/^[0-9a-z]+-[\w-]{12}$/);
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      `__Host-eds_idp_state.${slot}`,
      `__Host-eds_idp_pkcecodeverifier.${slot}`,
      `__Host-eds_idp_nonce.${slot}`,
      `__Host-eds_idp_return_to.${slot}`,
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/;/);
      for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=600'])
        expect(cookie).toContain(attribute);
      expect(cookie).not.toContain('Domain');
    }
  });

  it('each start has its own cookies; a fourth start of one browser ends the oldest', async () => {
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: await startIssuer() });
    const held = new Map<string, string>();
    const slots: string[] = [];
    // In the past: ids that are made ahead of the clock would stay ahead of it in the test files that follow.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (let start = 0; start < 5; start += 1) {
      vi.advanceTimersByTime(2_000);
      const cookie = [...held].map(([name, value]) => `${name}=${value}`).join('; ');
      const { cookies } = await call('GET', START, { cookie: `theme=dark; ${cookie}` });
      for (const set of cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (set.includes('Max-Age=0')) held.delete(name);
        else held.set(name, value);
      }
      slots.push([...held.keys()].at(-1)?.split('.')[1] ?? '');
      expect(held.size).toBe(4 * Math.min(start + 1, 3));
    }
    expect(new Set(slots).size).toBe(5);
    expect(new Set([...held.keys()].map((name) => name.split('.')[1]))).toEqual(new Set(slots.slice(-3)));
  });

  it('passes no extra parameter of the start to the provider', async () => {
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: await startIssuer() });
    const plain = await call('GET', START);
    const injected = new URLSearchParams({
      redirect_uri: 'https://evil.example/',
      scope: 'openid drive',
      state: 'known',
      nonce: 'known',
      code_challenge: 'known',
      client_id: 'evil',
      response_mode: 'fragment',
      prompt: 'none',
      callbackUrl: 'https://evil.example/',
      error: 'access_denied',
      nextauth: 'signout',
    });
    const { status, headers, cookies } = await call('GET', `${START}?${injected}`);
    expect(status).toBe(302);
    const [expected, got] = [plain.headers.location, headers.location].map((url) => new URL(url ?? '').searchParams);
    expect([...(got?.keys() ?? [])].sort()).toEqual([...(expected?.keys() ?? [])].sort());
    for (const name of ['redirect_uri', 'scope', 'client_id']) expect(got?.get(name)).toBe(expected?.get(name));
    expect(decodeURIComponent(`${headers.location}${cookies}`)).not.toMatch(/evil|known/);
  });

  it('exchanges four codes of a network at once, and does not let other networks wait for them', async () => {
    const waiting: ServerResponse[] = [];
    const provider = createServer((request, response) => {
      if (request.url === '/token') waiting.push(response);
      else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document));
    });
    const url = await listen(provider);
    const [authorization_endpoint, token_endpoint, jwks_uri] = ['/auth', '/token', '/jwks'].map((path) => url + path);
    const document = { issuer: url, authorization_endpoint, token_endpoint, jwks_uri };
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: url });
    const returnFrom = async (clientAddress: string) => {
      const headers = privateHeaders({ clientAddress, requestId: randomUUID() });
      const started = await throughNext('GET', START, { headers });
      const state = new URL(started.headers.location ?? '').searchParams.get('state');
      const cookie = started.cookies.map((set) => set.split(';')[0]).join('; ');
      return throughNext('GET', `${CALLBACK}?code=1&state=${state}`, { headers, cookie });
    };
    const many = Array.from({ length: 10 }, () => returnFrom('198.51.100.1'));
    await expect.poll(() => waiting.length).toBe(4);
    const other = returnFrom('203.0.113.1');
    await expect.poll(() => waiting.length).toBe(5);
    let ended = 0;
    void Promise.all([...many, other].map((each) => each.then(() => (ended += 1))));
    await expect
      .poll(() => {
        for (const response of waiting.splice(0)) response.writeHead(400).end('{"error":"invalid_grant"}');
        return ended;
      })
      .toBe(11);
  });

  describe.each(['/.well-known/openid-configuration', '/token'])('a provider that answers %s with', (path) => {
    /** Signs in at a provider that answers the path with `send`. @returns where the browser goes */
    const signInWith = async (send: (response: ServerResponse) => void) => {
      const provider = createServer((request, response) => {
        response.setHeader('Content-Type', 'application/json');
        if (request.url === path) send(response);
        else response.end(JSON.stringify(discovery));
      });
      const url = await listen(provider);
      const [authorization_endpoint, token_endpoint, jwks_uri] = ['/auth', '/token', '/jwks'].map((each) => url + each);
      const discovery = { issuer: url, authorization_endpoint, token_endpoint, jwks_uri };
      configure({ ...CLIENT, IDP_OAUTH_ISSUER: url });
      const started = await call('GET', START);
      const location = started.headers.location ?? '';
      if (location.includes('error=')) return location;
      const cookie = started.cookies.map((set) => set.split(';')[0]).join('; ');
      const state = new URL(location).searchParams.get('state');
      return (await call('GET', `${CALLBACK}?code=1&state=${state}`, { cookie })).headers.location;
    };

    it('an endless document loses its connection after some 64 KiB, and the sign-in is refused', async () => {
      let sent = 0;
      let hasEnded = false;
      const location = await signInWith((response) => {
        response.on('close', () => {
          hasEnded = true;
        });
        const send = () => {
          if (response.destroyed) return;
          sent += 16 * 1024;
          if (response.write(' '.repeat(16 * 1024))) setImmediate(send);
          else response.once('drain', send);
        };
        send();
      });
      expect(location).toContain('idp_failed');
      await expect.poll(() => hasEnded).toBe(true);
      // Most of it is in the buffers of the sockets.
      expect(sent).toBeLessThan(16 * 1024 * 1024);
    });

    it.each([65, 1024])('%i KiB of brackets is refused without being parsed', async (kib) => {
      const parse = vi.spyOn(JSON, 'parse');
      onTestFinished(() => void parse.mockRestore());
      expect(await signInWith((response) => response.end('['.repeat(kib * 1024)))).toContain('idp_failed');
      expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(16 * 1024);
    });
  });

  it('reads the discovery document once, not at every start', async () => {
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: await startIssuer() });
    for (let start = 0; start < 3; start++) expect((await call('GET', START)).status).toBe(302);
    expect(issuer?.asked).toBe(1);
  });

  it.each([
    ['names another issuer', { issuer: 'https://accounts.google.com' }],
    ['lacks an endpoint', { token_endpoint: undefined }],
    ['names an http endpoint', { token_endpoint: 'http://idp.example.com/token' }],
  ])('a discovery document that %s redirects to the login page', async (_what, changes) => {
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: await startIssuer(changes) });
    const { status, headers } = await call('GET', START);
    expect([status, headers.location]).toEqual([302, 'http://localhost:3000/login?error=idp_failed']);
  });

  it('an unreachable issuer redirects to the login page, the log names the request, and a later start recovers', async () => {
    const url = await startIssuer();
    await new Promise((resolve) => issuer?.server.close(resolve));
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: url });
    const log = captureLog({ DATABASE_URL: database.url, ...CLIENT, IDP_OAUTH_ISSUER: url });
    const away = await call('GET', `${START}?returnTo=/device`);
    expect(away.headers.location).toBe('http://localhost:3000/login?error=idp_failed&returnTo=%2Fdevice');
    const [line] = log.withMessage('request to the identity provider failed');
    expect(line?.requestId).toBe(away.headers['x-request-id']);
    await new Promise<void>((resolve) => issuer?.server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
    expect((await call('GET', START)).headers.location).toMatch(`${url}/auth?`);
  });

  it.each([
    ['', 'idp_failed'],
    ['code=c&state=s', 'idp_failed'],
    ['error=access_denied&state=s', 'idp_denied'],
    ['error=server_error', 'idp_failed'],
    ['error=%3Cscript%3E', 'idp_failed'],
  ])('a callback with "%s" that no start preceded redirects to the login page', async (query, error) => {
    configure({ ...CLIENT, IDP_OAUTH_ISSUER: await startIssuer() });
    const { status, headers, cookies } = await call('GET', `${CALLBACK}?${query}`);
    expect([status, headers.location]).toEqual([302, `http://localhost:3000/login?error=${error}`]);
    expect(cookies.filter((cookie) => !cookie.includes('Max-Age=0'))).toEqual([]);
    expect(issuer?.asked).toBe(0);
  });
});

describe('a provider sign-in', () => {
  const BASE_URL = 'http://localhost:3000';
  const [OLD_SECRET = '', NEW_SECRET = ''] = [32, 32].map((bytes) => randomBytes(bytes).toString('hex'));
  let provider: TestProvider;
  function restartWith(secrets: string[]): void {
    configure({ ...CLIENT, AUTH_SECRET: secrets.join(','), IDP_OAUTH_ISSUER: provider.issuer });
    setOnce('signing-keys', undefined);
  }
  beforeAll(async () => {
    provider = await startProvider();
    const redirectUri = `${BASE_URL}/api/v1/auth/oauth/idp/callback`;
    provider.register({ id: 'client-1', secret: 's3cret', redirectUri });
  });
  afterAll(() => provider.close());
  afterEach(() => {
    provider.rewriteIdToken = undefined;
  });
  /** Begins a provider sign-in with some secrets, completes it with others and with changed cookies, and returns where it leads. */
  async function signInAcross(
    before: string[],
    after: string[],
    change = (cookie: string) => cookie,
  ): Promise<string | undefined> {
    const sub = randomUUID();
    provider.accounts.set(sub, { email: `${sub}@example.com`, email_verified: true });
    restartWith(before);
    const start = await call('GET', '/api/v1/auth/oauth/idp');
    const back = new URL(await signInAtProvider(new Visitor(), provider, start.headers.location ?? '', sub));
    restartWith(after);
    const cookie = start.cookies.map((value) => change(value.split(';')[0] ?? '')).join('; ');
    return (await call('GET', back.pathname + back.search, { cookie })).headers.location;
  }
  const refused = `${BASE_URL}/login?error=idp_failed`;

  it.each([
    ['succeeds with an ID token that the clock of the provider dates some seconds ahead', 5, `${BASE_URL}/`],
    ['is refused with an ID token that is dated an hour ahead', 3_600, refused],
  ])('%s', async (_what, seconds, expected) => {
    const iat = Math.floor(Date.now() / 1_000) + seconds;
    provider.rewriteIdToken = withClaims(provider, { iat, exp: iat + 60 });
    expect(await signInAcross([OLD_SECRET], [OLD_SECRET])).toBe(expected);
  });

  it.each(['state', 'pkcecodeverifier', 'nonce'])(
    'never opens a cookie %s that names another algorithm than ours',
    async (check) => {
      const opened = vi.spyOn(jwt, 'decode');
      onTestFinished(() => opened.mockRestore());
      const forged = `${Buffer.from('{"alg":"PBES2-HS256+A128KW","enc":"A256GCM"}').toString('base64url')}.`;
      const change = (cookie: string) =>
        cookie.startsWith(`eds_idp_${check}.`) ? cookie.replace(/=[^.]+\./, `=${forged}`) : cookie;
      expect(await signInAcross([OLD_SECRET], [OLD_SECRET], change)).toBe(refused);
      expect(opened.mock.calls.map(([{ token }]) => token).filter((token) => token?.startsWith(forged))).toEqual([]);
    },
  );

  it('succeeds when a new first AUTH_SECRET was added meanwhile', async () => {
    expect(await signInAcross([OLD_SECRET], [NEW_SECRET, OLD_SECRET])).toBe(`${BASE_URL}/`);
  });

  it('succeeds at a process that does not have the new first AUTH_SECRET yet', async () => {
    expect(await signInAcross([OLD_SECRET, NEW_SECRET], [NEW_SECRET, OLD_SECRET])).toBe(`${BASE_URL}/`);
  });

  it('is refused when the AUTH_SECRET that sealed its checks was removed', async () => {
    expect(await signInAcross([OLD_SECRET], [NEW_SECRET])).toBe(refused);
  });
});
