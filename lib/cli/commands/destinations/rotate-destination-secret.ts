import { findSource } from '@/lib/cli/commands/sources/find-source';
import { yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';

export const rotateDestinationSecret = command({
  name: 'rotate-secret',
  summary: 'Replace the secret of a destination, or create its first one. The old one is used for 24 hours more.',
  args: DESTINATION,
  options: { yes },
  examples: [{ line: 'destinations rotate-secret shop 0198c0de-… --yes', does: 'Show another secret.' }],
  run: async (context, { args, options }) => {
    const { id } = await findSource(context, args.source);
    await context.confirm(`Replace the secret of the destination ${args.destination}?`, options.yes);
    const { destinations } = context.client;
    const rotated = await destinations.rotateSecret(id, args.destination, await projectOptions(context));
    const { secret, previousSecretExpiresAt: end } = rotated;
    const words = end === null ? 'Forwards are signed from now on.' : `The old secret is used until ${end}, too.`;
    context.out.done(rotated, `Created a secret. ${words}`, secret);
  },
});
