import type { Context } from '@/lib/cli/context';
import { serverUrl } from '@/lib/cli/session/access';
import { withConfigLock } from './config-lock';
import { type Profile, readSettings, writeSettings } from './settings';

/** Changes what the profile of the command keeps, and creates it if needed. Undefined removes a value. */
export function changeProfile(
  { folder, profileName, terminal }: Pick<Context, 'folder' | 'profileName' | 'terminal'>,
  change: Partial<Profile>,
): Promise<void> {
  return withConfigLock(folder, async () => {
    const settings = readSettings(folder);
    const { profiles } = settings;
    const stored = Object.hasOwn(profiles, profileName) ? (profiles[profileName] ?? {}) : {};
    const profile = { url: serverUrl(terminal.env, stored, change.url), ...stored, ...change };
    writeSettings(folder, { ...settings, profiles: { ...profiles, [profileName]: profile } });
  });
}
