import type { Context } from '@/lib/cli/context';
import { withConfigLock } from './config-lock';
import { type Profile, readSettings, writeSettings } from './settings';

/** Changes what the profile of the command keeps. Undefined removes a value. */
export function changeProfile({ folder, profileName, url }: Context, change: Partial<Profile>): Promise<void> {
  return withConfigLock(folder, async () => {
    const settings = readSettings(folder);
    const profile = { url, ...settings.profiles[profileName], ...change };
    writeSettings(folder, { ...settings, profiles: { ...settings.profiles, [profileName]: profile } });
  });
}
