import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';

export const showSourceSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs requests to a source. This is recorded in the audit log.',
  args: { source: SOURCE },
  examples: [{ line: 'sources secret ci', does: 'Show the secret to set up the provider.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const found = await context.client.sources.getSecret(id, await projectOptions(context));
    context.out.value(found, found.secret);
  },
});
