import { describe, expect, it } from 'vitest';
import type { OwnKey } from '@/lib/keys/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

describe('the key of a request', () => {
  const ask = <T = OwnKey>(credentials: object) => call<T>('GET', '/api/v1/key', credentials);

  it('can read its own project, scope and expiry with any scope, and no secret', async () => {
    const { id, owner } = projects.mine;
    const expiresAt = '2099-01-31T09:30:00.000Z';
    for (const scope of ['READ_ONLY', 'READ_WRITE']) {
      const made = await makeKey(id, owner, { name: 'deploy', scope, expiresAt });
      const { status, json, text } = await ask({ apiKey: made.key });
      expect(status, text).toBe(200);
      expect(json).toEqual({
        id: made.id,
        name: 'deploy',
        hint: made.hint,
        scope,
        status: 'ACTIVE',
        expiresAt,
        project: { id, name: expect.any(String) },
        organization: { id: owner.organizationId, name: expect.any(String) },
      });
      expect(text).not.toContain(made.key);
    }
  });

  it('is refused like everywhere when it does not work', async () => {
    const made = await makeKey(projects.mine.id, projects.mine.owner, { name: 'ended' });
    await database().query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [made.id]);
    expect((await ask<unknown>({ apiKey: made.key })).json).toMatchObject({ status: 401, code: 'api_key_revoked' });
    expect((await ask<unknown>({ apiKey: 'eds_nonsense' })).json).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });
});
