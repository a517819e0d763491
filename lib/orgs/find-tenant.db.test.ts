import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerMember, registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { findTenant, knownOwnerOfProject, ownerOfProject } from './find-tenant';

useDatabase();

it('counts an organization and its projects for the person who created it, also with other owners', async () => {
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

it('counts a further organization that a person creates for that person', async () => {
  const person = await registerPerson();
  const body = { name: 'Second' };
  const made = await call<{ id: string }>('POST', '/api/v1/orgs', { bearer: person.accessToken, body });
  expect(made.status).toBe(201);
  expect((await findTenant(made.json.id)).ownerId).toBe(person.userId);
});

it('counts an organization for itself when its creator has made somebody else its owner and has left', async () => {
  const creator = await registerPerson();
  const { id } = await makeProject(creator);
  const { organizationId } = creator;
  const victim = await registerMember(organizationId, 'VIEWER');
  const member = `/api/v1/orgs/${organizationId}/members`;
  const bearer = creator.accessToken;
  expect((await call('PATCH', `${member}/${victim.userId}`, { bearer, body: { role: 'OWNER' } })).status).toBe(200);
  expect((await call('DELETE', `${member}/${creator.userId}`, { bearer })).status).toBe(204);
  setOnce('owners-of-organizations', undefined);
  expect((await findTenant(organizationId)).ownerId).toBe(organizationId);
  expect(await ownerOfProject(id)).toBe(organizationId);
});

it('counts an organization for itself while its creator is not one of its owners, and for nobody who owns it instead', async () => {
  const creator = await registerPerson();
  const heir = await registerMember(creator.organizationId, 'OWNER');
  const setRole = (role: string) =>
    database().query('UPDATE memberships SET role = $3::"Role" WHERE organization_id = $1 AND user_id = $2', [
      creator.organizationId,
      creator.userId,
      role,
    ]);
  await setRole('ADMIN');
  expect((await findTenant(creator.organizationId)).ownerId).toBe(creator.organizationId);
  expect((await findTenant(heir.organizationId)).ownerId).toBe(heir.userId);
  await setRole('OWNER');
  setOnce('owners-of-organizations', undefined);
  expect((await findTenant(creator.organizationId)).ownerId).toBe(creator.userId);
});

it('counts an organization without a member, and one that does not exist, for itself', async () => {
  const person = await registerPerson();
  await database().query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
  expect((await findTenant(person.organizationId)).ownerId).toBe(person.organizationId);
  const unknown = newId();
  expect((await findTenant(unknown)).ownerId).toBe(unknown);
});
