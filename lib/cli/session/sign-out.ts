import { withConfigLock } from '@/lib/cli/config/config-lock';
import { type Credentials, readCredentials, writeCredentials } from '@/lib/cli/config/credentials';
import type { Context } from '@/lib/cli/context';

/** How a profile was signed out. */
export interface SignedOut {
  /** The server of the credentials. */
  url: string;
  /** False when the server could not end the session, which then ends by itself when it is not used. */
  isClosed: boolean;
}

/** Removes the credentials of a profile, and ends their session on the server. @returns null when there were none */
export async function signOut(context: Context, profileName: string): Promise<SignedOut | null> {
  const { folder } = context;
  if (readCredentials(folder, profileName) === null) return null;
  return await withConfigLock(folder, async () => {
    const found = readCredentials(folder, profileName);
    writeCredentials(folder, profileName, null);
    return found === null ? null : { url: found.url, isClosed: await closeSession(context, found) };
  });
}

async function closeSession(context: Context, credentials: Credentials): Promise<boolean> {
  if (credentials.kind === 'key') return true;
  const { url, refreshToken } = credentials;
  const { auth } = context.anonymousClient(url);
  return await auth.logOut({ refreshToken }, { maxRetries: 1, timeoutMs: 10_000 }).then(
    () => true,
    () => false,
  );
}

/** Removes the credentials of this session, which the server has closed. */
export async function forgetSession({ access, folder, profileName }: Context): Promise<void> {
  if (access.kind !== 'session') return;
  await withConfigLock(folder, async () => writeCredentials(folder, profileName, null));
}

/** Said when the credentials are gone, but the session is not. */
export const NOT_CLOSED = 'The server didn’t close the session. Close it in the dashboard under Account > Sessions.';
