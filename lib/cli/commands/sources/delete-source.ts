import { yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';

export const deleteSource = command({
  name: 'delete',
  summary: 'Delete a source with its destinations. Its URL stops working immediately.',
  args: { source: SOURCE },
  options: { yes },
  examples: [{ line: 'sources delete shop --yes', does: 'Delete a source without confirmation.' }],
  run: async (context, { args, options }) => {
    const { id, name } = await findSource(context, args.source);
    await context.confirm(`Delete the source ${name} with its destinations?`, options.yes);
    await context.client.sources.remove(id, await projectOptions(context));
    context.out.done({ id, deleted: true }, `Deleted the source ${name}.`);
  },
});
