import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { insertAccount } from './accounts-sql';

interface NewAccount {
  /** Folded. */
  email: string;
  name: string | null;
  passwordHash: string | null;
}

/**
 * Stores an account and returns its id. When two requests use the same address at once, one succeeds.
 * @throws AppError email_taken
 */
export async function createAccount(tx: Sql, account: NewAccount): Promise<string> {
  const stored = await insertAccount.first(tx, newId(), account.email, account.name, account.passwordHash);
  if (stored === undefined) throw emailTaken();
  return stored.id;
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'This email address already has an account. Sign in, or reset the password.');
}
