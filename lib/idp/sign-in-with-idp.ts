import { createAccount } from '@/lib/accounts/accounts';
import { sendNotice } from '@/lib/accounts/notices';
import { endUserTokens } from '@/lib/accounts/user-token';
import { markEmailVerified, sendPasswordConfirmationMail } from '@/lib/accounts/verify-email';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import { refuseRegistration } from '@/lib/auth/registration';
import { type SignIn, signIn } from '@/lib/auth/sign-in';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import { isInvited } from '@/lib/orgs/invitations/invitations';
import { addOrganization } from '@/lib/orgs/organizations';
import type { ClientInfo } from '@/lib/platform/client-info';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import type { Sql } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { IdpPerson } from './claims';
import { nameOrganization } from './claims';
import { lockAccountOfIdentity, lockAccountToLink, unconfirmPassword, verifyNewAddress } from './sign-in-sql';
import type { IdpFailure } from './types';

/**
 * When several first sign-ins race, one wins. The others find its account on their second try, or on their third if
 * it was deleted.
 */
const MAX_TRIES = 4;

type SigningIn = IdpPerson & { answersInvitation: boolean };

/**
 * Signs in a person that the provider has authenticated, and first registers or links them if needed, in one
 * transaction. Someone who registers to answer an invitation (`returnTo`) gets no organization of their own. The
 * provider's permanent id decides who it is. The address counts only when there is no such identity
 * yet, and only when verified.
 */
export async function signInWithIdp(
  caller: AnonymousCaller,
  { person, returnTo }: { person: IdpPerson; returnTo: string },
  clock: Clock,
): Promise<SignIn | IdpFailure> {
  const answersInvitation = returnTo === INVITATION_PATH;
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction((tx) => trySignIn(tx, caller, { ...person, answersInvitation }, clock));
    } catch (error) {
      if (tries === MAX_TRIES || !isLostRace(error)) throw error;
    }
  }
}

async function trySignIn(
  tx: Transaction,
  { client }: AnonymousCaller,
  person: SigningIn,
  clock: Clock,
): Promise<SignIn | IdpFailure> {
  const account = await findOrMakeAccount(tx, person, client);
  return typeof account === 'string' ? account : signIn(tx, { ...account, method: 'IDP', client }, clock);
}

async function findOrMakeAccount(
  tx: Transaction,
  person: SigningIn,
  client: ClientInfo,
): Promise<LocalAccount | IdpFailure> {
  const known = await lockAccountOfIdentity.first(tx, { issuer: person.issuer, subject: person.subject });
  if (known !== undefined) return { userId: known.id, lastOrganizationId: known.last_organization_id };
  const { verifiedEmail } = person;
  if (verifiedEmail === null) return 'idp_email_unverified';
  const linked = await linkByAddress(tx, person, verifiedEmail, client);
  if (linked === 'conflict') return 'idp_conflict';
  if (linked !== null) return linked;
  try {
    await refuseRegistration(tx, () => isInvited(tx, verifiedEmail));
  } catch (error) {
    if (isAppError(error)) return 'registration_closed';
    throw error;
  }
  return registerPerson(tx, person, verifiedEmail, client);
}

/** Creates an account with a verified address, without a password, and an organization for it unless it is invited to one. */
async function registerPerson(
  tx: Transaction,
  person: SigningIn,
  email: string,
  client: ClientInfo,
): Promise<LocalAccount> {
  const userId = await createAccount(tx, { email, name: person.name, passwordHash: null });
  await verifyNewAddress.run(tx, { user: userId });
  const actor = { type: 'user', userId, ipAddress: client.ipAddress } as const;
  await recordAudit(tx, actor, 'account.registered', { organizationId: null, targetId: userId });
  await addIdentity(tx, userId, person, client);
  if (person.answersInvitation && (await isInvited(tx, email))) return { userId, lastOrganizationId: null };
  const { id } = await addOrganization(tx, actor, userId, nameOrganization({ ...person, email }));
  return { userId, lastOrganizationId: id };
}

function isLostRace(error: unknown): boolean {
  return (isAppError(error) && error.code === 'email_taken') || isUniqueViolation(error);
}

/** The account that a provider account signs in to. */
interface LocalAccount {
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
async function linkByAddress(
  tx: Transaction,
  person: IdpPerson,
  email: string,
  client: ClientInfo,
): Promise<LocalAccount | 'conflict' | null> {
  const account = await lockAccountToLink.first(tx, { email });
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
async function addIdentity(
  tx: Transaction,
  userId: string,
  { issuer, subject }: IdpPerson,
  client: ClientInfo,
): Promise<void> {
  const id = newId();
  await tx.prisma.identity.create({ data: { id, userId, issuer, subject } });
  await recordAudit(tx, { type: 'user', userId, ipAddress: client.ipAddress }, 'identity.linked', {
    organizationId: null,
    targetId: userId,
    details: { identityId: id },
  });
}

async function proveAddress(
  tx: Sql,
  account: RowOf<typeof lockAccountToLink.columns>,
  email: string,
  client: ClientInfo,
): Promise<void> {
  await markEmailVerified(tx, client, account.id);
  await unconfirmPassword.run(tx, { user: account.id });
  // The registration link would verify an address that is already verified, and must not seem to confirm the password.
  await endUserTokens(tx, account.id, ['VERIFY_EMAIL']);
  await closeSessions(tx, account.id, { type: 'user', userId: account.id, ipAddress: client.ipAddress });
  if (account.has_password) await sendPasswordConfirmationMail(tx, account.id, email);
}
