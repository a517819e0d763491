import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { lockLiveAccount } from './accounts-sql';

/**
 * Locks a live account until the commit: a concurrent erasure, or another change under this lock, waits.
 * @returns its address
 * @throws AppError unauthenticated when the account is erased
 */
export async function lockAccount(tx: Sql, userId: string): Promise<string> {
  const account = await lockLiveAccount.first(tx, userId);
  if (account === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return account.email;
}
