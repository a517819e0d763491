import { request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '@/tests/http/listen';
import { setTestConfig } from '@/tests/setup/variables';
import { noContent } from './api-response';
import { PRIVATE_CONTENT_ENCODING } from './private-headers';
import { route } from './route';
import { toMatcher } from './table';
import { createWebServer } from './web-server';

setTestConfig();

const definition = route({
  summary: 'Read.',
  caller: { kind: 'anyone', authenticate: async () => null },
  response: { status: 204 },
  handler: async () => noContent(),
});

/** Requests a path from the web entry, with a fake Next behind it. Returns the headers that each side received. */
async function askThrough(path: string, headers: Record<string, string>, answer: (response: ServerResponse) => void) {
  let seenByNext: IncomingHttpHeaders = {};
  const server = createWebServer({
    match: toMatcher({ '/api/v1/things': { GET: definition } }),
    next: async (message, response) => {
      seenByNext = { ...message.headers };
      answer(response);
      response.end();
    },
    clientAddress: () => '203.0.113.7',
    ownPrefixes: ['/api'],
  });
  const { port } = new URL(await listen(server));
  const received = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.headers);
    });
    request.on('error', reject).end();
  });
  return { seenByNext, received };
}

describe('on a path of the API', () => {
  const ask = (answer: (response: ServerResponse) => void, headers: Record<string, string> = {}) =>
    askThrough('/api/v1/things', headers, answer);

  it('hides Accept-Encoding from Next, which could compress a secret, and passes it to the handler', async () => {
    const { seenByNext } = await ask(() => undefined, { 'accept-encoding': 'gzip;q=0.5' });
    expect(seenByNext['accept-encoding']).toBeUndefined();
    expect(seenByNext['x-eds-accept-encoding']).toBe('gzip;q=0.5');
    const forged = await ask(() => undefined, { 'x-eds-accept-encoding': 'gzip' });
    expect(forged.seenByNext['x-eds-accept-encoding']).toBeUndefined();
  });

  it('restores the Content-Encoding that Next would drop', async () => {
    for (const add of ['setHeader', 'appendHeader'] as const) {
      const { received } = await ask((response) => response[add](PRIVATE_CONTENT_ENCODING, 'gzip'));
      expect(received['content-encoding']).toBe('gzip');
      expect(received).not.toHaveProperty(PRIVATE_CONTENT_ENCODING);
    }
  });

  it('keeps the Vary of the dispatcher and removes that of pages', async () => {
    const { received } = await ask((response) => {
      response.setHeader('Vary', 'rsc, next-router-state-tree');
      response.appendHeader('Vary', 'Accept-Encoding, Origin');
    });
    expect(received.vary).toBe('Accept-Encoding, Origin');
  });
});

describe('on the path of a page', () => {
  it('lets Next compress as the client accepts, and keeps its Vary', async () => {
    const { seenByNext, received } = await askThrough('/login', { 'accept-encoding': 'gzip' }, (response) =>
      response.setHeader('Vary', 'rsc, Accept-Encoding'),
    );
    expect(seenByNext['accept-encoding']).toBe('gzip');
    expect(received.vary).toBe('rsc, Accept-Encoding');
  });
});

describe('on the path of a page', () => {
  const seen = async (headers: Record<string, string>) =>
    (await askThrough('/login', headers, () => undefined)).seenByNext;
  const state = (levels: number) => `${'["",{"children":'.repeat(levels)}["",{}]${'}]'.repeat(levels)}`;

  it('Next gets the router state of a browser, and none that is deep, long, broken, or without RSC', async () => {
    const kept = async (value: string, rsc: Record<string, string> = { RSC: '1' }) =>
      (await seen({ ...rsc, 'Next-Router-State-Tree': value }))['next-router-state-tree'] !== undefined;
    expect(await kept(encodeURIComponent(state(12)))).toBe(true);
    expect(await kept(state(12))).toBe(true);
    expect(await kept(state(12), {})).toBe(false);
    expect(await kept(encodeURIComponent(state(40)))).toBe(false);
    expect(await kept(state(12).replace('""', `"${'x'.repeat(8_192)}"`))).toBe(false);
    expect(await kept('%5B')).toBe(false);
  });

  it('Next gets the headers that pages need, without what is longer than in any browser', async () => {
    const needed = {
      accept: 'text/html',
      cookie: 'eds_session=1',
      rsc: '1',
      'next-url': '/orgs',
      'if-none-match': '"x"',
    };
    const others = { 'accept-language': 'en', 'x-forwarded-host': 'evil.test', 'next-action': 'x', authorization: 'x' };
    const got = await seen({ ...needed, ...others });
    expect(got).toMatchObject(needed);
    for (const name of Object.keys(others)) expect(got, name).not.toHaveProperty(name);
    expect(await seen({ 'next-url': `/${'a'.repeat(3_000)}` })).not.toHaveProperty('next-url');
  });
});

it.each(['/login', '/api/v1/things'])(
  'Next searches 512 characters of a User-Agent for robots at most: %s',
  async (path) => {
    const { seenByNext } = await askThrough(path, { 'user-agent': 'a'.repeat(14_000) }, () => undefined);
    expect(seenByNext['user-agent']).toHaveLength(512);
  },
);

describe('the cookies of a request', () => {
  const kept = async (path: string, cookie: string) =>
    (await askThrough(path, { cookie }, () => undefined)).seenByNext.cookie;

  it('reach Next if they are ours', async () => {
    const ours = 'eds_session=1; __Host-eds_idp_state.abc-123456789012=x; eds_idp_return_to.abc-1=y; refresh_token=t';
    expect(await kept('/login', `a=b; ${ours};c=d; my_refresh_token=u`)).toBe(ours);
    expect(await kept('/login', 'a=b; c')).toBeUndefined();
  });

  it('are dropped when they are more than a browser has, since Next takes quadratic time', async () => {
    const many = (count: number, chars: number) =>
      Array.from({ length: count }, () => `eds_session=${'x'.repeat(chars)}`).join('; ');
    expect(await kept('/login', many(32, 100))).toBe(many(32, 100));
    expect(await kept('/login', many(33, 100))).toBeUndefined();
    expect(await kept('/login', many(9, 1_000))).toBeUndefined();
  });
});
