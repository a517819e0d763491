import { findSource } from '@/lib/cli/commands/sources/find-source';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';

export const showDestinationSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs deliveries to a destination. This is recorded in the audit log.',
  args: DESTINATION,
  examples: [{ line: 'destinations secret shop 0198c0de-…', does: 'Show the secret to set up the receiver.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const { destinations } = context.client;
    const found = await destinations.getSecret(id, args.destination, await projectOptions(context));
    context.out.value(found, found.secret);
  },
});
