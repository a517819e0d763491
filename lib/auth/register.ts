import { createAccount, emailTaken } from '@/lib/accounts/create-account';
import { refuseWeakPassword } from '@/lib/accounts/password-policy';
import { findSignInAccount } from '@/lib/accounts/queries';
import { sendVerificationMail } from '@/lib/accounts/verify-email';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { addOrganization } from '@/lib/orgs/create-organization';
import { isInvitedBy } from '@/lib/orgs/invitations/has-invitation';
import { defaultOrganizationName } from '@/lib/orgs/organization-name';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword } from '@/lib/platform/hashing/passwords';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import type { RegisterBody } from './schema';
import { type SignIn, signIn } from './sign-in';

/**
 * Creates an account, an organization that it owns, and its first session; mails the verification link. Someone with an
 * invitation to this address gets no organization: they join one next.
 * @throws AppError validation_failed for a weak password, rate_limited, email_taken, overloaded
 */
export async function register(caller: AnonymousCaller, body: RegisterBody, clock: Clock): Promise<SignIn> {
  const { email, password, name = null } = body;
  await refuseWeakPassword(password, email);
  const points = config().AUTH_RATE_LIMIT_REGISTER_PER_MINUTE;
  await enforceRateLimits(
    [{ name: 'register-ip', key: caller.client.ipAddress ?? 'unknown', points, windowSeconds: 60 }],
    caller.client,
  );
  // Saves the hashing. The insert decides between two registrations at once.
  if ((await findSignInAccount(email)) !== null) throw emailTaken();
  const passwordHash = await hashPassword(password, startHashDeadline(caller.client));
  return inTransaction(async (tx) => {
    const userId = await createAccount(tx, { email, name, passwordHash });
    const actor = { type: 'user', userId, ipAddress: caller.client.ipAddress } as const;
    await recordAudit(tx, actor, {
      action: 'account.registered',
      organizationId: null,
      target: { type: 'user', id: userId },
    });
    const isInvited = body.invitationToken !== undefined && (await isInvitedBy(tx, body.invitationToken, email));
    const organizationName = body.organizationName ?? defaultOrganizationName({ name, email });
    const own = isInvited ? null : await addOrganization(tx, actor, userId, organizationName);
    await sendVerificationMail(tx, userId, email);
    const lastOrganizationId = own?.id ?? null;
    return signIn(tx, { userId, method: 'PASSWORD', lastOrganizationId, client: caller.client }, clock);
  });
}
