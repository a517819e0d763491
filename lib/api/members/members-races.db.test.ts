import { describe, expect, it } from 'vitest';
import type { Role } from '@/lib/audit/types';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import {
  accept,
  changeRole,
  countOwnerless,
  invitationToken,
  invite,
  removeMember,
  roleOf,
} from '@/tests/fixtures/members';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type TestResponse } from '@/tests/http/api-request';

useDatabase();

const ROUNDS = 10;

const erase = (person: TestPerson) => call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
const statuses = (responses: TestResponse<unknown>[]) => responses.map(({ status }) => status).toSorted();

/** An organization with two owners and a member who may not own it. */
async function twoOwners(): Promise<{ id: string; first: TestPerson; second: TestPerson; member: TestPerson }> {
  const first = await registerPerson();
  const second = await registerMember(first.organizationId, 'OWNER');
  const member = await registerMember(first.organizationId, 'ADMIN');
  return { id: first.organizationId, first, second, member };
}

/** The ways in which an owner stops being one. */
const WAYS = {
  leaves: (person: TestPerson, id: string) => removeMember(person, id, person),
  'steps down': (person: TestPerson, id: string) => changeRole<unknown>(person, id, person, 'VIEWER'),
  'is erased': (person: TestPerson) => erase(person),
} as const;
const NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];
const pairs = NAMES.flatMap((one, index) => NAMES.slice(index).map((other) => ({ one, other })));

describe('two last owners at once', () => {
  it.each(pairs)('one $one, the other $other: one is refused', async ({ one, other }) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, first, second } = await twoOwners();
      const responses = await Promise.all([WAYS[one](first, id), WAYS[other](second, id)]);
      const refused = responses.filter(({ status }) => status === 409);
      expect(refused, JSON.stringify(responses)).toHaveLength(1);
      expect(refused[0]?.json).toMatchObject({ code: 'last_owner', organizations: [{ id }] });
      expect(responses.filter(({ status }) => status === 200 || status === 204)).toHaveLength(1);
      expect(await countOwnerless()).toBe(0);
    }
  });

  it.each(['demote', 'remove'] as const)(
    'they %s each other: one succeeds, and the other is no longer allowed to',
    async (what) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { id, first, second } = await twoOwners();
        const against = (by: TestPerson, member: TestPerson) =>
          what === 'demote' ? changeRole<unknown>(by, id, member, 'ADMIN') : removeMember(by, id, member);
        const responses = await Promise.all([against(first, second), against(second, first)]);
        expect(statuses(responses)).toEqual(what === 'demote' ? [200, 403] : [204, 404]);
        expect(await countOwnerless()).toBe(0);
      }
    },
  );
});

describe('concurrent changes', () => {
  it('demoting, removing, leaving and erasing among three owners leave one, without an error', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const { id, first, second, member } = await twoOwners();
      const third = await registerMember(id, 'OWNER');
      const responses: TestResponse<unknown>[] = await Promise.all([
        changeRole<unknown>(first, id, second, 'ADMIN'),
        removeMember(second, id, third),
        erase(third),
        removeMember(first, id, first),
        changeRole<unknown>(third, id, first, 'VIEWER'),
        changeRole<unknown>(second, id, member, 'OWNER'),
        removeMember(member, id, member),
      ]);
      for (const response of responses) {
        seen.add(response.status);
        expect([200, 204, 401, 403, 404, 409], response.text).toContain(response.status);
      }
      expect(await countOwnerless()).toBe(0);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('an owner who transfers ownership twice at once may leave', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, first, second, member } = await twoOwners();
      const heir = await registerMember(id, 'VIEWER');
      const responses = await Promise.all([
        changeRole<unknown>(first, id, member, 'OWNER'),
        changeRole<unknown>(first, id, heir, 'OWNER'),
        removeMember(second, id, second),
      ]);
      expect(statuses(responses)).toEqual([200, 200, 204]);
      expect((await removeMember(first, id, first)).status).toBe(204);
      expect(await countOwnerless()).toBe(0);
    }
  });

  it('an admin who is demoted meanwhile changes nothing afterwards', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, first, member: admin } = await twoOwners();
      const target = await registerMember(id, 'VIEWER');
      const [demoted, changed] = await Promise.all([
        changeRole<unknown>(first, id, admin, 'VIEWER'),
        changeRole<unknown>(admin, id, target, 'ADMIN'),
      ]);
      expect(demoted.status).toBe(200);
      expect([200, 403]).toContain(changed.status);
      const { rows } = await database().query<{ target_id: string }>(
        `SELECT target_id FROM audit_log WHERE organization_id = $1 AND action = 'member.role_changed' ORDER BY id`,
        [id],
      );
      // Changed before the demotion, or not at all.
      const order = rows.map(({ target_id }) => target_id);
      expect(order).toEqual(changed.status === 200 ? [target.userId, admin.userId] : [admin.userId]);
    }
  });

  it('one of six requests that remove a member succeeds, and it is audited once', async () => {
    const { id, first, second, member } = await twoOwners();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => removeMember(n % 2 ? first : second, id, member)),
    );
    expect(statuses(responses)).toEqual([204, ...Array(5).fill(404)]);
    const { rowCount } = await database().query(
      `SELECT FROM audit_log WHERE organization_id = $1 AND action = 'member.removed'`,
      [id],
    );
    expect(rowCount).toBe(1);
  });
});

it('joining, leaving, switching, refreshing, renaming, inviting and erasing at once cause no error', async () => {
  for (let round = 0; round < 10; round++) {
    const owners = await Promise.all([registerPerson(), registerPerson()]);
    const ids = owners.map(({ organizationId }) => organizationId);
    const people = await Promise.all(Array.from({ length: 3 }, () => registerPerson()));
    for (const owner of owners) await registerMember(owner.organizationId, 'OWNER');
    const tokens: { person: TestPerson; token: string }[] = [];
    for (const person of people) {
      for (const owner of owners) {
        await invite(owner, owner.organizationId, person.email, 'OWNER');
        tokens.push({ person, token: await invitationToken(person.email) });
      }
    }
    const roles: Role[] = ['OWNER', 'ADMIN', 'VIEWER'];
    const responses: TestResponse<unknown>[] = await Promise.all([
      ...tokens.map(({ person, token }) => accept<unknown>(person, token)),
      ...people.flatMap((person, index) => [
        ...ids.map((organizationId) =>
          call<unknown>('POST', '/api/v1/auth/switch-organization', {
            bearer: person.accessToken,
            body: { organizationId },
          }),
        ),
        call<unknown>('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${person.refreshToken}` }),
        ...owners.map((owner) => changeRole<unknown>(owner, owner.organizationId, person, roles[index])),
        ...owners.map((owner) => removeMember(owner, owner.organizationId, person)),
      ]),
      ...owners.flatMap((owner) => [
        invite<unknown>(owner, owner.organizationId, freshEmail()),
        call<unknown>('PATCH', `/api/v1/orgs/${owner.organizationId}`, {
          bearer: owner.accessToken,
          body: { name: 'New' },
        }),
        removeMember(owner, owner.organizationId, owner),
      ]),
      ...people.slice(0, 1).map(erase),
    ]);
    for (const response of responses)
      expect([200, 201, 204, 400, 401, 403, 404, 409], response.text).toContain(response.status);
    expect(await countOwnerless()).toBe(0);
    expect(await roleOf(ids[0] ?? '', people[0] as TestPerson)).toBeUndefined();
  }
});
