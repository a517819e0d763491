import { listCommand } from '@/lib/cli/commands/list-command';

export const listKeys = listCommand({
  summary: 'List the keys of the project.',
  within: 'project',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'KEY', value: ({ hint }) => hint },
    { header: 'SCOPE', value: ({ scope }) => scope },
    { header: 'STATUS', value: ({ status }) => status, kind: 'state' },
    { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt, kind: 'time' },
    { header: 'EXPIRES', value: ({ expiresAt }) => expiresAt, kind: 'time' },
  ],
  empty: 'No keys yet. Create one: eds keys create <name>',
  examples: [{ line: 'keys list', does: 'List the keys of the project in use.' }],
  rows: ({ client }, { page, call }) => client.apiKeys.list(page, call),
});
