import { listCommand } from '@/lib/cli/commands/list-command';

export const listOrganizations = listCommand({
  summary: 'List your organizations.',
  within: 'nothing',
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ROLE', value: ({ role }) => role },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ],
  empty: 'You aren’t in any organizations. Create one: eds orgs create <name>',
  examples: [{ line: 'orgs list', does: 'List your organizations and your role in each.' }],
  rows: ({ client }, { page, call }) => client.organizations.list(page, call),
});
