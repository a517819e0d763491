import type { Session } from '@/lib/auth/schema';
import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { flag, yes } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { forgetSession } from '@/lib/cli/session/sign-out';
import { command, type GroupSpec } from '@/lib/cli/spec';

async function closeOne(context: Context, id: string, isConfirmed: boolean): Promise<void> {
  const { client, out } = context;
  const found = await findSession(context, id);
  const name = found === undefined ? `the session ${id}` : `the session of ${found.device}`;
  // An unknown session needs no question: the server refuses it.
  await context.confirm(`Close ${name}?`, isConfirmed || found === undefined);
  await client.sessions.close(id);
  if (found?.current) await forgetSession(context);
  out.done({ id, closed: true }, found?.current ? 'Closed this session. You’re signed out.' : `Closed ${name}.`);
}

async function findSession({ client }: Context, id: string): Promise<Session | undefined> {
  for await (const session of client.sessions.list({ limit: 100 })) {
    if (session.id === id.toLowerCase()) return session;
  }
  return undefined;
}

async function closeMany(context: Context, keepCurrent: boolean, isConfirmed: boolean): Promise<void> {
  // Before the question: without a session there is nothing to confirm.
  const { client, out } = context;
  await context.confirm(keepCurrent ? 'Sign out everywhere else?' : 'Sign out everywhere?', isConfirmed);
  await client.sessions.closeAll({ keepCurrent });
  if (!keepCurrent) await forgetSession(context);
  out.done({ closed: keepCurrent ? 'others' : 'all' }, `Signed out everywhere${keepCurrent ? ' else' : ''}.`);
}

export const account: GroupSpec = {
  summary: 'Change or delete your account.',
  commands: {
    delete: route('account.erase', {
      examples: { 'account delete --yes': 'Erase your account without confirmation.' },
      confirm: ({ user }) => `Erase the account ${user.email}, immediately and permanently?`,
      call: async (context, { send }) => {
        await send();
        await forgetSession(context);
        return { deleted: true };
      },
      done: () => 'Erased your account. You’re signed out.',
    }),
  },
};

export const sessions: GroupSpec = {
  summary: 'See where you are signed in, and sign out elsewhere.',
  commands: {
    list: route('sessions.list', {
      summary: 'List your open sessions.',
      columns: columns<Session>(
        'id',
        { header: 'DEVICE', value: ({ device, current }) => `${device}${current ? ' (this session)' : ''}` },
        'method:2',
        { header: 'ADDRESS', value: ({ ipAddress }) => ipAddress },
        { header: 'STARTED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 1 },
        'lastUsedAt',
      ),
      empty: 'You have no open sessions.',
      examples: { 'sessions list': 'List the devices where you’re signed in.' },
    }),
    close: command({
      operations: ['sessions.close', 'sessions.closeAll'],
      summary: 'Close a session, all others, or all of them.',
      args: { sessionId: { description: 'ID of the session', isOptional: true } },
      options: {
        others: flag('--others', 'close all sessions except this one'),
        all: flag('--all', 'close all sessions, including this one'),
        yes,
      },
      examples: {
        'sessions close $SESSION_ID': 'Sign out on one device.',
        'sessions close --others --yes': 'Sign out everywhere else.',
      },
      run: async (context, { args: { sessionId }, options }) => {
        if ([sessionId !== undefined, options.others, options.all].filter(Boolean).length !== 1) {
          throw usageError('Give the ID of a session, --others, or --all.', 'eds sessions list');
        }
        if (sessionId !== undefined) await closeOne(context, sessionId, options.yes);
        else await closeMany(context, options.others, options.yes);
      },
    }),
  },
};
