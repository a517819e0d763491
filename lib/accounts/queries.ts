import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { prisma } from '@/lib/platform/prisma/client';
import type { RowOf } from '@/lib/platform/sql/statement';
import { findProfile } from './accounts-sql';
import type { User } from './schema';

export interface SignInAccount {
  id: string;
  passwordHash: string | null;
}

/** Finds the live account of a folded address, with its password hash; null when there is none. */
export function findSignInAccount(email: string): Promise<SignInAccount | null> {
  return prisma().user.findFirst({ where: { email, erasedAt: null }, select: { id: true, passwordHash: true } });
}

/** Returns a live person's own profile. @throws AppError unauthenticated when the account is erased */
export async function getUser(sql: Sql, userId: string): Promise<User> {
  const row = await findProfile.first(sql, userId);
  if (row === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return presentUser(row);
}

/** Converts a user row to the API's form for the person themselves. */
function presentUser(row: RowOf<typeof findProfile.columns>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified_at !== null,
    hasPassword: row.has_password,
    timeZone: row.times_in_utc ? 'UTC' : 'LOCAL',
  };
}
