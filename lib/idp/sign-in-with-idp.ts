import { createAccount } from '@/lib/accounts/create-account';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { type SignIn, signIn } from '@/lib/auth/sign-in';
import { addOrganization } from '@/lib/orgs/create-organization';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import { isInvited } from '@/lib/orgs/invitations/has-invitation';
import type { ClientInfo } from '@/lib/platform/client-info';
import type { Clock } from '@/lib/platform/clock';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { isAppError } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { addIdentity, type LocalAccount, linkByAddress } from './link-identity';
import { nameOrganization } from './organization-name';
import type { IdpPerson } from './read-claims';
import { lockAccountOfIdentity, verifyNewAddress } from './sign-in-sql';
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
  const known = await lockAccountOfIdentity.first(tx, person.issuer, person.subject);
  if (known !== undefined) return { userId: known.id, lastOrganizationId: known.last_organization_id };
  const { verifiedEmail } = person;
  if (verifiedEmail === null) return 'idp_email_unverified';
  const linked = await linkByAddress(tx, person, verifiedEmail, client);
  if (linked === 'conflict') return 'idp_conflict';
  return linked ?? registerPerson(tx, person, verifiedEmail, client);
}

/** Creates an account with a verified address, without a password, and an organization for it unless it is invited to one. */
async function registerPerson(
  tx: Transaction,
  person: SigningIn,
  email: string,
  client: ClientInfo,
): Promise<LocalAccount> {
  const userId = await createAccount(tx, { email, name: person.name, passwordHash: null });
  await verifyNewAddress.run(tx, userId);
  const actor = { type: 'user', userId, ipAddress: client.ipAddress } as const;
  await recordAudit(tx, actor, {
    action: 'account.registered',
    organizationId: null,
    target: { type: 'user', id: userId },
  });
  await addIdentity(tx, userId, person, client);
  if (person.answersInvitation && (await isInvited(tx, email))) return { userId, lastOrganizationId: null };
  const { id } = await addOrganization(tx, actor, userId, nameOrganization({ ...person, email }));
  return { userId, lastOrganizationId: id };
}

function isLostRace(error: unknown): boolean {
  return (isAppError(error) && error.code === 'email_taken') || isUniqueViolation(error);
}
