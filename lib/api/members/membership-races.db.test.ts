import { describe, expect, it } from 'vitest';
import { eraseOrganization } from '@/lib/lifecycle/erase-organization';
import { database } from '@/lib/platform/db';
import { count, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import {
  accept,
  changeRole,
  countOwnerless,
  invitationToken,
  invite,
  removeMember,
  revoke,
  roleOf,
  setRole,
} from '@/tests/fixtures/members';
import { asPerson, freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem, type TestResponse } from '@/tests/http/api-request';

useDatabase();

const ROUNDS = 4;

const erase = (person: TestPerson) => call('DELETE', '/api/v1/auth/me', asPerson(person));

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
    // Until the changes came in different orders.
    for (let round = 0; round < ROUNDS || (seen.size < 3 && round < 30); round++) {
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
      const rows = await select<{ target_id: string }>(
        `SELECT target_id FROM audit_log WHERE organization_id = $1 AND action = 'member.role_changed' ORDER BY id`,
        id,
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
    expect(await count(`SELECT FROM audit_log WHERE organization_id = $1 AND action = 'member.removed'`, id)).toBe(1);
  });
});

/** A person invited by one of two owners, and the token of the mail. */
async function invited(role = 'DEVELOPER') {
  const owner = await registerPerson();
  const person = await registerPerson();
  const inviter = await registerMember(owner.organizationId, 'OWNER');
  const { json } = await invite(inviter, owner.organizationId, person.email, role);
  const token = await invitationToken(person.email);
  return { owner, inviter, person, id: owner.organizationId, token, invitationId: json.id };
}

type Invited = Awaited<ReturnType<typeof invited>>;

/**
 * Runs rounds of an acceptance with a concurrent action: the acceptance succeeds or gets 400 `invalid_token`, and no
 * request fails otherwise.
 */
async function acceptDuring(other: (given: Invited) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const given = await invited();
    const [accepted] = await Promise.all([accept<Problem>(given.person, given.token), other(given)]);
    expect([200, 400], accepted.text).toContain(accepted.status);
    if (accepted.status === 400) expect(accepted.json.code).toBe('invalid_token');
    expect(await countOwnerless()).toBe(0);
  }
}

describe('accepting an invitation', () => {
  it('six times at once succeeds once, with one member and one audit entry', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { person, id, token } = await invited();
      const responses = await Promise.all(Array.from({ length: 6 }, () => accept<unknown>(person, token)));
      expect(statuses(responses)).toEqual([200, ...Array(5).fill(400)]);
      expect(await roleOf(id, person)).toBe('DEVELOPER');
      const rowCount = await count(
        `SELECT FROM audit_log WHERE organization_id = $1 AND action IN ('member.added', 'invitation.accepted')`,
        id,
      );
      expect(rowCount).toBe(2);
    }
  });

  it('while it is revoked: one of the two succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { owner, person, id, token, invitationId } = await invited();
      const [accepted, revoked] = await Promise.all([accept<unknown>(person, token), revoke(owner, id, invitationId)]);
      expect([accepted.status, revoked.status]).toEqual(accepted.status === 200 ? [200, 404] : [400, 204]);
      expect(await roleOf(id, person)).toBe(accepted.status === 200 ? 'DEVELOPER' : undefined);
    }
  });

  it('while it is replaced: either the old link is accepted and none is sent, or only the new one works', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { owner, person, id, token } = await invited();
      const [accepted, again] = await Promise.all([
        accept<unknown>(person, token),
        invite<unknown>(owner, id, person.email, 'VIEWER'),
      ]);
      expect([accepted.status, again.status]).toEqual(accepted.status === 200 ? [200, 409] : [400, 201]);
      if (accepted.status === 400) {
        expect((await accept(person, await invitationToken(person.email))).json.organization.role).toBe('VIEWER');
      }
    }
  });

  it.each([
    ['removed', async ({ owner, inviter, id }: Invited) => (await removeMember(owner, id, inviter)).status === 204],
    [
      'demoted',
      async ({ owner, inviter, id }: Invited) =>
        (await changeRole<unknown>(owner, id, inviter, 'VIEWER')).status === 200,
    ],
    ['erased', async ({ inviter }: Invited) => (await erase(inviter)).status === 204],
  ])('while its inviter is %s succeeds before that, or not at all', async (_, depart) => {
    await acceptDuring(async (given) => {
      expect(await depart(given)).toBe(true);
      expect(await pending(given.person)).toBe(0);
    });
  });

  it('while the organization is erased leaves no member', async () => {
    await acceptDuring(async ({ owner, id }) => {
      const client = { ipAddress: null, userAgent: null };
      await eraseOrganization({ type: 'operator', client }, id);
      expect(await roleOf(id, owner)).toBeUndefined();
    });
    const left = await database().query(
      'SELECT FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE o.deleted_at IS NOT NULL',
    );
    expect(left.rowCount).toBe(0);
  });

  it('while its person, already a member, switches to the organization never deadlocks', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { person, id, token } = await invited('ADMIN');
      await setRole(id, person, 'VIEWER');
      const switchThere = () =>
        call<unknown>('POST', '/api/v1/auth/switch-organization', {
          bearer: person.accessToken,
          body: { organizationId: id },
        });
      const responses = await Promise.all([
        switchThere(),
        accept<unknown>(person, token),
        switchThere(),
        switchThere(),
      ]);
      expect(statuses(responses)).toEqual([200, 200, 200, 200]);
      expect(await roleOf(id, person)).toBe('ADMIN');
    }
  });

  it('while the only owner is erased: one of the two is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const person = await registerPerson();
      await invite(owner, owner.organizationId, person.email);
      const token = await invitationToken(person.email);
      const [accepted, erased] = await Promise.all([accept<unknown>(person, token), erase(owner)]);
      expect([accepted.status, erased.status]).toEqual(accepted.status === 200 ? [200, 409] : [400, 204]);
      expect(await countOwnerless()).toBe(0);
    }
  });
});

describe('concurrent invitations', () => {
  it('to one address leave one working link, that of the listed invitation', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const person = await registerPerson();
      const admin = await registerMember(owner.organizationId, 'ADMIN');
      const responses = await Promise.all(
        [owner, admin, owner, admin].map((by) => invite<unknown>(by, owner.organizationId, person.email)),
      );
      expect(statuses(responses)).toEqual([201, 201, 201, 201]);
      expect(await pending(person)).toBe(1);
    }
  });

  it('by an admin who is removed are revoked, or never stored', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await registerPerson();
      const admin = await registerMember(owner.organizationId, 'ADMIN');
      const email = freshEmail();
      const [removed, made] = await Promise.all([
        removeMember(owner, owner.organizationId, admin),
        invite<unknown>(admin, owner.organizationId, email),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 404]).toContain(made.status);
      expect(await count('SELECT FROM invitations WHERE email = $1', email)).toBe(0);
    }
  });
});

async function pending({ email }: TestPerson): Promise<number> {
  const rowCount = await count(
    'SELECT FROM invitations WHERE email = $1 AND accepted_at IS NULL AND expires_at > now()',
    email,
  );
  return rowCount ?? 0;
}
