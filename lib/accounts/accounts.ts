import type { PersonCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { prisma } from '@/lib/platform/prisma/client';
import type { RowOf } from '@/lib/platform/sql/statement';
import { changeProfile, findProfile, insertAccount, lockLiveAccount } from './accounts-sql';
import type { Identity, UpdateMeBody, User } from './schema';

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
  const row = await findProfile.first(sql, { user: userId });
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
  const stored = await insertAccount.first(tx, {
    id: newId(),
    email: account.email,
    name: account.name,
    passwordHash: account.passwordHash,
  });
  if (stored === undefined) throw emailTaken();
  return stored.id;
}

export function emailTaken(): AppError {
  return new AppError('email_taken', 'This email address already has an account. Sign in, or reset the password.');
}

/** Changes the fields of the caller's own account that the body names. */
export async function updateMe(caller: PersonCaller, { name, timeZone }: UpdateMeBody): Promise<void> {
  if (name === undefined && timeZone === undefined) return;
  const timesInUtc = timeZone === undefined ? null : timeZone === 'UTC';
  await changeProfile.run(database(), {
    user: caller.userId,
    changesName: name !== undefined,
    name: name ?? null,
    timesInUtc,
  });
}

/**
 * Locks a live account until the commit: a concurrent erasure, or another change under this lock, waits.
 * @returns its address
 * @throws AppError unauthenticated when the account is erased
 */
export async function lockAccount(tx: Sql, userId: string): Promise<string> {
  const account = await lockLiveAccount.first(tx, { user: userId });
  if (account === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return account.email;
}

/** Lists the provider accounts linked to the caller's account, oldest first. */
export async function listIdentities(caller: PersonCaller): Promise<Identity[]> {
  const rows = await prisma().identity.findMany({
    where: { userId: caller.userId },
    select: { id: true, issuer: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, issuer, createdAt }) => ({
    id,
    provider: nameProvider(issuer),
    createdAt: createdAt.toISOString(),
  }));
}

/** Returns the provider's configured name; for an earlier issuer, only its host is known. */
export function nameProvider(issuer: string): string {
  const { IDP_OAUTH_ISSUER, IDP_OAUTH_NAME } = config();
  const bare = (url: string) => url.replace(/\/$/, '');
  if (bare(issuer) === bare(IDP_OAUTH_ISSUER)) return IDP_OAUTH_NAME;
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
