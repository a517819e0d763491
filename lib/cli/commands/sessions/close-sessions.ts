import { usageError } from '@/lib/cli/input/usage-error';
import { flag, yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const closeSessions = command({
  name: 'close',
  summary: 'Close a session, all others, or all of them.',
  args: { sessionId: { description: 'ID of the session', isOptional: true } },
  options: {
    others: flag('--others', 'close every session except this one'),
    all: flag('--all', 'close every session, also this one'),
    yes,
  },
  examples: [
    { line: 'sessions close $SESSION_ID', does: 'Sign out on one device.' },
    { line: 'sessions close --others --yes', does: 'Sign out everywhere else.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    if ([args.sessionId !== undefined, options.others, options.all].filter(Boolean).length !== 1) {
      const message = 'Give the ID of a session, --others, or --all.';
      throw usageError(message);
    }
    if (args.sessionId !== undefined) {
      await client.sessions.close(args.sessionId, { signal });
      return out.done({ id: args.sessionId, closed: true }, 'Closed the session.');
    }
    await context.confirm(options.all ? 'Sign out everywhere?' : 'Sign out everywhere else?', options.yes);
    await client.sessions.closeAll({ keepCurrent: options.others }, { signal });
    out.done({ closed: options.all ? 'all' : 'others' }, `Signed out everywhere${options.all ? '' : ' else'}.`);
  },
});
