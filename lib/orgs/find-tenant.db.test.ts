import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerMember, registerPerson } from '@/tests/fixtures/people';
import { findTenant, knownOwnerOfProject, ownerOfProject } from './find-tenant';

useDatabase();

it('counts an organization and its projects for the owner who joined first', async () => {
  const person = await registerPerson();
  await registerMember(person.organizationId, 'OWNER');
  const { id } = await makeProject(person);
  expect(await findTenant(person.organizationId)).toEqual({
    organizationId: person.organizationId,
    ownerId: person.userId,
  });
  expect(knownOwnerOfProject(id)).toBeUndefined();
  expect(await ownerOfProject(id)).toBe(person.userId);
  expect(knownOwnerOfProject(id)).toBe(person.userId);
});

it('counts an organization without an owner for itself', async () => {
  const person = await registerPerson();
  await database().query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
  expect((await findTenant(person.organizationId)).ownerId).toBe(person.organizationId);
});
