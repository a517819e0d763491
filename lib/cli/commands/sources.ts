import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { flag, yes } from '@/lib/cli/options';
import { columns, ENABLED } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { findByName } from '@/lib/cli/session/choose';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Source } from '@/lib/incoming/schema';

const NAMES = columns<Source>('id', 'name', 'provider:1', ENABLED, 'url');

/** Returns the source of the project with an id or a name. @throws CliError when there is none */
export function findSource({ client }: Context, { source }: { source: string }): Promise<Source> {
  return findByName(source, 'source', client.sources);
}

function secretState({ provider, hasSecret }: Source): string {
  if (provider === 'NONE') return 'not used';
  return hasSecret ? 'set' : 'missing: no request can be verified';
}

function noteSecret({ out }: Context, { id, provider, hasSecret }: Source): void {
  if (provider === 'NONE') return;
  out.note(
    hasSecret
      ? `Show its secret: eds sources secret ${id}`
      : `It can’t verify requests until it has the provider’s secret: eds sources update ${id} --with-secret`,
  );
}

export const sources: GroupSpec = {
  summary: 'Manage sources, which receive webhooks from providers.',
  commands: {
    list: route('sources.list', {
      columns: [...NAMES, ...columns<Source>('createdAt:2')],
      empty: 'No sources yet. Create one: eds sources create <name>',
      examples: {
        'sources list': 'List the newest sources.',
        'sources list --all --json': 'Write all sources as JSON.',
      },
    }),
    get: route('sources.get', {
      summary: 'Show a source with its URL.',
      examples: { 'sources get shop': 'Show the source named shop.' },
      columns: columns<Source>(
        ...NAMES,
        { header: 'OLD URL ENDS', value: ({ previousUrlExpiresAt }) => previousUrlExpiresAt, kind: 'time' },
        { header: 'SECRET', value: secretState },
        { header: 'OLD SECRET ENDS', value: ({ previousSecretExpiresAt }) => previousSecretExpiresAt, kind: 'time' },
        { header: 'HEADER', value: ({ signatureHeader }) => signatureHeader },
        { header: 'ENCODING', value: ({ signatureEncoding }) => signatureEncoding },
        { header: 'PREFIX', value: ({ signaturePrefix }) => signaturePrefix },
        { header: 'SIGNED', value: ({ signedContent }) => signedContent },
        'createdAt',
      ),
    }),
    create: route('sources.create', {
      summary: 'Create a source and show the URL for its provider.',
      details:
        'A secret is generated unless you set one, except for providers that generate it: Stripe, Shopify, Slack, Paddle, Zendesk, HubSpot, ' +
        'Square, Meta, Zoom and Discord. For those, create the source, then store the secret with `eds sources update <source> --with-secret`.',
      examples: {
        'sources create shop --provider stripe': 'Create a source for Stripe webhooks.',
        'sources create ci --provider github --with-secret < secret.txt': 'Create a source with your own secret.',
      },
      done: ({ name, id }) => `Created the source ${name} (${id}).`,
      data: ({ url }) => url,
      after: noteSecret,
    }),
    update: route('sources.update', {
      summary: 'Change a source.',
      details:
        'A new secret replaces the old one immediately. To keep the old one for a while, use `eds sources rotate-secret`.',
      examples: {
        'sources update shop --with-secret < secret.txt': 'Store the provider’s secret.',
        'sources update shop --disable': 'Stop receiving requests.',
      },
      done: ({ name }) => `Changed the source ${name}.`,
    }),
    delete: route('sources.remove', {
      summary: 'Delete a source with its destinations. Its URL stops working immediately.',
      examples: { 'sources delete shop --yes': 'Delete a source without confirmation.' },
      confirm: ({ name }) => `Delete the source ${name} with its destinations?`,
      done: (_result, { name }) => `Deleted the source ${name}.`,
    }),
    secret: route('sources.getSecret', {
      summary: 'Show the secret that signs requests to a source. This is recorded in the audit log.',
      examples: { 'sources secret ci': 'Show the secret to set up the provider.' },
    }),
    'end-previous-secret': route('sources.endPreviousSecret', {
      summary: 'End the secret from before the last rotation, before its grace period does.',
      examples: { 'sources end-previous-secret shop --yes': 'Accept signatures of the current secret only.' },
      confirm: ({ name }) => `End the previous secret of the source ${name}?`,
      done: (_result, { name }) => `Ended the previous secret of the source ${name}.`,
    }),
    'rotate-secret': command({
      operations: ['sources.rotateSecret'],
      summary: 'Rotate a source’s secret. The old one stays valid for a grace period.',
      details:
        'If the provider generates the new secret, as Stripe does, pass it with `--with-secret`. Otherwise the service generates it.',
      args: { source: { description: 'ID or name of the source' } },
      options: { withSecret: flag('--with-secret', `the new secret, ${FROM_WHERE}`), yes },
      examples: {
        'sources rotate-secret ci --yes': 'Generate a new secret and show it.',
        'sources rotate-secret shop --with-secret --yes < new.txt': 'Store the provider’s new secret.',
      },
      run: async (context, { args, options: { withSecret, yes } }) => {
        const { id, name } = await findSource(context, args);
        await context.confirm(`Rotate the secret of the source ${name}?`, yes);
        const body = withSecret ? { secret: await readSecret(context, 'the new secret') } : {};
        const { secret, previousSecretExpiresAt } = await context.client.sources.rotateSecret(id, body);
        const words = previousSecretExpiresAt === null ? '' : ` The old one is valid until ${previousSecretExpiresAt}.`;
        // Whoever gave the secret need not see it.
        const shown = withSecret ? {} : { secret };
        context.out.done({ ...shown, previousSecretExpiresAt }, `Rotated the secret of ${name}.${words}`, shown.secret);
      },
    }),
    'rotate-url': route('sources.rotateUrl', {
      summary: 'Rotate a source’s URL. The old one works for a grace period.',
      examples: {
        'sources rotate-url shop --yes': 'Rotate the URL. The old one works for a day.',
        'sources rotate-url shop --grace-period 0h --yes': 'Stop the old URL immediately.',
      },
      confirm: ({ name }) => `Rotate the URL of the source ${name}?`,
      done: ({ previousUrlExpiresAt: end }, { name }) => {
        const words = end === null ? 'The old one stopped working.' : `The old one works until ${end}.`;
        return `Rotated the URL of ${name}. ${words}`;
      },
      data: ({ url }) => url,
    }),
  },
};
