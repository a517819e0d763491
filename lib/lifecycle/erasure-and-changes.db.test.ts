import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { lockOrganizations } from '@/lib/orgs/locks';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { untilLockWait } from '@/tests/database/lock-waits';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { erase } from '@/tests/fixtures/erasure';
import { countOwnerless, setRole } from '@/tests/fixtures/members';
import {
  makeProject,
  PASSWORD,
  refreshTokenOf,
  registerMember,
  registerPerson,
  type TestPerson,
} from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { finishErasures } from './finish-erasures';

useDatabase();
const ROUNDS = 6;

const isErased = async ({ userId }: TestPerson) =>
  (await database().query('SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL', [userId])).rowCount === 1;

describe('concurrently with an erasure,', () => {
  it('a new membership never leaves an organization with members and without an owner', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const joiner = await registerPerson();
      const joined = inSqlTransaction(async (tx) => {
        if ((await lockOrganizations(tx, [owner.organizationId])).length === 0) return false;
        await tx.query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`, [
          owner.organizationId,
          joiner.userId,
        ]);
        return true;
      });
      const [response, isIn] = await Promise.all([erase(owner), joined]);
      expect(response.status).toBe(isIn ? 409 : 204);
      outcomes.add(response.status);
      expect(await countOwnerless()).toBe(0);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  // A cluster has locks of ids in place of those of rows (lib/platform/sql/copied-rows-sql.ts): there, whoever adds a membership takes one.
  itOnOneServer('a membership that is added without an explicit lock waits', async () => {
    const owner = await registerPerson();
    const joiner = await registerPerson();
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`, [
      owner.organizationId,
      joiner.userId,
    ]);
    const erasing = erase(owner);
    await untilLockWait(erasing);
    await client.query('COMMIT');
    client.release();
    expect((await erasing).json).toMatchObject({ status: 409, code: 'last_owner' });
  });

  it('an accepted invitation leaves the person without memberships', async () => {
    const erased: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const person = await registerPerson();
      const [response] = await Promise.all([
        erase(person),
        setRole(owner.organizationId, person, 'VIEWER').catch(() => undefined),
      ]);
      expect(response.status).toBe(204);
      erased.push(person.userId);
    }
    // Once is enough: it covers everybody who was erased within the hour.
    await finishErasures();
    const { rowCount } = await database().query('SELECT FROM memberships WHERE user_id = ANY($1)', [erased]);
    expect(rowCount).toBe(0);
  });

  it('a demotion of the other owner is refused, or the erasure is', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const first = await registerPerson();
      const second = await registerMember(first.organizationId, 'OWNER');
      const demote = inSqlTransaction(async (tx) => {
        await lockOrganizations(tx, [first.organizationId]);
        const { rowCount } = await tx.query(
          `UPDATE memberships SET role = 'ADMIN' WHERE organization_id = $1 AND user_id = $2 AND EXISTS (
             SELECT FROM memberships m WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.role = 'OWNER')`,
          [first.organizationId, second.userId],
        );
        return rowCount === 1;
      });
      const [response, isDemoted] = await Promise.all([erase(first), demote]);
      expect(response.status).toBe(isDemoted ? 409 : 204);
      expect(await countOwnerless()).toBe(0);
    }
  });

  it('a registration of the same address gets email_taken or a new account, never both and never a server error', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await registerPerson();
      const [erased, registered] = await Promise.all([
        erase(person),
        call<SignedIn>('POST', '/api/v1/auth/register', { body: { email: person.email, password: PASSWORD } }),
      ]);
      expect(erased.status).toBe(204);
      expect([201, 409]).toContain(registered.status);
      if (registered.status === 201) expect(registered.json.user.id).not.toBe(person.userId);
      expect((await database().query('SELECT FROM users WHERE email = $1', [person.email])).rowCount).toBe(
        registered.status === 201 ? 1 : 0,
      );
    }
  });

  it('sign-ins and refreshes yield no token that stays valid, and no server error', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await registerPerson();
      const logIn = () =>
        call<SignedIn>('POST', '/api/v1/auth/login', { body: { email: person.email, password: PASSWORD } });
      const refresh = (token: string) =>
        call<SignedIn>('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${token}` });
      const chain = async () => {
        const responses = [await refresh(person.refreshToken)];
        for (let next = refreshTokenOf(responses[0] ?? { cookies: [] }); next !== undefined && next !== ''; ) {
          const response = await refresh(next);
          responses.push(response);
          next = response.status === 200 ? refreshTokenOf(response) : undefined;
        }
        return responses;
      };
      const [erased, chained, ...signedIn] = await Promise.all([erase(person), chain(), logIn(), logIn()]);
      expect(erased.status).toBe(204);
      for (const response of [...chained, ...signedIn]) {
        expect([200, 401], response.text).toContain(response.status);
        if (response.status !== 200) continue;
        const me = await call('GET', '/api/v1/auth/me', { bearer: response.json.accessToken });
        expect(me.status).toBe(401);
      }
      const { rowCount } = await database().query('SELECT FROM sessions WHERE user_id = $1', [person.userId]);
      expect(rowCount).toBe(0);
    }
  });

  it('a switch of organization, which locks in the opposite order, does not deadlock', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const person = await registerMember(owner.organizationId, 'VIEWER');
      const switchTo = (organizationId: string) =>
        call('POST', '/api/v1/auth/switch-organization', { bearer: person.accessToken, body: { organizationId } });
      const [erased, ...switched] = await Promise.all([
        erase(person),
        switchTo(owner.organizationId),
        switchTo(person.organizationId),
        switchTo(owner.organizationId),
      ]);
      expect(erased.status).toBe(204);
      for (const response of switched) expect([200, 401, 404], response.text).toContain(response.status);
      expect(await isErased(person)).toBe(true);
    }
  });

  it('a project is created and removed with the organization, or never created', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await registerPerson();
      const path = `/api/v1/orgs/${person.organizationId}/projects`;
      const make = () => call('POST', path, { bearer: person.accessToken, body: { name: 'Late' } });
      const [erased, ...made] = await Promise.all([erase(person), make(), make()]);
      expect(erased.status).toBe(204);
      for (const response of made) expect([201, 401, 404], response.text).toContain(response.status);
      const { rowCount } = await database().query('SELECT FROM projects WHERE organization_id = $1', [
        person.organizationId,
      ]);
      expect(rowCount).toBe(0);
    }
  });

  it('an organization of the person is created and removed with the account, or never created', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await registerPerson();
      const make = () => call('POST', '/api/v1/orgs', { bearer: person.accessToken, body: { name: 'Of nobody' } });
      const [erased, ...made] = await Promise.all([erase(person), make(), make(), make()]);
      expect(erased.status).toBe(204);
      for (const response of made) expect([201, 401], response.text).toContain(response.status);
      const { rowCount } = await database().query(`SELECT FROM organizations WHERE name = 'Of nobody'`);
      expect(rowCount).toBe(0);
    }
  });

  it('an organization whose creation waits for the erasure is never created', async () => {
    const person = await registerPerson();
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
    const making = call('POST', '/api/v1/orgs', { bearer: person.accessToken, body: { name: 'Late' } });
    await untilLockWait(making);
    await client.query('UPDATE users SET erased_at = now() WHERE id = $1', [person.userId]);
    await client.query('COMMIT');
    client.release();
    expect((await making).json).toMatchObject({ status: 401, code: 'unauthenticated' });
    const { rowCount } = await database().query(`SELECT FROM organizations WHERE name = 'Late'`);
    expect(rowCount).toBe(0);
  });

  it('a change that was authorized before it leaves no row', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'OWNER');
    const project = await makeProject({ ...person, organizationId: owner.organizationId });
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO audit_log (id, action, actor_type, actor_id, target_type, target_id, ip_address)
       VALUES ($1, 'project.updated', 'USER', $2, 'project', $3, '198.51.100.7')`,
      [newId(), person.userId, project.id],
    );
    expect((await erase(person)).status).toBe(204);
    await client.query('COMMIT');
    client.release();
    await finishErasures();
    const { rows } = await database().query('SELECT ip_address FROM audit_log WHERE actor_id = $1', [person.userId]);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.every(({ ip_address }: { ip_address: string | null }) => ip_address === null)).toBe(true);
  });
});

it('an erasure waits for no entry of the audit log, and workers scrub what it could not', async () => {
  const person = await registerPerson();
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM audit_log WHERE actor_id = $1 FOR UPDATE', [person.userId]);
  expect((await erase(person)).status).toBe(204);
  await client.query('COMMIT');
  client.release();
  const withAddress = async () =>
    (await database().query('SELECT FROM audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL', [person.userId]))
      .rowCount;
  expect(await withAddress()).toBeGreaterThan(0);
  await finishErasures();
  expect(await withAddress()).toBe(0);
});

// A cluster has locks of ids in place of those of rows.
itOnOneServer('an erasure holds no lock of an organization while it closes sessions', async () => {
  const owner = await registerPerson();
  const person = await registerMember(owner.organizationId, 'OWNER');
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [person.userId]);
  const erasing = erase(person);
  await untilLockWait(erasing);
  await inSqlTransaction((tx) =>
    tx.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE NOWAIT', [owner.organizationId]),
  );
  await client.query('COMMIT');
  client.release();
  expect((await erasing).status).toBe(204);
});

describe('two last owners who erase their accounts at the same moment', () => {
  it('erases both when there are no other members, and the organization with the second', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const first = await registerPerson();
      const second = await registerMember(first.organizationId, 'OWNER');
      const responses = await Promise.all([erase(first), erase(second)]);
      expect(responses.map(({ status }) => status)).toEqual([204, 204]);
      const { rows } = await database().query('SELECT id FROM organizations WHERE id = $1 AND deleted_at IS NULL', [
        first.organizationId,
      ]);
      expect(rows).toEqual([]);
    }
  });

  it('leaves no organization without an owner when many people share several, and causes no server error', async () => {
    for (let round = 0; round < 3; round++) {
      const people = await Promise.all(Array.from({ length: 6 }, () => registerPerson()));
      for (const { organizationId } of people.slice(0, 3)) {
        for (const person of people)
          if (person.organizationId !== organizationId) await setRole(organizationId, person, 'OWNER');
        await registerMember(organizationId, 'VIEWER');
      }
      const responses = await Promise.all(people.map(erase));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 204, 204, 204, 204, 409]);
      expect(await countOwnerless()).toBe(0);
    }
  });

  it('erases a person once who asks twice at once', async () => {
    const person = await registerPerson();
    const responses = await Promise.all(Array.from({ length: 6 }, () => erase(person)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(5).fill(401)]);
    const { rowCount } = await database().query(
      `SELECT FROM audit_log WHERE target_id = $1 AND action = 'account.deleted'`,
      [person.userId],
    );
    expect(rowCount).toBe(1);
  });
});
