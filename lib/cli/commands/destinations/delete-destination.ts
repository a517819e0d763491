import { findSource } from '@/lib/cli/commands/sources/find-source';
import { yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';

export const deleteDestination = command({
  name: 'delete',
  summary: 'Delete a destination. Its deliveries are kept.',
  args: DESTINATION,
  options: { yes },
  examples: [{ line: 'destinations delete shop 0198c0de-… --yes', does: 'Delete a destination without confirmation.' }],
  run: async (context, { args, options }) => {
    const { destinations } = context.client;
    const source = await findSource(context, args.source);
    const project = await projectOptions(context);
    const { id, url } = await destinations.get(source.id, args.destination, project);
    await context.confirm(`Delete the destination ${url} of ${source.name}?`, options.yes);
    await destinations.remove(source.id, id, project);
    context.out.done({ id, deleted: true }, `Deleted the destination ${url}.`);
  },
});
