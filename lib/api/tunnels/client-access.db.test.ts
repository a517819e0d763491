import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accessChecker } from '@/lib/api/access-checker';
import type { ApiRequest } from '@/lib/http/request';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { CLOSE } from '@/lib/tunnel/protocol/protocol';
import type { TunnelSession } from '@/lib/tunnel/protocol/session';
import { checkAccess } from '@/lib/tunnel/relay/held/access-check';
import type { TunnelClient } from '@/lib/tunnel/relay/held/tunnel-client';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

/** The check of a client that has connected with these headers. */
function checkOf(headers: Record<string, string>): () => Promise<void> {
  const header = (name: string) => headers[name] ?? null;
  const request = { header, client: { ipAddress: '127.0.0.1', userAgent: null } } as unknown as ApiRequest;
  return accessChecker(request, { projectId: project.id, action: 'tunnel.manage', access: 'write' });
}

describe('a connected client may stay', () => {
  it('when its access token has expired, as long as its session lasts', async () => {
    const member = await registerMember(project.owner.organizationId, 'DEVELOPER');
    const check = checkOf({ authorization: `Bearer ${member.accessToken}` });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    const expired = call('GET', '/api/v1/auth/me', { bearer: member.accessToken });
    expect((await expired).json.code).toBe('token_expired');
    await check();
    await database().query('UPDATE sessions SET closed_at = now() WHERE user_id = $1', [member.userId]);
    await expect(check()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('until its person is removed, or the role is too low', async () => {
    const member = await registerMember(project.owner.organizationId, 'DEVELOPER');
    const check = checkOf({ authorization: `Bearer ${member.accessToken}` });
    const setRole = (role: string) =>
      database().query('UPDATE memberships SET role = $2::"Role" WHERE user_id = $1', [member.userId, role]);
    await check();
    await setRole('VIEWER');
    await expect(check()).rejects.toMatchObject({ code: 'forbidden' });
    await setRole('ADMIN');
    await check();
    await database().query('DELETE FROM memberships WHERE user_id = $1', [member.userId]);
    await expect(check()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('until its key is revoked', async () => {
    const check = checkOf({ 'x-api-key': project.key });
    await check();
    await database().query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [project.keyId]);
    await expect(check()).rejects.toMatchObject({ code: 'api_key_revoked' });
  });
});

describe('the check of a connection', () => {
  const session = () => ({ close: vi.fn() });
  const start = (session: { close: unknown }, checkAccessOf: () => Promise<void>) =>
    checkAccess({ checkAccess: checkAccessOf } as TunnelClient, session as unknown as TunnelSession, 20);

  it('closes it for good when the access has ended, and not before', async () => {
    const allowed = session();
    const ends = [start(allowed, async () => undefined)];
    const refused = session();
    ends.push(start(refused, () => Promise.reject(new AppError('forbidden', 'No longer.'))));
    await expect.poll(() => refused.close.mock.calls[0]).toEqual([CLOSE.forbidden, 'No longer.']);
    expect(allowed.close).not.toHaveBeenCalled();
    for (const end of ends) end();
  });

  it('changes nothing while the database is unreachable', async () => {
    const kept = session();
    const check = vi.fn(() =>
      Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
    );
    const end = start(kept, check);
    await expect.poll(() => check.mock.calls.length).toBeGreaterThan(2);
    end();
    expect(kept.close).not.toHaveBeenCalled();
  });
});
