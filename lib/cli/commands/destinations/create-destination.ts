import { findSource, SOURCE } from '@/lib/cli/commands/sources/find-source';
import { retrySeconds } from '@/lib/cli/input/retry-seconds';
import { flag, text } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { AUTH_OPTIONS, hasAuth, readAuth } from './destination-auth';

export const createDestination = command({
  name: 'create',
  summary: 'Create a destination that a source forwards its events to.',
  args: { source: SOURCE, url: { description: 'URL of the receiver' } },
  options: {
    description: text('--description <text>', 'what the destination is for'),
    disabled: flag('--disabled', 'start disabled'),
    ...AUTH_OPTIONS,
    signing: flag('--signing', 'sign deliveries with a generated secret'),
    retrySeconds,
  },
  examples: [
    { line: 'destinations create shop https://shop.example.com/hooks', does: 'Forward to a server.' },
    {
      line: 'destinations create shop https://shop.example.com/hooks --bearer < token.txt',
      does: 'Forward with a bearer token.',
    },
  ],
  run: async (context, { args, options }) => {
    const { bearer, basic, header, disabled, signing, ...fields } = options;
    const given = { bearer, basic, header };
    hasAuth(given);
    const { id, name } = await findSource(context, args.source);
    const body = {
      ...{ url: args.url, ...fields, auth: await readAuth(context, given) },
      ...(disabled ? { enabled: false } : {}),
      ...(signing ? { signing: true } : {}),
    };
    const destination = await context.client.destinations.create(id, body, await projectOptions(context));
    context.out.done(destination, `Created the destination ${destination.id} of ${name}.`);
    if (signing && !context.out.isJson)
      context.out.note(`Show its secret: eds destinations secret ${id} ${destination.id}`);
  },
});
