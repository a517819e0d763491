import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { presentUser, USER_COLUMNS, type UserRow } from './present-user';
import type { User } from './schema';

export interface SignInAccount {
  id: string;
  passwordHash: string | null;
}

/** Finds the live account of a folded address, with its password hash; null when there is none. */
export async function findSignInAccount(sql: Sql, email: string): Promise<SignInAccount | null> {
  const { rows } = await sql.query<{ id: string; password_hash: string | null }>(
    'SELECT id, password_hash FROM users WHERE email = $1 AND erased_at IS NULL',
    [email],
  );
  const row = rows[0];
  return row === undefined ? null : { id: row.id, passwordHash: row.password_hash };
}

/** Returns a live person's own profile. @throws AppError unauthenticated when the account is erased */
export async function getUser(sql: Sql, userId: string): Promise<User> {
  const { rows } = await sql.query<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users u WHERE u.id = $1 AND u.erased_at IS NULL`,
    [userId],
  );
  const row = rows[0];
  if (row === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return presentUser(row);
}
