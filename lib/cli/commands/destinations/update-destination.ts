import { findSource } from '@/lib/cli/commands/sources/find-source';
import { enabledOf } from '@/lib/cli/input/enabled-of';
import { requireChange } from '@/lib/cli/input/require-change';
import { retrySeconds } from '@/lib/cli/input/retry-seconds';
import { enabling, flag, text } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';
import { AUTH_OPTIONS, hasAuth, readAuth } from './destination-auth';

export const updateDestination = command({
  name: 'update',
  summary: 'Change a destination.',
  details: 'To move a destination to another host, provide its credential again, or pass `--no-auth`.',
  args: DESTINATION,
  options: {
    url: text('--url <url>', 'new URL'),
    description: text('--description <text>', 'what the destination is for'),
    ...enabling,
    reason: text('--reason <text>', 'why it is disabled, for your colleagues'),
    ...AUTH_OPTIONS,
    auth: flag('--no-auth', 'send no credential'),
    retrySeconds,
  },
  examples: [
    { line: 'destinations update shop 0198c0de-… --enable', does: 'Enable it again, and reset its failures.' },
    { line: `destinations update shop 0198c0de-… --disable --reason 'Moving'`, does: 'Pause it.' },
    { line: 'destinations update shop 0198c0de-… --basic ada < password.txt', does: 'Replace the credential.' },
  ],
  run: async (context, { args, options }) => {
    const { enable, disable, reason: pauseReason, bearer, basic, header, auth: keepsAuth, ...fields } = options;
    const given = { bearer, basic, header };
    const change = { ...fields, pauseReason, ...enabledOf({ enable, disable }) };
    requireChange({ ...change, auth: hasAuth(given) || !keepsAuth || undefined });
    const { id } = await findSource(context, args.source);
    const auth = (await readAuth(context, given)) ?? (keepsAuth ? undefined : null);
    const body = { ...change, ...(auth === undefined ? {} : { auth }) };
    const { destinations } = context.client;
    const destination = await destinations.update(id, args.destination, body, await projectOptions(context));
    context.out.done(destination, `Changed the destination ${destination.id}.`);
  },
});
