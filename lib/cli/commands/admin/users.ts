import type { UserRecord } from '@/lib/admin/schema';
import { listCommand } from '@/lib/cli/commands/list-command';
import { text, yes } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';

const searchUsers = listCommand({
  name: 'search',
  summary: 'Find people by their email address.',
  within: 'nothing',
  options: { email: text('--email <text>', 'an email address, or the start of one') },
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'NAME', value: ({ name }) => name, spare: 2 },
    { header: 'ORGANIZATIONS', value: (user: UserRecord) => user.organizations.map(({ name }) => name).join(', ') },
    { header: 'SESSIONS', value: ({ openSessions }) => openSessions },
    { header: 'LOCKED UNTIL', value: ({ lockout }) => lockout?.lockedUntil, kind: 'time', spare: 1 },
  ],
  empty: 'No users match.',
  examples: [{ line: 'admin users search --email ana@', does: 'Find a person who needs help.' }],
  rows: ({ operator }, { options, page, call }) => operator.admin.searchUsers({ ...page, email: options.email }, call),
});

const unlockUser = command({
  name: 'unlock',
  summary: 'End the lockout of a person after failed sign-ins.',
  args: { userId: { description: 'ID of the person' } },
  examples: [{ line: 'admin users unlock $USER_ID', does: 'Let a person sign in again.' }],
  run: async ({ operator, signal, out }, { args }) => {
    await operator.admin.unlockUser(args.userId, { signal });
    out.done({ id: args.userId, unlocked: true }, 'The person can sign in again.');
  },
});

const closeSessions = command({
  name: 'close-sessions',
  summary: 'Sign a person out everywhere.',
  args: { userId: { description: 'ID of the person' } },
  options: { yes },
  examples: [{ line: 'admin users close-sessions $USER_ID --yes', does: 'Close all sessions of a person.' }],
  run: async (context, { args, options }) => {
    await context.confirm('Sign this person out everywhere?', options.yes);
    await context.operator.admin.closeUserSessions(args.userId, { signal: context.signal });
    context.out.done({ id: args.userId, closed: true }, 'Signed the person out everywhere.');
  },
});

export const adminUsers: GroupSpec = {
  name: 'users',
  summary: 'Help people who can’t sign in.',
  commands: [searchUsers, unlockUser, closeSessions],
};
