import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { storedRateLimitKey } from '@/lib/platform/rate-limit';
import { count } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { erase, proveAddress } from '@/tests/fixtures/erasure';
import { queuedMails } from '@/tests/fixtures/mails';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

describe('erasing the account', () => {
  it('is recorded, with the organizations deleted and left and the sessions closed, and no IP address', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'DEVELOPER');
    await erase(person);
    const entries = await auditOf(person.userId);
    expect(entries.filter(({ action }) => action === 'account.deleted')).toMatchObject([
      { organization_id: null, actor_type: 'USER', actor_id: person.userId, target_id: person.userId },
    ]);
    expect(entries.find(({ action }) => action === 'member.removed')).toMatchObject({
      organization_id: owner.organizationId,
      actor_id: person.userId,
    });
    const ofOwn = await auditOf(person.organizationId);
    expect(ofOwn.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.created', 'session.closed', 'organization.deleted']),
    );
    for (const entry of [...entries, ...ofOwn]) expect(entry.ip_address).toBeNull();
  });

  it('removes the IP addresses from earlier audit entries of the person, and keeps the entries', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'OWNER');
    const member = { ...person, organizationId: owner.organizationId };
    const project = await makeProject(member);
    const [before] = await auditOf(project.id);
    expect(before?.ip_address).not.toBeNull();
    await erase(person);
    expect(await auditOf(project.id)).toEqual([{ ...before, ip_address: null }]);
    const ownersOwn = (await auditOf(owner.organizationId)).filter(({ actor_id }) => actor_id === owner.userId);
    expect(ownersOwn.some(({ ip_address }) => ip_address !== null)).toBe(true);
  });

  it('revokes invitations to the address and those the person sent, and no others', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'ADMIN');
    const invite = async (email: string, invitedBy: string, isPending = true) => {
      const id = newId();
      await database().query(
        `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at, accepted_at)
         VALUES ($1, $2, $3, 'VIEWER', $4, $5, now() + interval '7 days', CASE WHEN $6 THEN NULL ELSE now() END)`,
        [id, owner.organizationId, email, Buffer.from(id), invitedBy, isPending],
      );
      return id;
    };
    const received = await invite(person.email, owner.userId);
    const sent = await invite('friend@example.com', person.userId);
    await invite(person.email, owner.userId, false);
    await invite('other@example.com', owner.userId);
    await erase(person);
    const { rows } = await database().query('SELECT email FROM invitations WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    expect(rows).toEqual([{ email: 'other@example.com' }]);
    const revoked = (await auditOf(owner.organizationId)).filter(({ action }) => action === 'invitation.revoked');
    expect(revoked.map(({ target_id }) => target_id)).toEqual(expect.arrayContaining([sent, received]));
    expect(revoked).toHaveLength(2);
    for (const entry of revoked) expect(entry.ip_address).toBeNull();
    // The person that an invitation was for is not revealed.
    expect(revoked.find(({ target_id }) => target_id === received)).toMatchObject({
      actor_type: 'SYSTEM',
      actor_id: null,
      details: { role: 'VIEWER', cause: 'account.deleted' },
    });
  });

  it('ends the lockout of that address only; rate limits keep counting, so that erasing does not reset them', async () => {
    const [person, other] = [await registerPerson(), await registerPerson()];
    const traces = async ({ email }: TestPerson) => [
      await count('SELECT FROM login_lockouts WHERE address_hash = $1', keyedHash(email, 'login lockout')),
      await count('SELECT FROM rate_limits WHERE key = $1', storedRateLimitKey({ name: 'login-address', key: email })),
    ];
    for (const { email } of [person, other]) {
      await call('POST', '/api/v1/auth/login', { body: { email, password: 'wrong guess' } });
    }
    expect(await traces(person)).toEqual([1, 1]);
    await erase(person);
    expect(await traces(person)).toEqual([0, 1]);
    expect(await traces(other)).toEqual([1, 1]);
  });

  it('drops queued mails, and sends a last one to a verified address', async () => {
    const person = await registerPerson();
    await proveAddress(person);
    expect(await queuedMails(person.email)).toHaveLength(1);
    await erase(person);
    expect((await queuedMails(person.email)).map(({ subject }) => subject)).toEqual(['Your account was deleted']);
  });

  it('sends nothing to an address that was never verified', async () => {
    const person = await registerPerson();
    await erase(person);
    expect(await queuedMails(person.email)).toEqual([]);
  });
});
