import { findSource } from '@/lib/cli/commands/sources/find-source';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';
import { DESTINATION_FIELDS } from './destination-columns';

export const getDestination = command({
  name: 'get',
  summary: 'Show a destination, without its credential.',
  args: DESTINATION,
  examples: [{ line: 'destinations get shop 0198c0de-…', does: 'Show a destination of the source named shop.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const { destinations } = context.client;
    context.out.record(await destinations.get(id, args.destination, await projectOptions(context)), DESTINATION_FIELDS);
  },
});
