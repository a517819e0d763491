import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';

export const showSourceSecret = command({
  name: 'secret',
  summary: 'Show the secret that requests to a source are signed with. The audit log records this.',
  args: { source: SOURCE },
  examples: [{ line: 'sources secret ci', does: 'Show the secret, to enter it at the provider.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const found = await context.client.sources.getSecret(id, await projectOptions(context));
    context.out.value(found, found.secret);
  },
});
