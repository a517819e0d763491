import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { endUserTokens } from '@/lib/accounts/user-token';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { writePrivateJson } from '@/lib/platform/private-file';
import { StartupError } from '@/scripts/start/startup-error.mjs';
import { DEMO_DOMAIN } from './people';

/** What a call sends besides its path. */
interface CallOptions {
  token?: string;
  key?: string;
  body?: object;
}

/** The sessions page names the browser of a sign-in; without it the owner would have signed in from "node". */
const USER_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A refusal of the API. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the API of an instance, as a signed-in person or with a key. */
export class Api {
  constructor(readonly baseUrl: string) {}

  /** Returns the JSON of the response. @throws RefusedError with the code and detail of the problem document */
  async call<T>(method: string, path: string, { token, key, body }: CallOptions = {}): Promise<T> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'User-Agent': USER_AGENT,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'X-API-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return answer as T;
    throw new RefusedError(answer.code, `${method} ${path}: ${response.status} ${answer.code}: ${answer.detail}`);
  }
}

/** The account of the demo, kept in DATA_DIR so that a second run signs in again. */
const Account = z.object({ email: z.string(), password: z.string(), organizationId: z.string() });
type Account = z.infer<typeof Account>;

/** A signed-in account. */
export interface SignedIn extends Account {
  token: string;
  userId: string;
}

interface Session {
  accessToken: string;
  user: { id: string };
  organization: { id: string };
}

/**
 * Signs in to the account of the demo, or registers it.
 * @param addToExisting whether a database that others use may get the organization of the demo
 * @throws StartupError when the database is in use by others
 */
export async function signIn(api: Api, dataDir: string, addToExisting: boolean): Promise<SignedIn> {
  const file = path.join(dataDir, 'demo.json');
  const kept = read(file);
  if (kept !== null) {
    const session = await tryToSignIn(api, kept);
    if (session !== null) return { ...kept, token: session.accessToken, userId: session.user.id };
  }
  const { rows } = await database().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM organizations WHERE deleted_at IS NULL',
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0 && !addToExisting) {
    throw new StartupError(
      `The database has ${count} organizations that are not the demo's. To add the demo to them: npm run demo -- --add-to-existing`,
    );
  }
  const password = randomBytes(12).toString('base64url');
  const { email, session } = await register(api, password);
  const account = { email, password, organizationId: session.organization.id };
  fs.mkdirSync(dataDir, { recursive: true });
  writePrivateJson(file, account);
  await confirmAddress(session.user.id);
  return { ...account, token: session.accessToken, userId: session.user.id };
}

/** Registers Ada. Her address gets a suffix when another demo in the database has it. */
async function register(api: Api, password: string): Promise<{ email: string; session: Session }> {
  const others = { password, name: 'Ada Lovelace', organizationName: 'Northwind' };
  for (const suffix of ['', `.${randomBytes(2).toString('hex')}`]) {
    const email = `ada${suffix}@${DEMO_DOMAIN}`;
    try {
      return { email, session: await api.call<Session>('POST', '/auth/register', { body: { email, ...others } }) };
    } catch (error) {
      if (!(error instanceof RefusedError && error.code === 'email_taken')) throw error;
    }
  }
  throw new StartupError('The addresses of the demo are taken. Run it again.');
}

/** Confirms the address as the mailed link does: nobody can read mail at it. */
async function confirmAddress(userId: string): Promise<void> {
  await inSqlTransaction(async (tx) => {
    await markEmailVerified(tx, { ipAddress: '127.0.0.1', userAgent: null }, userId);
    await endUserTokens(tx, userId, ['VERIFY_EMAIL']);
  });
}

async function tryToSignIn(api: Api, { email, password }: Account): Promise<Session | null> {
  try {
    return await api.call<Session>('POST', '/auth/login', { body: { email, password } });
  } catch (error) {
    // The database is another one than the file belongs to.
    if (error instanceof RefusedError && error.code === 'invalid_credentials') return null;
    throw error;
  }
}

function read(file: string): Account | null {
  try {
    return Account.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
