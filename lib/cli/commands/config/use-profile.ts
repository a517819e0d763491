import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readSettings, writeSettings } from '@/lib/cli/config/settings';
import { command } from '@/lib/cli/spec';
import { requireProfile } from './require-profile';

export const useProfile = command({
  name: 'use',
  summary: 'Set the default profile.',
  args: { profile: { description: 'name of the profile', completes: 'profile' } },
  examples: [{ line: 'config use staging', does: 'Switch to another server.' }],
  run: async ({ folder, out, terminal }, { args: { profile } }) => {
    await withConfigLock(folder, async () => {
      const settings = readSettings(folder);
      requireProfile(settings, profile);
      writeSettings(folder, { ...settings, current: profile });
    });
    out.done({ profile }, `Commands now use the profile ${profile}.`);
    const { EDS_PROFILE } = terminal.env;
    if (EDS_PROFILE) out.note(`In this shell, EDS_PROFILE still selects the profile ${EDS_PROFILE}.`);
  },
});
