import { NOT_CLOSED, signOut } from '@/lib/cli/session/sign-out';
import { command } from '@/lib/cli/spec';

export const logout = command({
  name: 'logout',
  summary: 'Sign out of the profile and close its session.',
  examples: [{ line: 'logout', does: 'Sign out.' }],
  run: async (context) => {
    const { out, profileName } = context;
    const ended = await signOut(context, profileName);
    if (ended === null) return out.done({ profile: profileName, signedOut: false }, 'You weren’t signed in.');
    out.done({ profile: profileName, signedOut: true }, `Signed out of ${ended.url}.`);
    if (!ended.isClosed) out.note(NOT_CLOSED);
  },
});
