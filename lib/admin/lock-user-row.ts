import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';

/**
 * Locks the row of a person with the lock that a sign-in takes, so that the two run one after the other.
 * @throws AppError not_found
 */
export async function lockUserRow(tx: Sql, userId: string): Promise<{ userId: string; email: string }> {
  const { rows } = await tx.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  const row = rows[0];
  if (row === undefined) throw notFound('user');
  return { userId: row.id, email: row.email };
}
