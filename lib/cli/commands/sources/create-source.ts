import type { Context } from '@/lib/cli/context';
import { readSecret } from '@/lib/cli/input/read-secret';
import { choice, flag } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import type { Source } from '@/lib/incoming/schema';
import { SIGNATURE_OPTIONS } from './signature-options';

const PROVIDERS = ['NONE', 'GENERIC_HMAC', 'STANDARD_WEBHOOKS', 'STRIPE', 'GITHUB', 'SHOPIFY', 'SLACK'] as const;

export const createSource = command({
  name: 'create',
  summary: 'Create a source and show the URL for its provider.',
  details:
    'A secret is generated for `GENERIC_HMAC`, `STANDARD_WEBHOOKS` and `GITHUB` unless you set one. Stripe, Shopify and Slack show theirs ' +
    'once they know the URL: create the source, then store the secret with `eds sources update <source> --with-secret`.',
  args: { name: { description: 'name of the source' } },
  options: {
    provider: choice('--provider <provider>', 'provider that signs the requests (default `NONE`)', PROVIDERS),
    ...SIGNATURE_OPTIONS,
    disabled: flag('--disabled', 'start disabled'),
  },
  examples: [
    { line: 'sources create shop --provider stripe', does: 'Create a source for Stripe webhooks.' },
    {
      line: 'sources create ci --provider github --with-secret < secret.txt',
      does: 'Create a source with your own secret.',
    },
  ],
  run: async (context, { args, options }) => {
    const { provider, signatureHeader, signatureEncoding, signaturePrefix, disabled } = options;
    const secret = options.withSecret ? await readSecret(context, 'the provider’s secret') : undefined;
    const body = {
      ...{ name: args.name, provider, secret, signatureHeader, signatureEncoding, signaturePrefix },
      ...(disabled ? { enabled: false } : {}),
    };
    const source = await context.client.sources.create(body, await projectOptions(context));
    context.out.done(source, `Created the source ${source.name} (${source.id}).`, source.url ?? undefined);
    noteSecret(context, source);
  },
});

function noteSecret({ out }: Context, { id, provider, hasSecret }: Source): void {
  if (out.isJson || provider === 'NONE') return;
  out.note(
    hasSecret
      ? `Show its secret: eds sources secret ${id}`
      : `It can’t verify requests until it has the provider’s secret: eds sources update ${id} --with-secret`,
  );
}
