import { beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, setLimit } from '@/tests/fixtures/limits';
import { queuedMails } from '@/tests/fixtures/mails';
import { accept, invitationToken, invite, removeMember, revoke, roleOf, setRole } from '@/tests/fixtures/members';
import { freshEmail, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

let owner: TestPerson;
beforeEach(async () => {
  owner = await registerPerson();
});

const as = (person: TestPerson, body?: unknown) => ({ bearer: person.accessToken, ...(body ? { body } : {}) });

describe('with a limit of two projects, an organization', () => {
  beforeEach(() => setLimit('ORGANIZATION_MAX_PROJECTS', 2));

  const makeProject = (person = owner) =>
    call<Project>('POST', `/api/v1/orgs/${person.organizationId}/projects`, as(person, { name: 'Shop' }));

  it('has at most two, until one is deleted', async () => {
    const [first] = [await makeProject(), await makeProject()];
    expect(first.status).toBe(201);
    expectLimitReached(await makeProject(), 'ORGANIZATION_MAX_PROJECTS');
    expect((await call('DELETE', `/api/v1/projects/${first.json.id}`, as(owner))).status).toBe(204);
    expect((await makeProject()).status).toBe(201);
    expectLimitReached(await makeProject(), 'ORGANIZATION_MAX_PROJECTS');
  });
});

describe('with a limit of three members, an organization', () => {
  beforeEach(() => setLimit('ORGANIZATION_MAX_MEMBERS', 3));

  const inviteSomebody = <T = { id: string }>(email = freshEmail()) => invite<T>(owner, owner.organizationId, email);

  it('invites at most two besides its owner, until one invitation is revoked', async () => {
    const [first] = [await inviteSomebody(), await inviteSomebody()];
    expect(first.status).toBe(201);
    expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
    expect((await revoke(owner, owner.organizationId, first.json.id)).status).toBe(204);
    expect((await inviteSomebody()).status).toBe(201);
    expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
  });

  it('lets everyone it invited join, and is then full until a member is removed', async () => {
    const people = [await registerPerson(), await registerPerson()];
    for (const person of people) await inviteSomebody(person.email);
    for (const person of people) {
      expect((await accept(person, await invitationToken(person.email))).status).toBe(200);
      expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
    }
    expect((await removeMember(owner, owner.organizationId, { userId: people[0]?.userId ?? '' })).status).toBe(204);
    expect((await inviteSomebody()).status).toBe(201);
  });

  it('invites an address again at its limit: the new invitation replaces the old one', async () => {
    const email = freshEmail();
    for (const address of [email, freshEmail(), email]) expect((await inviteSomebody(address)).status).toBe(201);
  });

  it('does not count expired invitations', async () => {
    const expired = await inviteSomebody();
    await inviteSomebody();
    await database().query('UPDATE invitations SET expires_at = clock_timestamp() WHERE id = $1', [expired.json.id]);
    expect((await inviteSomebody()).status).toBe(201);
    expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
  });

  it('keeps its members when the limit is lowered, and people invited before may join', async () => {
    const person = await registerPerson();
    await inviteSomebody(person.email);
    setLimit('ORGANIZATION_MAX_MEMBERS', 1);
    expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
    expect((await accept(person, await invitationToken(person.email))).status).toBe(200);
    expect(await roleOf(owner.organizationId, owner)).toBe('OWNER');
  });

  it('sends no mail for a refused invitation, and does not count it', async () => {
    for (let n = 0; n < 2; n++) await inviteSomebody();
    const email = freshEmail();
    for (let n = 0; n < 6; n++) expectLimitReached(await inviteSomebody(email), 'ORGANIZATION_MAX_MEMBERS');
    setLimit('ORGANIZATION_MAX_MEMBERS', 4);
    expect((await inviteSomebody(email)).status).toBe(201);
    expect(await queuedMails(email)).toHaveLength(1);
  });
});

describe('with a limit of two organizations, a person', () => {
  beforeEach(() => setLimit('USER_MAX_ORGANIZATIONS', 2));

  const found = (person = owner) => call<{ id: string }>('POST', '/api/v1/orgs', as(person, { name: 'Second' }));

  it('creates one besides that of the registration, and no third until one is deleted', async () => {
    const second = await found();
    expect(second.status).toBe(201);
    expectLimitReached(await found(), 'USER_MAX_ORGANIZATIONS');
    expect((await call('DELETE', `/api/v1/orgs/${second.json.id}`, as(owner))).status).toBe(204);
    expect((await found()).status).toBe(201);
    expectLimitReached(await found(), 'USER_MAX_ORGANIZATIONS');
  });

  it('may join any number of others', async () => {
    for (let n = 0; n < 3; n++) await setRole((await registerPerson()).organizationId, owner, 'ADMIN');
    expect((await found()).status).toBe(201);
  });

  it('may become an owner of more, but then cannot create one', async () => {
    const other = await registerPerson();
    await found();
    await invite(other, other.organizationId, owner.email, 'OWNER');
    expect((await accept(owner, await invitationToken(owner.email))).status).toBe(200);
    expectLimitReached(await found(), 'USER_MAX_ORGANIZATIONS');
    expect((await found(other)).status).toBe(201);
  });

  it('can register when the limit is one', async () => {
    setLimit('USER_MAX_ORGANIZATIONS', 1);
    expectLimitReached(await found(await registerPerson()), 'USER_MAX_ORGANIZATIONS');
  });
});
