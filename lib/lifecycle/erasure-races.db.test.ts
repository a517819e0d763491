import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { addMembership, countOwnerless, erase } from '@/tests/fixtures/erasure';
import { freshEmail, PASSWORD, registerMember, registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();
const ROUNDS = 15;

describe('two last owners who erase their accounts at the same moment', () => {
  it('erases one and refuses the other while the organization has other members', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const first = await registerPerson();
      const second = await registerMember(first.organizationId, 'OWNER');
      await registerMember(first.organizationId, 'ADMIN');
      const responses = await Promise.all([erase(first), erase(second)]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
      expect(await countOwnerless()).toBe(0);
    }
  });

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
    for (let round = 0; round < 5; round++) {
      const people = await Promise.all(Array.from({ length: 6 }, () => registerPerson()));
      for (const { organizationId } of people.slice(0, 3)) {
        for (const person of people)
          if (person.organizationId !== organizationId) await addMembership(organizationId, person, 'OWNER');
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

it('gives a freed address to one account only', async () => {
  const person = await registerPerson({ email: freshEmail() });
  await erase(person);
  const register = () => call('POST', '/api/v1/auth/register', { body: { email: person.email, password: PASSWORD } });
  const responses = await Promise.all(Array.from({ length: 5 }, register));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
});
