import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { lockUser } from './users-sql';

/**
 * Locks the row of a person with the lock that a sign-in takes, so that the two run one after the other.
 * @throws AppError not_found
 */
export async function lockUserRow(tx: Sql, userId: string): Promise<{ userId: string; email: string }> {
  const row = await lockUser.first(tx, userId);
  if (row === undefined) throw notFound('user');
  return { userId: row.id, email: row.email };
}
