import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readSettings, writeSettings } from '@/lib/cli/config/settings';
import { command } from '@/lib/cli/spec';
import { unknownProfile } from './unknown-profile';

export const useProfile = command({
  name: 'use',
  summary: 'Choose the profile that commands use when they name none.',
  args: { profile: { description: 'name of the profile' } },
  examples: [{ line: 'config use staging', does: 'Use another server from now on.' }],
  run: async ({ folder, out }, { args }) => {
    await withConfigLock(folder, async () => {
      const settings = readSettings(folder);
      if (!Object.hasOwn(settings.profiles, args.profile)) throw unknownProfile(args.profile);
      writeSettings(folder, { ...settings, current: args.profile });
    });
    out.done({ current: args.profile }, `Commands use the profile ${args.profile} now.`);
  },
});
