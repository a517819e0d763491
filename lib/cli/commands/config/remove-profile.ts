import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readCredentials, writeCredentials } from '@/lib/cli/config/credentials';
import { DEFAULT_PROFILE, readSettings, writeSettings } from '@/lib/cli/config/settings';
import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { unknownProfile } from './unknown-profile';

export const removeProfile = command({
  name: 'remove',
  summary: 'Remove a profile and its credentials from this machine.',
  details: 'Its session stays open on the server. To end it, run eds logout first.',
  args: { profile: { description: 'name of the profile' } },
  options: { yes },
  examples: [{ line: 'config remove staging --yes', does: 'Remove a profile without a question.' }],
  run: async (context, { args, options }) => {
    const { folder, out } = context;
    const name = args.profile;
    if (!Object.hasOwn(context.settings.profiles, name)) throw unknownProfile(name);
    await context.confirm(`Remove the profile ${name}?`, options.yes);
    await withConfigLock(folder, async () => {
      const { current, profiles } = readSettings(folder);
      const { [name]: _removed, ...others } = profiles;
      writeSettings(folder, { current: current === name ? DEFAULT_PROFILE : current, profiles: others });
      if (readCredentials(folder, name) !== null) writeCredentials(folder, name, null);
    });
    out.done({ profile: name, removed: true }, `Removed the profile ${name}.`);
  },
});
