import { describe, expect, it } from 'vitest';
import type { Invitation } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { invitationToken, invite } from '@/tests/fixtures/members';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const list = (person: TestPerson, organizationId: string) =>
  call<Listing<Invitation>>('GET', `/api/v1/orgs/${organizationId}/invitations`, { bearer: person.accessToken });

describe('the mail of an invitation', () => {
  it('names the organization, the role and the inviter, and links to the page that accepts', async () => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const email = freshEmail();
    await invite(owner, owner.organizationId, email, 'ADMIN');
    const [mail] = await queuedMails(email);
    expect(mail?.subject).toBe("You're invited to join an organization");
    for (const part of [
      '“Engines” as an admin',
      owner.email,
      '7 days',
      'only for an account with this email address',
    ]) {
      expect(mail?.text).toContain(part);
    }
    expect(mail?.text).toContain(`http://localhost:3000/accept-invitation?token=${tokenIn(mail)}`);
    expect(mail?.html).toContain(tokenIn(mail));
  });

  it('marks an unverified address of the inviter', async () => {
    const [owner, email, later] = [await registerPerson(), freshEmail(), freshEmail()];
    const doubt = 'unverified address';
    await invite(owner, owner.organizationId, email);
    expect((await queuedMails(email))[0]?.text).toContain(doubt);
    await database().query('UPDATE users SET email_verified_at = now() WHERE id = $1', [owner.userId]);
    await invite(owner, owner.organizationId, later);
    expect((await queuedMails(later))[0]?.text).not.toContain(doubt);
  });

  it('is deleted when the account of its address is erased before it is sent', async () => {
    const [owner, person] = [await registerPerson(), await registerPerson()];
    await invite(owner, owner.organizationId, person.email);
    expect(await invitationToken(person.email)).not.toBe('');
    expect((await call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken })).status).toBe(204);
    expect(await invitationToken(person.email)).toBe('');
    expect((await list(owner, owner.organizationId)).json.data).toEqual([]);
  });
});

describe('limits', () => {
  it('one address gets five invitations a day, from all organizations, also when many are sent at once', async () => {
    const [owner, other] = [await registerPerson(), await registerPerson()];
    const email = freshEmail();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const by = index % 2 === 0 ? owner : other;
        return invite<Problem>(by, by.organizationId, email);
      }),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.json.code).toBe('rate_limited');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(await queuedMails(email)).toHaveLength(5);
    expect((await invite(owner, owner.organizationId, freshEmail())).status).toBe(201);
  });

  it('one organization sends fifty a day, one person a hundred; others are not affected', async () => {
    const [owner, other] = [await registerPerson(), await registerPerson()];
    const invited = async (by: TestPerson, organizationId: string, count: number) => {
      const all = Array.from({ length: count }, () => invite<Problem>(by, organizationId, freshEmail()));
      return (await Promise.all(all)).filter(({ status }) => status === 201).length;
    };
    expect(await invited(owner, owner.organizationId, 60)).toBe(50);
    const made: string[] = [];
    for (let count = 0; count < 2; count++) {
      const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', {
        bearer: owner.accessToken,
        body: { name: 'Another' },
      });
      made.push(json.id);
    }
    expect(await invited(owner, made[0] ?? '', 30)).toBe(30);
    expect(await invited(owner, made[1] ?? '', 30)).toBe(20);
    const { json } = await invite<Problem>(owner, made[1] ?? '', freshEmail());
    expect(json.code).toBe('rate_limited');
    expect((await invite(other, other.organizationId, freshEmail())).status).toBe(201);
  });

  it('a refused invitation does not count', async () => {
    const owner = await registerPerson();
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    const email = freshEmail();
    for (let count = 0; count < 6; count++) {
      expect((await invite<Problem>(admin, owner.organizationId, email, 'OWNER')).status).toBe(403);
      expect((await invite<Problem>(owner, owner.organizationId, admin.email)).status).toBe(409);
    }
    expect((await invite(admin, owner.organizationId, email)).status).toBe(201);
  });
});
