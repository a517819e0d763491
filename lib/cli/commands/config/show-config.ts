import { command } from '@/lib/cli/spec';

export const showConfig = command({
  name: 'show',
  summary: 'Show the current profile and where it’s stored.',
  examples: [{ line: 'config show', does: 'Show the server, the profile and the project.' }],
  run: (context) => {
    const { folder, profileName, url, profile } = context;
    context.out.record({ profile: profileName, url, folder, ...profile }, [
      { header: 'PROFILE', value: () => profileName },
      { header: 'URL', value: () => url },
      { header: 'ORGANIZATION', value: () => profile.organizationId },
      { header: 'PROJECT', value: () => profile.projectId },
      { header: 'FOLDER', value: () => folder },
    ]);
  },
});
