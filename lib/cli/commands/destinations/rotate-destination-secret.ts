import { findSource } from '@/lib/cli/commands/sources/find-source';
import { yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { DESTINATION } from './destination-arguments';

export const rotateDestinationSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate a destination’s secret, or create its first one. The old secret works for 24 more hours.',
  args: DESTINATION,
  options: { yes },
  examples: [{ line: 'destinations rotate-secret shop 0198c0de-… --yes', does: 'Rotate the secret.' }],
  run: async (context, { args, options }) => {
    const { id } = await findSource(context, args.source);
    await context.confirm(`Replace the secret of the destination ${args.destination}?`, options.yes);
    const { destinations } = context.client;
    const rotated = await destinations.rotateSecret(id, args.destination, await projectOptions(context));
    const { secret, previousSecretExpiresAt: end } = rotated;
    const words = end === null ? 'Deliveries are now signed.' : `The old secret also works until ${end}.`;
    context.out.done(rotated, `Created a secret. ${words}`, secret);
  },
});
