import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { setTestConfig } from '@/tests/setup/variables';

const database = useDatabase();
const projects = useProjects();
const adapters = useAdapters();

const APP = 'https://app.example.com';
const allow = (origins: string) => setTestConfig({ DATABASE_URL: database.url, API_ALLOWED_ORIGINS: origins });
const corsOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

beforeEach(() => allow(''));

describe.each(adapters)('a page of another origin, %s', (_name, call) => {
  const ask = (origin: string) => call('GET', '/api/v1/key', { apiKey: projects.mine.key, headers: { origin } });
  const preflight = (origin: string, path = '/api/v1/events') =>
    call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } });

  it('may read nothing by default', async () => {
    expect(corsOf((await ask(APP)).headers)).toEqual({});
    expect(corsOf((await preflight(APP)).headers)).toEqual({});
  });

  it('may call the API when it is listed, without cookies', async () => {
    allow(`https://other.example.com, ${APP}`);
    const { headers } = await ask(APP);
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    });
    expect(headers.vary).toBe('Origin');
    const asked = await preflight(APP);
    expect(asked.status).toBe(204);
    expect(corsOf(asked.headers)).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('X-API-Key'),
      'access-control-max-age': '600',
    });
    expect(corsOf(asked.headers)).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read errors too, so that it can show what is wrong', async () => {
    allow(APP);
    const refused = await call('GET', '/api/v1/key', { headers: { origin: APP } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, APP]);
  });

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://app.example.com:444', 'null'])(
    'may read nothing when its origin only resembles a listed one: %s',
    async (origin) => {
      allow(APP);
      for (const { headers } of [await ask(origin), await preflight(origin)]) {
        expect(corsOf(headers)).toEqual({});
        expect(headers.vary).toBe('Origin');
      }
    },
  );

  it('may call the API when every origin is allowed', async () => {
    allow('*');
    expect((await ask('https://anything.example')).headers['access-control-allow-origin']).toBe('*');
  });
});
