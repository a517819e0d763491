import { describe, expect, it, vi } from 'vitest';
import { addMs, systemClock } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { approve, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { makeProject, registerMember, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call, expectProblem } from '@/tests/http/api-request';
import { signAccessToken } from './access-token';
import { authenticatePerson, type Tenant } from './authenticate-person';
import { closeSessions } from './close-sessions';

useDatabase();

const CLIENT = { ipAddress: '203.0.113.9', userAgent: 'test' };
const authenticate = (person: TestPerson, tenant: Tenant = {}) =>
  authenticatePerson(person.accessToken, tenant, CLIENT);
const set = (sql: string, ...values: unknown[]) => database().query(sql, values);
const unauthenticated = { code: 'unauthenticated' };
const notFound = { code: 'not_found' };

describe('a live session authenticates its person', () => {
  it('in its own organization when the request does not name one', async () => {
    const person = await registerPerson();
    expect(await authenticate(person)).toMatchObject({
      type: 'person',
      userId: person.userId,
      organizationId: person.organizationId,
      role: 'OWNER',
      client: CLIENT,
    });
  });

  it('in the organization of the path, or of the project in the path', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner);
    const member = await registerMember(owner.organizationId, 'DEVELOPER');
    const there = { organizationId: owner.organizationId, role: 'DEVELOPER' };
    expect(await authenticate(member, { organizationId: owner.organizationId })).toMatchObject(there);
    expect(await authenticate(member, { projectId: project.id })).toMatchObject(there);
    expect(await authenticate(member, { projectId: project.id.toUpperCase() })).toMatchObject(there);
  });

  it('with the live role, whatever the token says', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'ADMIN');
    const tenant = { organizationId: owner.organizationId };
    expect((await authenticate(member, tenant)).role).toBe('ADMIN');
    await set(`UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND role = 'ADMIN'`, member.userId);
    expect((await authenticate(member, tenant)).role).toBe('VIEWER');
  });

  it('without an organization after the person left the last one', async () => {
    const person = await registerPerson();
    await set('DELETE FROM memberships WHERE user_id = $1', person.userId);
    expect(await authenticate(person)).toMatchObject({ organizationId: null, role: null });
  });
});

describe('refuses the next request as unauthenticated for', () => {
  it.each([
    ['a closed session', 'UPDATE sessions SET closed_at = now() WHERE user_id = $1'],
    ['a session past its 30 days', 'UPDATE sessions SET expires_at = now() WHERE user_id = $1'],
    ['a deleted session', 'DELETE FROM sessions WHERE user_id = $1'],
    ['an erased person', 'UPDATE users SET erased_at = now() WHERE id = $1'],
  ])('%s', async (_what, sql) => {
    const person = await registerPerson();
    await expect(authenticate(person)).resolves.toMatchObject({ userId: person.userId });
    await set(sql, person.userId);
    await expect(authenticate(person)).rejects.toMatchObject(unauthenticated);
    await expect(authenticate(person, { organizationId: person.organizationId })).rejects.toMatchObject(
      unauthenticated,
    );
    await expect(authenticate(person, { projectId: 'no id' })).rejects.toMatchObject(unauthenticated);
  });

  it('another person’s session', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const { sessionId } = await authenticate(other);
    const claims = { userId: person.userId, sessionId, organizationId: null, role: null };
    const { token } = await signAccessToken(claims, systemClock);
    await expect(authenticatePerson(token, {}, CLIENT)).rejects.toMatchObject(unauthenticated);
  });

  it('reports token_expired for an expired access token', async () => {
    const person = await registerPerson();
    const { sessionId } = await authenticate(person);
    const claims = { userId: person.userId, sessionId, organizationId: null, role: null };
    const { token } = await signAccessToken(claims, () => addMs(new Date(), -901_000));
    expectProblem(await call('GET', '/api/v1/auth/me', { bearer: token }), 401, 'token_expired');
  });
});

