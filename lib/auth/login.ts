import { findSignInAccount, type SignInAccount } from '@/lib/accounts/queries';
import type { AnonymousCaller } from '@/lib/audit/caller';
import type { Clock } from '@/lib/platform/clock';
import { database, inTransaction } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/hashing/passwords';
import type { LoginBody } from './schema';
import { type SignIn, signIn } from './sign-in';

/**
 * Signs a person in with address and password (spec 5.2.1).
 * @throws AppError invalid_credentials for an unknown address, an account without a password or erased, and a wrong
 *   password: the same answer after the same work; overloaded
 */
export async function login(caller: AnonymousCaller, body: LoginBody, clock: Clock): Promise<SignIn> {
  const account = await provePassword(body);
  return inTransaction(async (tx) => {
    // Held until the session is there: a change of password meanwhile either is seen here, or sees and closes the session.
    const { rows } = await tx.query<{ last_organization_id: string | null }>(
      'SELECT last_organization_id FROM users WHERE id = $1 AND password_hash = $2 AND erased_at IS NULL FOR SHARE',
      [account.id, account.passwordHash],
    );
    const user = rows[0];
    if (user === undefined) throw invalidCredentials();
    return signIn(
      tx,
      { userId: account.id, method: 'PASSWORD', lastOrganizationId: user.last_organization_id, origin: caller.origin },
      clock,
    );
  });
}

async function provePassword({ email, password }: LoginBody): Promise<SignInAccount> {
  const account = await findSignInAccount(database(), email);
  const isRight = await verifyPassword(password, account?.passwordHash ?? null);
  if (!isRight || account === null || account.passwordHash === null) throw invalidCredentials();
  return isOutdatedHash(account.passwordHash) ? rehash(account, password) : account;
}

/** After AUTH_BCRYPT_COST was changed: an old hash is weaker, and the time it takes would tell that the account exists. */
async function rehash(account: SignInAccount, password: string): Promise<SignInAccount> {
  const passwordHash = await hashPassword(password);
  const { rowCount } = await database().query(
    'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
    [account.id, account.passwordHash, passwordHash],
  );
  return rowCount === 1 ? { id: account.id, passwordHash } : account;
}

function invalidCredentials(): AppError {
  return new AppError('invalid_credentials', 'The email address or the password is not right.');
}
