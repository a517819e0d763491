import { describe, expect, it } from 'vitest';
import { eraseOrganization } from '@/lib/lifecycle/erase-organization';
import { database } from '@/lib/platform/db';
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
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem, type TestResponse } from '@/tests/http/api-request';

useDatabase();

const ROUNDS = 10;

const erase = (person: TestPerson) => call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
const statuses = (responses: TestResponse<unknown>[]) => responses.map(({ status }) => status).toSorted();

/** A person invited by one of two owners, and the token of the mail. */
async function invited(role = 'DEVELOPER') {
  const [owner, person] = [await registerPerson(), await registerPerson()];
  const inviter = await registerMember(owner.organizationId, 'OWNER');
  const { json } = await invite(inviter, owner.organizationId, person.email, role);
  const token = await invitationToken(person.email);
  return { owner, inviter, person, id: owner.organizationId, token, invitationId: json.id };
}

/**
 * Runs rounds of an acceptance with a concurrent action: the acceptance succeeds or gets 400 `invalid_token`, and no
 * request fails otherwise.
 */
async function acceptDuring(other: (given: Awaited<ReturnType<typeof invited>>) => Promise<unknown>): Promise<void> {
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
      const { rowCount } = await database().query(
        `SELECT FROM audit_log WHERE organization_id = $1 AND action IN ('member.added', 'invitation.accepted')`,
        [id],
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

  it('while its inviter is removed succeeds before that, or not at all', async () => {
    await acceptDuring(async ({ owner, inviter, id, person }) => {
      expect((await removeMember(owner, id, inviter)).status).toBe(204);
      expect(await pending(person)).toBe(0);
    });
  });

  it('while its inviter is demoted succeeds before that, or not at all', async () => {
    await acceptDuring(async ({ owner, inviter, id, person }) => {
      expect((await changeRole<unknown>(owner, id, inviter, 'VIEWER')).status).toBe(200);
      expect(await pending(person)).toBe(0);
    });
  });

  it('while its inviter is erased succeeds before that, or not at all', async () => {
    await acceptDuring(async ({ inviter }) => expect((await erase(inviter)).status).toBe(204));
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
      const [owner, person] = [await registerPerson(), await registerPerson()];
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
    for (let round = 0; round < 5; round++) {
      const [owner, person] = [await registerPerson(), await registerPerson()];
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
      expect((await database().query('SELECT FROM invitations WHERE email = $1', [email])).rowCount).toBe(0);
    }
  });
});

async function pending({ email }: TestPerson): Promise<number> {
  const { rowCount } = await database().query(
    'SELECT FROM invitations WHERE email = $1 AND accepted_at IS NULL AND expires_at > now()',
    [email],
  );
  return rowCount ?? 0;
}
