import { findAnyAccount, lockFirstAccount } from '@/lib/accounts/accounts-sql';
import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import type { Registration } from './registration-policy';

/** Returns who may create an account. Until there is one, it is everybody. */
export async function whoMayRegister(sql: Sql = database()): Promise<Registration> {
  const { REGISTRATION } = config();
  if (REGISTRATION === 'open') return REGISTRATION;
  return (await findAnyAccount.run(sql)) > 0 ? REGISTRATION : 'open';
}

/**
 * Refuses somebody who may not create an account. Within the transaction that creates it, of two first people at once the second one
 * waits, and is not the first.
 * @param isInvited whether an organization invites the person
 * @throws AppError registration_closed
 */
export async function refuseRegistration(sql: Sql, isInvited: () => Promise<boolean>): Promise<void> {
  if (config().REGISTRATION === 'open') return;
  await lockFirstAccount.run(sql);
  const allowed = await whoMayRegister(sql);
  if (allowed === 'open' || (allowed === 'invited' && (await isInvited()))) return;
  const detail =
    allowed === 'invited'
      ? 'New accounts need an invitation to this email address. Ask a member of your organization for one.'
      : 'This service takes no new accounts. Ask whoever runs it.';
  throw new AppError('registration_closed', detail);
}
