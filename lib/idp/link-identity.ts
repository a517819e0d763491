import { sendPasswordConfirmationMail } from '@/lib/accounts/confirm-password';
import { sendNotice } from '@/lib/accounts/notices';
import { endUserTokens } from '@/lib/accounts/user-token';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import { recordAudit } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { IdpPerson } from './read-claims';

/** The account that a provider account signs in to. */
export interface LocalAccount {
  userId: string;
  lastOrganizationId: string | null;
}

interface AccountRow {
  id: string;
  last_organization_id: string | null;
  is_verified: boolean;
  has_password: boolean;
}

/**
 * Links a provider account to the account of the address that the provider has verified.
 *
 * If the address was never verified here, somebody else may have created the account (account pre-hijacking). Then
 * their sessions end, and the password must be confirmed by the owner of the address
 * (docs/decisions/011-linking-to-a-never-proven-address.md).
 *
 * @returns null when no account has the address, 'conflict' when another account of this provider is already linked
 */
export async function linkByAddress(
  tx: Sql,
  person: IdpPerson,
  email: string,
  client: ClientInfo,
): Promise<LocalAccount | 'conflict' | null> {
  // Locked until the commit: a concurrent password sign-in either commits before and is closed here, or sees the
  // result.
  const { rows } = await tx.query<AccountRow>(
    `SELECT id, last_organization_id, email_verified_at IS NOT NULL AS is_verified, password_hash IS NOT NULL AS has_password
     FROM users WHERE email = $1 AND erased_at IS NULL FOR NO KEY UPDATE`,
    [email],
  );
  const account = rows[0];
  if (account === undefined) return null;
  const local = { userId: account.id, lastOrganizationId: account.last_organization_id };
  const linked = await findSubject(tx, account.id, person.issuer);
  if (linked !== null) return linked === person.subject ? local : 'conflict';
  await addIdentity(tx, account.id, person, client);
  if (!account.is_verified) await proveAddress(tx, account, email, client);
  const notice = { client, providerName: config().IDP_OAUTH_NAME };
  await sendNotice(tx, { userId: account.id, email }, 'provider_linked', notice);
  return local;
}

/**
 * Stores which user a provider account signs in as. When two transactions store one subject, the second fails
 * (23505).
 */
export async function addIdentity(tx: Sql, userId: string, person: IdpPerson, client: ClientInfo): Promise<void> {
  const id = newId();
  await tx.query('INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)', [
    id,
    userId,
    person.issuer,
    person.subject,
  ]);
  await recordAudit(
    tx,
    { type: 'user', userId, ipAddress: client.ipAddress },
    {
      action: 'identity.linked',
      organizationId: null,
      target: { type: 'user', id: userId },
      details: { identityId: id },
    },
  );
}

async function findSubject(tx: Sql, userId: string, issuer: string): Promise<string | null> {
  const { rows } = await tx.query<{ subject: string }>(
    'SELECT subject FROM identities WHERE user_id = $1 AND issuer = $2',
    [userId, issuer],
  );
  return rows[0]?.subject ?? null;
}

async function proveAddress(tx: Sql, account: AccountRow, email: string, client: ClientInfo): Promise<void> {
  await markEmailVerified(tx, client, account.id);
  await tx.query('UPDATE users SET password_confirmed = (password_hash IS NULL) WHERE id = $1', [account.id]);
  // The registration link would verify an address that is already verified, and must not seem to confirm the password.
  await endUserTokens(tx, account.id, ['VERIFY_EMAIL']);
  await closeSessions(tx, account.id, { type: 'user', userId: account.id, ipAddress: client.ipAddress });
  if (account.has_password) await sendPasswordConfirmationMail(tx, account.id, email);
}
