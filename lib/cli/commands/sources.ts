import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { choice, enabledOf, enabling, flag, integer, requireChange, text, yes } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { findByName } from '@/lib/cli/session/choose';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Source } from '@/lib/incoming/schema';
import { deleteCommand, getCommand, listCommand } from './resource';

const PROVIDERS = ['NONE', 'GENERIC_HMAC', 'STANDARD_WEBHOOKS', 'STRIPE', 'GITHUB', 'SHOPIFY', 'SLACK'] as const;
const MAX_GRACE_HOURS = 168;

/** The argument that names a source. */
export const SOURCE = { source: { description: 'ID or name of the source' } };

/** How requests to a source are signed. */
const SIGNATURE_OPTIONS = {
  withSecret: flag('--with-secret', `set the secret that the provider signs with, ${FROM_WHERE}`),
  signatureHeader: text(
    '--signature-header <name>',
    'for `GENERIC_HMAC`: header with the signature (default `X-Signature`)',
  ),
  signatureEncoding: choice('--signature-encoding <encoding>', 'for `GENERIC_HMAC`', ['hex', 'base64']),
  signaturePrefix: text(
    '--signature-prefix <text>',
    'for `GENERIC_HMAC`: text before the signature, such as `sha256=`',
  ),
};

const NAMES: Column<Source>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'PROVIDER', value: ({ provider }) => provider, spare: 1 },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
];
const CREATED: Column<Source> = { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 2 };

/** Returns the source of the project with an id or a name. @throws CliError when there is none */
export async function findSource(context: Context, given: string): Promise<Source> {
  const { sources } = context.client;
  const options = await context.projectOptions();
  return await findByName(given, {
    kind: 'source',
    list: 'eds sources list',
    get: (id) => sources.get(id, options),
    all: () => sources.list({ limit: 100 }, options),
  });
}

const listSources = listCommand({
  summary: 'List the sources of the project.',
  within: 'project',
  columns: [...NAMES, CREATED],
  empty: 'No sources yet. Create one: eds sources create <name>',
  examples: [
    { line: 'sources list', does: 'List the newest sources.' },
    { line: 'sources list --all --json', does: 'Write all sources as JSON.' },
  ],
  rows: ({ client }, { page, call }) => client.sources.list(page, call),
});

const getSource = getCommand({
  summary: 'Show a source with its URL.',
  args: SOURCE,
  examples: [{ line: 'sources get shop', does: 'Show the source named shop.' }],
  find: (context, { source }) => findSource(context, source),
  fields: [
    ...NAMES,
    { header: 'OLD URL ENDS', value: ({ previousUrlExpiresAt }) => previousUrlExpiresAt, kind: 'time' },
    { header: 'SECRET', value: secretState },
    { header: 'OLD SECRET ENDS', value: ({ previousSecretExpiresAt }) => previousSecretExpiresAt, kind: 'time' },
    { header: 'HEADER', value: ({ signatureHeader }) => signatureHeader },
    { header: 'ENCODING', value: ({ signatureEncoding }) => signatureEncoding },
    { header: 'PREFIX', value: ({ signaturePrefix }) => signaturePrefix },
    CREATED,
  ],
});

function secretState({ provider, hasSecret }: Source): string {
  if (provider === 'NONE') return 'not used';
  return hasSecret ? 'set' : 'missing: no request can be verified';
}