describe('gets 404 for', () => {
  it('the organization and project of others, unknown ids and malformed ids', async () => {
    const person = await registerPerson();
    const stranger = await registerPerson();
    const project = await makeProject(stranger);
    for (const organizationId of [stranger.organizationId, newId(), 'x', '']) {
      await expect(authenticate(person, { organizationId })).rejects.toMatchObject(notFound);
    }
    for (const projectId of [project.id, newId(), 'x', person.organizationId]) {
      await expect(authenticate(person, { projectId })).rejects.toMatchObject(notFound);
    }
  });

  it('a deleted organization and its projects, and a deleted project', async () => {
    const person = await registerPerson();
    const kept = await makeProject(person);
    const deleted = await makeProject(person);
    await set('UPDATE projects SET deleted_at = now() WHERE id = $1', deleted.id);
    await expect(authenticate(person, { projectId: deleted.id })).rejects.toMatchObject(notFound);
    await expect(authenticate(person, { projectId: kept.id })).resolves.toMatchObject({ role: 'OWNER' });
    await set('UPDATE organizations SET deleted_at = now() WHERE id = $1', person.organizationId);
    await expect(authenticate(person, { projectId: kept.id })).rejects.toMatchObject(notFound);
    await expect(authenticate(person, { organizationId: person.organizationId })).rejects.toMatchObject(notFound);
    await expect(authenticate(person)).resolves.toMatchObject({ organizationId: null });
  });

  it('an organization after the person was removed', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'ADMIN');
    const tenant = { organizationId: owner.organizationId };
    await expect(authenticate(member, tenant)).resolves.toMatchObject({ role: 'ADMIN' });
    await set(`DELETE FROM memberships WHERE user_id = $1 AND role = 'ADMIN'`, member.userId);
    await expect(authenticate(member, tenant)).rejects.toMatchObject(notFound);
  });
});

describe('lastUsedAt of a session', () => {
  const lastUsed = async (person: TestPerson): Promise<number> => {
    const { rows } = await set('SELECT last_used_at FROM sessions WHERE user_id = $1', person.userId);
    return rows[0].last_used_at.getTime();
  };

  it('is updated at most once a minute', async () => {
    const person = await registerPerson();
    const before = await lastUsed(person);
    await authenticate(person);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await lastUsed(person)).toBe(before);
    await set(`UPDATE sessions SET last_used_at = now() - interval '61 seconds' WHERE user_id = $1`, person.userId);
    await authenticate(person);
    await expect.poll(() => lastUsed(person)).toBeGreaterThanOrEqual(before);
  });
});

describe('a person with many open sessions', () => {
  /** Adds open sessions that are older than those of sign-ins. */
  const addSessions = ({ userId, organizationId }: TestPerson, count: number) =>
    set(
      `INSERT INTO sessions (id, user_id, organization_id, method, expires_at)
       SELECT ('00000000-0000-7000-8000-' || right($1::uuid::text, 6) || lpad(to_hex(n), 6, '0'))::uuid,
         $1, $2, 'PASSWORD', now() + interval '1 day'
       FROM generate_series(1, $3::int) n`,
      userId,
      organizationId,
      count,
    );
  const closedOf = async ({ userId }: TestPerson) =>
    (await set('SELECT id FROM sessions WHERE user_id = $1 AND closed_at IS NOT NULL ORDER BY id', userId)).rows.map(
      ({ id }) => id as string,
    );

  it('keeps 500 when they sign in', async () => {
    const person = await registerPerson();
    await addSessions(person, 498);
    await signInAgain(person);
    expect(await closedOf(person)).toEqual([]);
  });

  it('loses the oldest beyond 500 when they sign in, with an audit entry; others lose none', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    await addSessions(person, 501);
    await addSessions(other, 499);
    const again = await signInAgain(person);
    const closed = await closedOf(person);
    expect(closed.map((id) => id.slice(-6))).toEqual(['000001', '000002', '000003']);
    const entries = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
    expect(entries.map(({ target_id }) => target_id).toSorted()).toEqual(closed);
    expect(entries[0]).toMatchObject({ actor_type: 'USER', actor_id: person.userId });
    for (const kept of [person, again])
      await expect(authenticate(kept)).resolves.toMatchObject({ userId: kept.userId });
    expect(await closedOf(other)).toEqual([]);
  });

  it('loses at most a thousand at once, and the rest at later sign-ins', async () => {
    const person = await registerPerson();
    await addSessions(person, 1_600);
    await signInAgain(person);
    expect(await closedOf(person)).toHaveLength(1_000);
    await signInAgain(person);
    expect(await closedOf(person)).toHaveLength(1_103);
  });

  it('signs in several times at once', async () => {
    const person = await registerPerson();
    await addSessions(person, 499);
    await Promise.all([1, 2, 3, 4].map(() => signInAgain(person)));
    await signInAgain(person);
    expect(await closedOf(person)).toHaveLength(5);
  });
});

