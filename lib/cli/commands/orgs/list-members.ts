import { listCommand } from '@/lib/cli/commands/list-command';

export const listMembers = listCommand({
  name: 'members',
  summary: 'List the members of the organization.',
  within: 'organization',
  columns: [
    { header: 'USER ID', value: ({ userId }) => userId, kind: 'id' },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ROLE', value: ({ role }) => role },
    { header: 'JOINED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
  ],
  empty: 'The organization has no members.',
  examples: [{ line: 'orgs members --org Acme', does: 'List the members of the organization Acme.' }],
  rows: ({ client }, { page, call, organizationId }) => client.members.list(organizationId, page, call),
});
