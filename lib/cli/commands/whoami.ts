import { command } from '@/lib/cli/spec';

export const whoami = command({
  name: 'whoami',
  summary: 'Show who is signed in and where.',
  examples: [{ line: 'whoami', does: 'Show the account, the server and the profile.' }],
  run: async (context) => {
    const { out, url, profileName, access, client, signal } = context;
    if (access.kind === 'key') {
      const own = await client.apiKeys.getOwn({ signal });
      return out.record({ url, profile: profileName, apiKey: own }, [
        { header: 'SERVER', value: () => url },
        { header: 'PROFILE', value: () => profileName },
        { header: 'API KEY', value: ({ apiKey }) => apiKey.name },
        { header: 'SCOPE', value: ({ apiKey }) => apiKey.scope },
        { header: 'PROJECT', value: ({ apiKey }) => apiKey.project.name },
        { header: 'PROJECT ID', value: ({ apiKey }) => apiKey.project.id },
      ]);
    }
    const { user, organizations } = await client.account.get({ signal });
    out.record({ url, profile: profileName, user, organizations }, [
      { header: 'SERVER', value: () => url },
      { header: 'PROFILE', value: () => profileName },
      { header: 'EMAIL', value: (me) => me.user.email },
      { header: 'NAME', value: (me) => me.user.name },
      {
        header: 'ORGANIZATIONS',
        value: (me) => me.organizations.map(({ name, role }) => `${name} (${role})`).join(', '),
      },
    ]);
  },
});
