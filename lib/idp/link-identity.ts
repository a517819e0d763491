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
import type { Transaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { IdpPerson } from './read-claims';
import { lockAccountToLink, unconfirmPassword } from './sign-in-sql';

/** The account that a provider account signs in to. */
export interface LocalAccount {
  userId: string;
  lastOrganizationId: string | null;
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
  tx: Transaction,
  person: IdpPerson,
  email: string,
  client: ClientInfo,
): Promise<LocalAccount | 'conflict' | null> {
  const account = await lockAccountToLink.first(tx, email);
  if (account === undefined) return null;
  const local = { userId: account.id, lastOrganizationId: account.last_organization_id };
  const linked = await tx.prisma.identity.findFirst({
    where: { userId: account.id, issuer: person.issuer },
    select: { subject: true },
  });
  if (linked !== null) return linked.subject === person.subject ? local : 'conflict';
  await addIdentity(tx, account.id, person, client);
  if (!account.is_verified) await proveAddress(tx, account, email, client);
  const notice = { client, providerName: config().IDP_OAUTH_NAME };
  await sendNotice(tx, { userId: account.id, email }, 'provider_linked', notice);
  return local;
}

/**
 * Stores which user a provider account signs in as. When two transactions store one subject, the second fails with a
 * unique violation.
 */
export async function addIdentity(
  tx: Transaction,
  userId: string,
  { issuer, subject }: IdpPerson,
  client: ClientInfo,
): Promise<void> {
  const id = newId();
  await tx.prisma.identity.create({ data: { id, userId, issuer, subject } });
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

async function proveAddress(
  tx: Sql,
  account: RowOf<typeof lockAccountToLink.columns>,
  email: string,
  client: ClientInfo,
): Promise<void> {
  await markEmailVerified(tx, client, account.id);
  await unconfirmPassword.run(tx, account.id);
  // The registration link would verify an address that is already verified, and must not seem to confirm the password.
  await endUserTokens(tx, account.id, ['VERIFY_EMAIL']);
  await closeSessions(tx, account.id, { type: 'user', userId: account.id, ipAddress: client.ipAddress });
  if (account.has_password) await sendPasswordConfirmationMail(tx, account.id, email);
}
