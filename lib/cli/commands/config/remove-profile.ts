import { withConfigLock } from '@/lib/cli/config/config-lock';
import { DEFAULT_PROFILE, readSettings, writeSettings } from '@/lib/cli/config/settings';
import { yes } from '@/lib/cli/options';
import { NOT_CLOSED, signOut } from '@/lib/cli/session/sign-out';
import { command } from '@/lib/cli/spec';
import { requireProfile } from './require-profile';

export const removeProfile = command({
  name: 'remove',
  summary: 'Sign out of a profile and remove it from this machine.',
  args: { profile: { description: 'name of the profile', completes: 'profile' } },
  options: { yes },
  examples: [{ line: 'config remove staging --yes', does: 'Remove a profile without confirmation.' }],
  run: async (context, { args: { profile }, options }) => {
    const { folder, out, settings } = context;
    requireProfile(settings, profile);
    await context.confirm(`Remove the profile ${profile} and sign out of it?`, options.yes);
    const ended = await signOut(context, profile);
    await withConfigLock(folder, async () => {
      const { current, profiles } = readSettings(folder);
      const { [profile]: _removed, ...others } = profiles;
      writeSettings(folder, { current: current === profile ? DEFAULT_PROFILE : current, profiles: others });
    });
    out.done({ profile, removed: true }, `Removed the profile ${profile}.`);
    if (ended?.isClosed === false) out.note(NOT_CLOSED);
  },
});
