import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-secret';
import { flag, yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';

export const rotateSourceSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate a source’s secret. The old one stays valid for 24 hours.',
  details:
    'Stripe, Shopify and Slack generate the new secret; pass it with `--with-secret`. For other providers, the service generates it.',
  args: { source: SOURCE },
  options: { withSecret: flag('--with-secret', `the new secret, ${FROM_WHERE}`), yes },
  examples: [
    { line: 'sources rotate-secret ci --yes', does: 'Generate a new secret and show it.' },
    { line: 'sources rotate-secret shop --with-secret --yes < new.txt', does: 'Store the provider’s new secret.' },
  ],
  run: async (context, { args, options }) => {
    const { id, name } = await findSource(context, args.source);
    await context.confirm(`Replace the secret of the source ${name}?`, options.yes);
    const body = options.withSecret ? { secret: await readSecret(context, 'the new secret') } : {};
    const { secret, previousSecretExpiresAt } = await context.client.sources.rotateSecret(
      id,
      body,
      await projectOptions(context),
    );
    const end = previousSecretExpiresAt === null ? '' : ` The old one is valid until ${previousSecretExpiresAt}.`;
    // Whoever gave the secret need not see it.
    const shown = options.withSecret ? {} : { secret };
    context.out.done({ ...shown, previousSecretExpiresAt }, `Replaced the secret of ${name}.${end}`, shown.secret);
  },
});
