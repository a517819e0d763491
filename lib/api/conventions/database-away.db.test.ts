import { describe, expect, it } from 'vitest';
import { makeKey } from '@/lib/keys/key-format';
import { config } from '@/lib/platform/config/config';
import { closeDatabase } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { closePrisma } from '@/lib/platform/prisma/client';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

describe('while the database is unreachable', () => {
  it('every kind of request gets 503 with Retry-After, without details of the database', async () => {
    const bearer = projects.mine.owner.accessToken;
    const working = config();
    await closePrisma();
    await closeDatabase();
    setOnce('config', { ...working, DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    const requests = [
      call('POST', '/api/v1/events', { apiKey: makeKey(), body: { type: 'a', data: {} } }),
      call('GET', `/api/v1/projects/${projects.mine.id}/endpoints`, { bearer }),
      call('GET', `/api/v1/projects/${projects.mine.id}/endpoints`, { apiKey: makeKey() }),
      call('POST', '/api/v1/auth/login', { body: { email: 'a@b.example', password: 'some-password' } }),
      call('GET', '/api/health/ready'),
    ];
    for (const { status, json, headers, text } of await Promise.all(requests)) {
      expect([status, json.code]).toEqual([503, 'unavailable']);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(text).not.toMatch(/secret|127\.0\.0\.1|ECONNREFUSED/);
    }
    expect((await call('GET', '/api/health/live')).status).toBe(200);
    await closeDatabase();
    setOnce('config', working);
    expect((await call('GET', '/api/health/ready')).status).toBe(200);
  });
});
