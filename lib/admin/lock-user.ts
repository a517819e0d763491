import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';

/** A living person, locked as a sign-in locks them, so that the two come one after the other. @throws AppError not_found */
export async function lockUser(tx: Sql, userId: string): Promise<{ userId: string; email: string }> {
  const { rows } = await tx.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  const row = rows[0];
  if (row === undefined) throw notFound('user');
  return { userId: row.id, email: row.email };
}
