import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/delivery/schema';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { freshEmail, PASSWORD } from '@/tests/fixtures/people';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call as callDirectly, type TestResponse } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const testDatabase = useDatabase();
const projects = useProjects();

const allowOrigins = (origins: string) =>
  setTestConfig({ DATABASE_URL: testDatabase.url, API_ALLOWED_ORIGINS: origins });
afterEach(() => allowOrigins(''));

const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const endpointsPath = () => `/api/v1/projects/${projects.mine.id}/endpoints`;

/** Creates an endpoint whose JSON has exactly the given number of bytes. */
async function makeEndpointOf(bytes: number): Promise<string> {
  const make = (url: string) =>
    callDirectly<Endpoint>('POST', endpointsPath(), { apiKey: projects.mine.key, body: { url } });
  const url = 'https://receiver.example/';
  const { text } = await make(url);
  const made = await make(url + 'x'.repeat(bytes - Buffer.byteLength(text)));
  expect(Buffer.byteLength(made.text)).toBe(bytes);
  return `${endpointsPath()}/${made.json.id}`;
}

let large = '';
let atThreshold = '';
let aboveThreshold = '';
beforeAll(async () => {
  large = await makeEndpointOf(1_800);
  atThreshold = await makeEndpointOf(1_024);
  aboveThreshold = await makeEndpointOf(1_025);
});

describe.each(useAdapters())('a large response %s', (_name, call) => {
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    call<Endpoint>(method, path, { apiKey: projects.mine.key, headers });
  const codingOf = async (path: string, headers: Record<string, string> = GZIP) => {
    const { status, headers: received } = await read(path, headers);
    return [status, received['content-encoding'], received.vary];
  };

  it('is sent in gzip to a client that accepts it, with the same content', async () => {
    const plain = await read(large);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const coded = await read(large, GZIP);
    expect([coded.status, coded.headers['content-encoding'], coded.headers['content-type']]).toEqual([
      200,
      'gzip',
      'application/json',
    ]);
    expect(coded.text).toBe(plain.text);
  });

  it('is compressed above 1 KiB only; a smaller one has no Vary header', async () => {
    expect(await codingOf(atThreshold)).toEqual([200, undefined, undefined]);
    expect(await codingOf(aboveThreshold)).toEqual([200, 'gzip', 'Accept-Encoding']);
    expect(await codingOf(aboveThreshold, {})).toEqual([200, undefined, 'Accept-Encoding']);
  });

  it('also varies by Origin when pages of other origins may read it', async () => {
    allowOrigins('https://app.example.com');
    const origin = { origin: 'https://app.example.com' };
    expect((await read(large, { ...GZIP, ...origin })).headers.vary).toBe('Accept-Encoding, Origin');
    expect((await read(large, origin)).headers.vary).toBe('Accept-Encoding, Origin');
    expect((await read(atThreshold, { ...GZIP, ...origin })).headers.vary).toBe('Origin');
  });

  it('is not sent again to a client that has it in either encoding: its ETag is weak', async () => {
    const { etag = '' } = (await read(large, GZIP)).headers;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    expect((await read(large)).headers.etag).toBe(etag);
    for (const accepted of [GZIP, {}]) {
      for (const given of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
        const again = await read(large, { ...accepted, 'if-none-match': given });
        expect([again.status, again.text, again.headers.etag], given).toEqual([304, '', etag]);
        expect([again.headers['content-encoding'], again.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
      }
      const changed = await read(large, { ...accepted, 'if-none-match': 'W/"another"' });
      expect([changed.status, changed.json.id]).toEqual([200, (await read(large)).json.id]);
    }
  });

  it('has the same headers for HEAD', async () => {
    const framing = ['date', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'x-request-id'];
    const kept = (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.includes(name)));
    for (const [path, headers] of [
      [large, GZIP],
      [large, {}],
      [atThreshold, GZIP],
    ] as const) {
      const get = await read(path, headers);
      const head = await read(path, headers, 'HEAD');
      expect([head.status, head.text]).toEqual([200, '']);
      expect(kept(head.headers)).toEqual(kept(get.headers));
    }
  });
});

describe.each(useAdapters())('a response with a secret %s', (_name, call) => {
  const longNames = { name: 'N'.repeat(100), organizationName: 'O'.repeat(100) };
  const account = () => ({ email: `${'a'.repeat(60)}@${freshEmail().replace('@', '.')}`, password: PASSWORD });

  it('is never compressed, however large, and neither are the errors of its route', async () => {
    const person = account();
    const registered = await call<{ accessToken: string; organization: { id: string } }>(
      'POST',
      '/api/v1/auth/register',
      { headers: GZIP, body: { ...person, ...longNames } },
    );
    const bearer = registered.json.accessToken;
    const { id: organizationId } = registered.json.organization;
    const responses: TestResponse<unknown>[] = [
      registered,
      await call('POST', '/api/v1/auth/login', { headers: GZIP, body: person }),
      await call('POST', '/api/v1/auth/switch-organization', { headers: GZIP, bearer, body: { organizationId } }),
      await call('POST', '/api/v1/auth/refresh', {
        headers: GZIP,
        cookie: registered.cookies[0]?.split(';')[0] ?? '',
      }),
    ];
    const body = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`field${n}`, n]));
    responses.push(await call('POST', '/api/v1/auth/login', { headers: GZIP, body: { ...person, ...body } }));
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 400]);
    for (const { text, headers } of responses) {
      expect(Buffer.byteLength(text)).toBeGreaterThan(1_024);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    }
  });
});

describe.each(useAdapters())('a download %s', (_name, call) => {
  const organization = () => `/api/v1/orgs/${projects.mine.owner.organizationId}`;
  const bearer = () => projects.mine.owner.accessToken;
  const get = <T = unknown>(path: string, headers: Record<string, string>, method = 'GET') =>
    call<T>(method, organization() + path, { bearer: bearer(), headers });

  beforeAll(() =>
    insertAudit({ organizationId: projects.mine.owner.organizationId, count: 3_000, details: { text: 'a detail' } }),
  );

  it('of an organization is sent completely in gzip', async () => {
    const { status, headers, json } = await get<OrganizationExport>('/export', GZIP);
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, 'gzip', 'Accept-Encoding']);
    expect(headers['content-disposition']).toContain('attachment');
    expect(json.auditLogs.length).toBeGreaterThanOrEqual(3_000);
    expect(json.auditLogsTotal).toBe(json.auditLogs.length);
    const plain = await get<OrganizationExport>('/export', {});
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(plain.json.auditLogs).toEqual(expect.arrayContaining(json.auditLogs.slice(0, 20)));
  });
});
