import { withConfigLock } from '@/lib/cli/config/config-lock';
import { writeCredentials } from '@/lib/cli/config/credentials';
import { readSettings, writeSettings } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { sessionFrom } from '@/lib/cli/session/session-from';

/** Makes an organization the one of the session and of the profile. The project of the profile is forgotten: it is elsewhere. */
export async function switchOrganization(context: Context, organizationId: string): Promise<void> {
  const { access, client, folder, profileName, url } = context;
  if (access.kind !== 'session') return;
  const signedIn = await client.account.switchOrganization({ organizationId }, { signal: context.signal });
  await withConfigLock(folder, async () => {
    writeCredentials(folder, profileName, sessionFrom(url, signedIn, access.session.read()));
    const settings = readSettings(folder);
    const { projectId: _elsewhere, ...profile } = settings.profiles[profileName] ?? {};
    const changed = { url, ...profile, organizationId };
    writeSettings(folder, { ...settings, profiles: { ...settings.profiles, [profileName]: changed } });
  });
}