describe('closing sessions', () => {
  const closeAll = async (person: TestPerson, keptId?: string) => {
    const actor = { type: 'user', userId: person.userId, ipAddress: CLIENT.ipAddress } as const;
    return inSqlTransaction((tx) => closeSessions(tx, person.userId, actor, keptId));
  };

  async function openSessionsOf(person: TestPerson, method = 'PASSWORD'): Promise<number> {
    const { rows } = await database().query(
      'SELECT 1 FROM sessions WHERE user_id = $1 AND closed_at IS NULL AND method = $2::"SessionMethod"',
      [person.userId, method],
    );
    return rows.length;
  }

  it('closes each session once when ten requests run at once', async () => {
    const person = await registerPerson();
    await Promise.all([1, 2, 3].map(() => signInAgain(person)));
    const counts = await Promise.all(Array.from({ length: 10 }, () => closeAll(person)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    const closings = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
    expect(closings).toHaveLength(4);
  });

  it('sends as many statements for many sessions as for one', async () => {
    const statementsFor = async (sessions: number) => {
      const person = await registerPerson();
      for (let n = 1; n < sessions; n++) await signInAgain(person);
      return inSqlTransaction(async (tx) => {
        const query = vi.spyOn(tx, 'query');
        expect(await closeSessions(tx, person.userId, { type: 'system' })).toBe(sessions);
        const { length } = query.mock.calls;
        query.mockRestore();
        return length;
      });
    };
    expect(await statementsFor(4)).toBe(await statementsFor(1));
  });

  it('denies approved device codes that are not exchanged, of that person only', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const own = await startDevice();
    const foreign = await startDevice();
    await approve(person, own.userCode);
    await approve(other, foreign.userCode);
    await closeAll(person);
    expect((await pollRefused(own.deviceCode)).json.code).toBe('access_denied');
    expect((await poll(foreign.deviceCode)).status).toBe(200);
  });

  it('leaves no session open when approved codes are exchanged at the same time', async () => {
    const person = await registerPerson();
    for (let round = 0; round < 5; round++) {
      const approver = round === 0 ? person : await signInAgain(person);
      const codes = await Promise.all([startDevice(), startDevice(), startDevice()]);
      await Promise.all(codes.map(({ userCode }) => approve(approver, userCode)));
      const polls = codes.map(({ deviceCode }) => pollRefused(deviceCode));
      const [, ...responses] = await Promise.all([closeAll(person), ...polls]);
      expect(await openSessionsOf(person, 'DEVICE')).toBe(0);
      for (const { status, json } of responses) expect(status === 200 || json.code === 'access_denied').toBe(true);
    }
  });

  it('leaves no approval when a session it closes approves codes at the same time', async () => {
    const person = await registerPerson();
    for (let round = 0; round < 5; round++) {
      const approver = round === 0 ? person : await signInAgain(person);
      const codes = await Promise.all([startDevice(), startDevice(), startDevice()]);
      const approvals = codes.map(({ userCode }) => approve(approver, userCode));
      await Promise.all([closeAll(person), ...approvals]);
      for (const { deviceCode } of codes) {
        expect(['access_denied', 'authorization_pending']).toContain((await pollRefused(deviceCode)).json.code);
      }
    }
  });

  it('invalidates tokens that a concurrent refresh issued', async () => {
    const person = await registerPerson();
    const sessions = [person, await signInAgain(person), await signInAgain(person)];
    const refreshes = sessions.map(({ refreshToken }) =>
      call<{ accessToken?: string }>('POST', '/api/v1/auth/refresh', { body: { refreshToken } }),
    );
    const [, ...responses] = await Promise.all([closeAll(person), ...refreshes]);
    for (const { json } of responses) {
      if (json.accessToken === undefined) continue;
      expect((await call('GET', '/api/v1/auth/me', { bearer: json.accessToken })).status).toBe(401);
    }
    expect(await openSessionsOf(person)).toBe(0);
  });
});