const createSource = command({
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
    const { withSecret, disabled, ...fields } = options;
    const secret = withSecret ? await readSecret(context, 'the provider’s secret') : undefined;
    const body = { name: args.name, ...fields, secret, ...(disabled ? { enabled: false } : {}) };
    const source = await context.client.sources.create(body, await context.projectOptions());
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

const updateSource = command({
  name: 'update',
  summary: 'Change a source.',
  details:
    'A new secret replaces the old one immediately. To keep the old one for 24 hours, use `eds sources rotate-secret`.',
  args: SOURCE,
  options: { name: text('--name <name>', 'new name'), ...enabling, ...SIGNATURE_OPTIONS },
  examples: [
    { line: 'sources update shop --with-secret < secret.txt', does: 'Store the provider’s secret.' },
    { line: 'sources update shop --disable', does: 'Stop receiving requests.' },
  ],
  run: async (context, { args, options }) => {
    const { name, enable, disable, withSecret, ...signature } = options;
    const change = { name, ...enabledOf({ enable, disable }), ...signature };
    requireChange({ ...change, withSecret: withSecret || undefined });
    const { id } = await findSource(context, args.source);
    const secret = withSecret ? await readSecret(context, 'the provider’s secret') : undefined;
    const source = await context.client.sources.update(id, { ...change, secret }, await context.projectOptions());
    context.out.done(source, `Changed the source ${source.name}.`);
  },
});

const deleteSource = deleteCommand({
  summary: 'Delete a source with its destinations. Its URL stops working immediately.',
  args: SOURCE,
  examples: [{ line: 'sources delete shop --yes', does: 'Delete a source without confirmation.' }],
  find: (context, { source }) => findSource(context, source),
  question: ({ name }) => `Delete the source ${name} with its destinations?`,
  remove: (client, { id }, project) => client.sources.remove(id, project),
  done: ({ name }) => `Deleted the source ${name}.`,
});

const showSourceSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs requests to a source. This is recorded in the audit log.',
  args: SOURCE,
  examples: [{ line: 'sources secret ci', does: 'Show the secret to set up the provider.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const found = await context.client.sources.getSecret(id, await context.projectOptions());
    context.out.value(found, found.secret);
  },
});

const rotateSourceSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate a source’s secret. The old one stays valid for 24 hours.',
  details:
    'Stripe, Shopify and Slack generate the new secret; pass it with `--with-secret`. For other providers, the service generates it.',
  args: SOURCE,
  options: { withSecret: flag('--with-secret', `the new secret, ${FROM_WHERE}`), yes },
  examples: [
    { line: 'sources rotate-secret ci --yes', does: 'Generate a new secret and show it.' },
    { line: 'sources rotate-secret shop --with-secret --yes < new.txt', does: 'Store the provider’s new secret.' },
  ],
  run: async (context, { args, options: { withSecret, yes } }) => {
    const { id, name } = await findSource(context, args.source);
    await context.confirm(`Replace the secret of the source ${name}?`, yes);
    const body = withSecret ? { secret: await readSecret(context, 'the new secret') } : {};
    const rotated = await context.client.sources.rotateSecret(id, body, await context.projectOptions());
    const { secret, previousSecretExpiresAt: end } = rotated;
    const words = end === null ? '' : ` The old one is valid until ${end}.`;
    // Whoever gave the secret need not see it.
    const shown = withSecret ? {} : { secret };
    context.out.done(
      { ...shown, previousSecretExpiresAt: end },
      `Replaced the secret of ${name}.${words}`,
      shown.secret,
    );
  },
});

const rotateSourceUrl = command({
  name: 'rotate-url',
  summary: 'Rotate a source’s URL. The old one works for a grace period.',
  args: SOURCE,
  options: {
    gracePeriodHours: integer('--grace-period-hours <hours>', 'how long the old URL keeps working (default 24)', {
      min: 0,
      max: MAX_GRACE_HOURS,
    }),
    yes,
  },
  examples: [
    { line: 'sources rotate-url shop --yes', does: 'Rotate the URL. The old one works for a day.' },
    { line: 'sources rotate-url shop --grace-period-hours 0 --yes', does: 'Stop the old URL immediately.' },
  ],
  run: async (context, { args, options: { gracePeriodHours, yes } }) => {
    const { id, name } = await findSource(context, args.source);
    await context.confirm(`Replace the URL of the source ${name}?`, yes);
    const source = await context.client.sources.rotateUrl(id, { gracePeriodHours }, await context.projectOptions());
    const { previousUrlExpiresAt: end } = source;
    const words = end === null ? 'The old one stopped working.' : `The old one works until ${end}.`;
    context.out.done(source, `Replaced the URL of ${name}. ${words}`, source.url ?? undefined);
  },
});

export const sources: GroupSpec = {
  name: 'sources',
  summary: 'Manage sources, which receive webhooks from providers.',
  commands: [
    ...[listSources, getSource, createSource, updateSource, deleteSource],
    ...[showSourceSecret, rotateSourceSecret, rotateSourceUrl],
  ],
};
