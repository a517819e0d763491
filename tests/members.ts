import type { Role } from '@/lib/audit/types';
import type { AcceptedInvitation, Invitation, Member } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { call, type TestResponse } from './api-request';
import { queuedMails, tokenIn } from './mails';
import type { TestPerson } from './people';

/** Gives a person a role in an organization, or removes them (null), bypassing all rules. */
export async function setRole(organizationId: string, { userId }: TestPerson, role: Role | null): Promise<void> {
  if (role === null) {
    await database().query('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
    return;
  }
  await database().query(
    `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3::"Role")
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
    [organizationId, userId, role],
  );
}

/** Reads the role of a person in an organization; undefined without one. */
export async function roleOf(organizationId: string, { userId }: TestPerson): Promise<Role | undefined> {
  const { rows } = await database().query<{ role: Role }>(
    'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2',
    [organizationId, userId],
  );
  return rows[0]?.role;
}

/** Counts the organizations with members but without an owner. It must always be 0. */
export async function countOwnerless(): Promise<number> {
  const { rowCount } = await database().query(
    `SELECT FROM organizations o WHERE o.deleted_at IS NULL
       AND EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id)
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id AND m.role = 'OWNER')`,
  );
  return rowCount ?? 0;
}

export function changeRole<T = Member>(
  by: TestPerson,
  organizationId: string,
  member: Pick<TestPerson, 'userId'>,
  role: unknown,
): Promise<TestResponse<T>> {
  const path = `/api/v1/orgs/${organizationId}/members/${member.userId}`;
  return call<T>('PATCH', path, { bearer: by.accessToken, body: { role } });
}

export function removeMember(by: TestPerson, organizationId: string, member: Pick<TestPerson, 'userId'>) {
  return call('DELETE', `/api/v1/orgs/${organizationId}/members/${member.userId}`, { bearer: by.accessToken });
}

export function invite<T = Invitation>(
  by: TestPerson,
  organizationId: string,
  email: string,
  role: unknown = 'DEVELOPER',
): Promise<TestResponse<T>> {
  const path = `/api/v1/orgs/${organizationId}/invitations`;
  return call<T>('POST', path, { bearer: by.accessToken, body: { email, role } });
}

export function revoke(by: TestPerson, organizationId: string, invitationId: string) {
  const path = `/api/v1/orgs/${organizationId}/invitations/${invitationId}`;
  return call('DELETE', path, { bearer: by.accessToken });
}

export function accept<T = AcceptedInvitation>(by: TestPerson, token: string): Promise<TestResponse<T>> {
  return call<T>('POST', '/api/v1/auth/accept-invitation', { bearer: by.accessToken, body: { token } });
}

/** Returns the token of the latest invitation to an address. */
export async function invitationToken(email: string): Promise<string> {
  const mails = await queuedMails(email);
  return tokenIn(mails.findLast(({ text }) => text.includes('/accept-invitation?token=')));
}
