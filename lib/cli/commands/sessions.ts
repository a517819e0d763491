import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { flag, yes } from '@/lib/cli/options';
import { forgetSession } from '@/lib/cli/session/sign-out';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { listCommand } from './resource';

const listSessions = listCommand({
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

const closeSessions = command({
  name: 'close',
  summary: 'Close a session, all others, or all of them.',
  args: { sessionId: { description: 'ID of the session', isOptional: true } },
  options: {
    others: flag('--others', 'close all sessions except this one'),
    all: flag('--all', 'close all sessions, including this one'),
    yes,
  },
  examples: [
    { line: 'sessions close $SESSION_ID', does: 'Sign out on one device.' },
    { line: 'sessions close --others --yes', does: 'Sign out everywhere else.' },
  ],
  run: async (context, { args: { sessionId }, options }) => {
    if ([sessionId !== undefined, options.others, options.all].filter(Boolean).length !== 1) {
      throw usageError('Give the ID of a session, --others, or --all.', 'eds sessions list');
    }
    if (sessionId !== undefined) await closeOne(context, sessionId, options.yes);
    else await closeMany(context, options.others, options.yes);
  },
});

async function closeOne(context: Context, id: string, isConfirmed: boolean): Promise<void> {
  const { client, out, signal } = context;
  const found = await findSession(context, id);
  const name = found === undefined ? `the session ${id}` : `the session of ${found.device}`;
  // An unknown session needs no question: the server refuses it.
  await context.confirm(`Close ${name}?`, isConfirmed || found === undefined);
  await client.sessions.close(id, { signal });
  if (found?.current) await forgetSession(context);
  out.done({ id, closed: true }, found?.current ? 'Closed this session. You’re signed out.' : `Closed ${name}.`);
}

async function findSession({ client, signal }: Context, id: string) {
  for await (const session of client.sessions.list({ limit: 100 }, { signal })) {
    if (session.id === id.toLowerCase()) return session;
  }
  return undefined;
}

async function closeMany(context: Context, keepCurrent: boolean, isConfirmed: boolean): Promise<void> {
  // Before the question: without a session there is nothing to confirm.
  const { client, out, signal } = context;
  await context.confirm(keepCurrent ? 'Sign out everywhere else?' : 'Sign out everywhere?', isConfirmed);
  await client.sessions.closeAll({ keepCurrent }, { signal });
  if (!keepCurrent) await forgetSession(context);
  out.done({ closed: keepCurrent ? 'others' : 'all' }, `Signed out everywhere${keepCurrent ? ' else' : ''}.`);
}

export const sessions: GroupSpec = {
  name: 'sessions',
  summary: 'See where you are signed in, and sign out elsewhere.',
  commands: [listSessions, closeSessions],
};
