import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readCredentials, writeCredentials } from '@/lib/cli/config/credentials';
import { command } from '@/lib/cli/spec';
import { NetworkError } from '@/lib/client';

export const logout = command({
  name: 'logout',
  summary: 'Sign out of the profile, and end its session on the server.',
  examples: [{ line: 'logout', does: 'Sign out.' }],
  run: async (context) => {
    const { folder, profileName } = context;
    const found = readCredentials(folder, profileName);
    if (found === null) return context.out.done({ profile: profileName, signedOut: false }, 'You were not signed in.');
    const reached = await withConfigLock(folder, async () => {
      const current = readCredentials(folder, profileName);
      writeCredentials(folder, profileName, null);
      if (current?.kind !== 'session') return true;
      const { url, refreshToken } = current;
      const client = context.anonymousClient(url);
      return await client.auth.logOut({ refreshToken }, { maxRetries: 1 }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof NetworkError) return false;
          throw error;
        },
      );
    });
    context.out.done({ profile: profileName, signedOut: true }, `Signed out of ${found.url}.`);
    if (!reached)
      context.out.note('We couldn’t reach the server. Close the session in the dashboard: Account, Sessions.');
  },
});
