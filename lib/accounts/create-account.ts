import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';

interface NewAccount {
  /** Folded. */
  email: string;
  name: string | null;
  passwordHash: string | null;
}

/**
 * Stores an account and returns its id. When two requests use one address at once, one succeeds.
 * @throws AppError email_taken
 */
export async function createAccount(tx: Sql, account: NewAccount): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [newId(), account.email, account.name, account.passwordHash],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw emailTaken();
  return id;
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'This address already has an account. Sign in, or reset its password.');
}
