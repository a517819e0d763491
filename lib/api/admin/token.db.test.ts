import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StrangerBudget } from '@/lib/http/stranger-budget';
import { type Config, config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { count, run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN, callAsOperator, listOperatorPaths } from '@/tests/fixtures/operator';
import { asPerson } from '@/tests/fixtures/people';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNode, useAdapters, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });
const projects = useProjects();
const adapters = useAdapters();
const server = useWebServer();

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PATHS = listOperatorPaths();
const withToken = (token: string) => ({ headers: { 'x-platform-admin-token': token } });

beforeEach(() => run('DELETE FROM rate_limits'));

describe.each(adapters)('the operator token, %s', (_name, call) => {
  it('opens the paths of the operator', async () => {
    const stats = await callAsOperator('GET', '/stats', {}, call);
    expect(stats.status, stats.text).toBe(200);
    expect((await callAsOperator('GET', '/nothing', {}, call)).status).toBe(404);
    expect((await callAsOperator('PUT', '/stats', {}, call)).status).toBe(405);
    expect((await callAsOperator('OPTIONS', '/stats', {}, call)).headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it.each(VERBS)('is required on every path, known or not, with %s', async (verb) => {
    for (const path of PATHS) {
      for (const headers of [{}, withToken('').headers, withToken('wrong').headers]) {
        const response = await call(verb, path, { headers });
        expect(response.status, `${verb} ${path}`).toBe(401);
        expect(response.headers.allow).toBeUndefined();
        if (verb !== 'HEAD') expect(response.json.code).toBe('invalid_admin_token');
      }
    }
  });

  it('is checked before the body and the query', async () => {
    const broken = { body: '{', headers: { 'content-type': 'text/plain' } };
    expect((await call('POST', '/api/v1/admin/retention/run', broken)).status).toBe(401);
    expect((await call('GET', '/api/v1/admin/orgs?limit=x')).status).toBe(401);
    expect((await callAsOperator('POST', '/retention/run', broken, call)).status).toBe(415);
    expect((await callAsOperator('GET', '/orgs?limit=x', {}, call)).status).toBe(400);
  });

  it('cannot be replaced by a session or an API key', async () => {
    const { owner, key } = projects.mine;
    for (const path of PATHS) {
      expect((await call('GET', path, asPerson(owner))).status).toBe(401);
      expect((await call('GET', path, { apiKey: key })).status).toBe(401);
      expect((await call('GET', path, { bearer: ADMIN_TOKEN })).status).toBe(401);
      expect((await call('GET', path, { apiKey: ADMIN_TOKEN })).status).toBe(401);
    }
  });

  it('is enough: other credentials in the request are ignored', async () => {
    const others = [
      { bearer: 'x' },
      { apiKey: 'x' },
      { bearer: projects.mine.owner.accessToken, apiKey: projects.mine.key },
    ];
    for (const credentials of others) {
      expect((await callAsOperator('GET', '/stats', credentials, call)).status).toBe(200);
      const wrong = { ...credentials, ...withToken('wrong') };
      expect((await call('GET', '/api/v1/admin/stats', wrong)).json.code).toBe('invalid_admin_token');
    }
  });

  it('must match exactly: a prefix, a longer text or another case is refused', async () => {
    const almost = [ADMIN_TOKEN.slice(0, -1), `${ADMIN_TOKEN}x`, ADMIN_TOKEN.toUpperCase(), `Bearer ${ADMIN_TOKEN}`];
    for (const token of almost) expect((await call('GET', '/api/v1/admin/stats', withToken(token))).status).toBe(401);
  });

  it('is not required on paths that only start with the same letters', async () => {
    expect((await call('GET', '/api/v1/administrators')).status).toBe(404);
    expect((await call('GET', '/api/v1/Admin/stats')).status).toBe(404);
  });
});

describe('an unknown verb', () => {
  it('gets 401 without the token, and 405 with it', async () => {
    const call = callOver(sendThroughNode(server.port));
    expect((await call('PROPFIND', '/api/v1/admin/stats')).status).toBe(401);
    expect((await call('PROPFIND', '/api/v1/admin/nothing')).status).toBe(401);
    expect((await callAsOperator('PROPFIND', '/stats', {}, call)).status).toBe(405);
  });
});

describe.each(adapters)('guessing the operator token, %s', (_name, call) => {
  const guess = (token: string) => call('GET', '/api/v1/admin/stats', withToken(token));

  it('is limited to twenty different tokens a minute from one IP address; the right token still works', async () => {
    const first = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(`guess ${n}`)));
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 401));
    const refused = await guess('one more guess');
    expect(refused.status).toBe(429);
    expect(refused.json.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await callAsOperator('GET', '/stats', {}, call)).status).toBe(200);
    expect((await call('GET', '/api/v1/admin/stats')).status).toBe(401);
  });

  it('counts a repeated wrong token once, and a missing token never', async () => {
    for (let n = 0; n < 25; n++) {
      expect((await guess('stale')).status).toBe(401);
      expect((await call('GET', '/api/v1/admin/stats')).status).toBe(401);
    }
    expect((await guess('another')).status).toBe(401);
  });

  it('stores no more rows than an IP address has guesses', async () => {
    for (let n = 0; n < 20; n++) await guess(`guess ${n}`);
    const countGuesses = () => count('SELECT FROM rate_limits');
    const before = await countGuesses();
    for (let n = 20; n < 50; n++) expect((await guess(`guess ${n}`)).status).toBe(429);
    expect(await countGuesses()).toBe(before);
  });
});

describe.each(adapters)('while PLATFORM_ADMIN_TOKEN is unset, %s', (_name, call) => {
  let before: Config;
  beforeAll(() => {
    before = config();
    setOnce('config', { ...before, PLATFORM_ADMIN_TOKEN: undefined });
    // Hundreds of requests of a stranger within a second.
    setOnce('stranger-budget', new StrangerBudget(0));
  });
  afterAll(() => {
    setOnce('config', before);
    setOnce('stranger-budget', undefined);
  });

  it.each(VERBS)('every operator path answers like an unknown path, whatever the token, with %s', async (verb) => {
    const nowhere = await call(verb, '/api/v1/nowhere');
    for (const path of PATHS) {
      for (const token of [undefined, '', 'x', 'undefined', 'null']) {
        const options = token === undefined ? {} : { headers: { 'x-platform-admin-token': token } };
        const response = await call(verb, path, options);
        expect(response.status, `${verb} ${path}`).toBe(404);
        expect(response.headers.allow).toBeUndefined();
        if (verb !== 'HEAD') expect({ ...response.json, requestId: '' }).toEqual({ ...nowhere.json, requestId: '' });
      }
    }
  });

  it('a session or an API key gives no access either', async () => {
    for (const path of PATHS) {
      expect((await call('GET', path, asPerson(projects.mine.owner))).status).toBe(404);
      expect((await call('GET', path, { apiKey: projects.mine.key })).status).toBe(404);
    }
  });
});
