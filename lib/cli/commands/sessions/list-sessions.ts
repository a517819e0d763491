import { listCommand } from '@/lib/cli/commands/list-command';

export const listSessions = listCommand({
  summary: 'List your open sessions.',
  within: 'nothing',
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'DEVICE', value: ({ device, current }) => `${device}${current ? ' (this session)' : ''}` },
    { header: 'METHOD', value: ({ method }) => method, spare: 2 },
    { header: 'ADDRESS', value: ({ ipAddress }) => ipAddress },
    { header: 'STARTED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
    { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt, kind: 'time' },
  ],
  empty: 'You have no open sessions.',
  examples: [{ line: 'sessions list', does: 'List the devices where you’re signed in.' }],
  rows: ({ client }, { page, call }) => client.sessions.list(page, call),
});
