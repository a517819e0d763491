import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { enabledOf, enabling, flag, requireChange, retrySeconds, text, yes } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { CreateDestinationBody, Destination } from '@/lib/incoming/schema';
import { deleteCommand, getCommand, listCommand } from './resource';
import { findSource, SOURCE } from './sources';

/** The arguments that name a destination. */
const DESTINATION = { ...SOURCE, destination: { description: 'ID of the destination' } };

/** The credential of a destination. */
const AUTH_OPTIONS = {
  bearer: flag('--bearer', `send a bearer token, ${FROM_WHERE}`),
  basic: text('--basic <username>', `send a username and password, ${FROM_WHERE}`),
  header: text('--header <name>', `send a header whose value is ${FROM_WHERE}`),
};

interface GivenAuth {
  bearer: boolean;
  basic: string | undefined;
  header: string | undefined;
}

const COLUMNS: Column<Destination>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'STATE', value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'), kind: 'state' },
  { header: 'CREDENTIAL', value: credentialOf, spare: 1 },
  { header: 'SIGNED', value: ({ hasSecret }) => hasSecret, spare: 2 },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 3 },
];

function credentialOf({ auth }: Destination): string | null {
  if (auth === null) return null;
  if (auth.type === 'BASIC') return `basic, ${auth.username}`;
  if (auth.type === 'HEADER') return `header ${auth.name}`;
  return auth.type.toLowerCase();
}

const listDestinations = listCommand({
  summary: 'List the destinations of a source.',
  within: 'project',
  args: SOURCE,
  columns: COLUMNS,
  empty: 'No destinations yet. Create one: eds destinations create <source> <url>',
  examples: [{ line: 'destinations list shop', does: 'List where the source named shop forwards events.' }],
  rows: async function* (context, { args, page, call }) {
    const { id } = await findSource(context, args.source);
    yield* context.client.destinations.list(id, page, call);
  },
});

const getDestination = getCommand({
  summary: 'Show a destination, without its credential.',
  args: DESTINATION,
  examples: [{ line: 'destinations get shop 0198c0de-…', does: 'Show a destination of the source named shop.' }],
  find: async (context, { source, destination }, project) => {
    const { id } = await findSource(context, source);
    return await context.client.destinations.get(id, destination, project);
  },
  fields: [
    ...COLUMNS,
    { header: 'DESCRIPTION', value: ({ description }) => description },
    { header: 'DISABLED BECAUSE', value: ({ disabledReason, pauseReason }) => disabledReason ?? pauseReason },
    { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, kind: 'time' },
    { header: 'RETRIES AFTER', value: ({ retrySeconds }) => retrySeconds.map((seconds) => `${seconds} s`).join(', ') },
  ],
});

const createDestination = command({
  name: 'create',
  summary: 'Create a destination that a source forwards its events to.',
  args: { ...SOURCE, url: { description: 'URL of the receiver' } },
  options: {
    description: text('--description <text>', 'what the destination is for'),
    disabled: flag('--disabled', 'start disabled'),
    ...AUTH_OPTIONS,
    signing: flag('--signing', 'sign deliveries with a generated secret'),
    retrySeconds,
  },
  examples: [
    { line: 'destinations create shop https://shop.example.com/hooks', does: 'Forward to a server.' },
    {
      line: 'destinations create shop https://shop.example.com/hooks --bearer < token.txt',
      does: 'Forward with a bearer token.',
    },
  ],
  run: async (context, { args, options }) => {
    const { bearer, basic, header, disabled, signing, ...fields } = options;
    const given = { bearer, basic, header };
    hasAuth(given);
    const { id, name } = await findSource(context, args.source);
    const body = {
      url: args.url,
      ...fields,
      auth: await readAuth(context, given),
      ...(disabled ? { enabled: false } : {}),
      ...(signing ? { signing: true } : {}),
    };
    const destination = await context.client.destinations.create(id, body, await context.projectOptions());
    context.out.done(destination, `Created the destination ${destination.id} of ${name}.`);
    if (signing && !context.out.isJson)
      context.out.note(`Show its secret: eds destinations secret ${id} ${destination.id}`);
  },
});

/** Whether a credential is given. @throws CliError when several are */
function hasAuth({ bearer, basic, header }: GivenAuth): boolean {
  const count = [bearer || undefined, basic, header].filter((each) => each !== undefined).length;
  if (count > 1) throw usageError('A destination has one credential: give --bearer, --basic or --header.');
  return count === 1;
}

/** Reads the secret part of the credential that the options name. @returns undefined when they name none */
async function readAuth(context: Context, given: GivenAuth): Promise<CreateDestinationBody['auth']> {
  if (!hasAuth(given)) return undefined;
  const { basic, header } = given;
  if (basic !== undefined)
    return { type: 'BASIC', username: basic, password: await readSecret(context, 'the password') };
  if (header !== undefined) return { type: 'HEADER', name: header, value: await readSecret(context, 'the value') };
  return { type: 'BEARER', token: await readSecret(context, 'the token') };
}

const updateDestination = command({
  name: 'update',
  summary: 'Change a destination.',
  details: 'To move a destination to another host, provide its credential again, or pass `--no-auth`.',
  args: DESTINATION,
  options: {
    url: text('--url <url>', 'new URL'),
    description: text('--description <text>', 'what the destination is for'),
    ...enabling,
    reason: text('--reason <text>', 'why it is disabled, for your colleagues'),
    ...AUTH_OPTIONS,
    auth: flag('--no-auth', 'send no credential'),
    retrySeconds,
  },
  examples: [
    { line: 'destinations update shop 0198c0de-… --enable', does: 'Enable it again, and reset its failures.' },
    { line: `destinations update shop 0198c0de-… --disable --reason 'Moving'`, does: 'Pause it.' },
    { line: 'destinations update shop 0198c0de-… --basic ada < password.txt', does: 'Replace the credential.' },
  ],
  run: async (context, { args, options }) => {
    const { enable, disable, reason: pauseReason, bearer, basic, header, auth: keepsAuth, ...fields } = options;
    const given = { bearer, basic, header };
    const change = { ...fields, pauseReason, ...enabledOf({ enable, disable }) };
    requireChange({ ...change, auth: hasAuth(given) || !keepsAuth || undefined });
    const { id } = await findSource(context, args.source);
    const auth = (await readAuth(context, given)) ?? (keepsAuth ? undefined : null);
    const body = { ...change, ...(auth === undefined ? {} : { auth }) };
    const { destinations } = context.client;
    const destination = await destinations.update(id, args.destination, body, await context.projectOptions());
    context.out.done(destination, `Changed the destination ${destination.id}.`);
  },
});

const deleteDestination = deleteCommand({
  summary: 'Delete a destination. Its deliveries are kept.',
  args: DESTINATION,
  examples: [{ line: 'destinations delete shop 0198c0de-… --yes', does: 'Delete a destination without confirmation.' }],
  find: async (context, args, project) => {
    const source = await findSource(context, args.source);
    return { ...(await context.client.destinations.get(source.id, args.destination, project)), source };
  },
  question: ({ url, source }) => `Delete the destination ${url} of ${source.name}?`,
  remove: (client, { id, source }, project) => client.destinations.remove(source.id, id, project),
  done: ({ url }) => `Deleted the destination ${url}.`,
});

const showDestinationSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs deliveries to a destination. This is recorded in the audit log.',
  args: DESTINATION,
  examples: [{ line: 'destinations secret shop 0198c0de-…', does: 'Show the secret to set up the receiver.' }],
  run: async (context, { args }) => {
    const { id } = await findSource(context, args.source);
    const { destinations } = context.client;
    const found = await destinations.getSecret(id, args.destination, await context.projectOptions());
    context.out.value(found, found.secret);
  },
});

const rotateDestinationSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate a destination’s secret, or create its first one. The old secret works for 24 more hours.',
  args: DESTINATION,
  options: { yes },
  examples: [{ line: 'destinations rotate-secret shop 0198c0de-… --yes', does: 'Rotate the secret.' }],
  run: async (context, { args, options }) => {
    const { id } = await findSource(context, args.source);
    await context.confirm(`Replace the secret of the destination ${args.destination}?`, options.yes);
    const { destinations } = context.client;
    const rotated = await destinations.rotateSecret(id, args.destination, await context.projectOptions());
    const { secret, previousSecretExpiresAt: end } = rotated;
    const words = end === null ? 'Deliveries are now signed.' : `The old secret also works until ${end}.`;
    context.out.done(rotated, `Created a secret. ${words}`, secret);
  },
});

export const destinations: GroupSpec = {
  name: 'destinations',
  summary: 'Manage the URLs that sources forward to.',
  commands: [
    ...[listDestinations, getDestination, createDestination, updateDestination, deleteDestination],
    ...[showDestinationSecret, rotateDestinationSecret],
  ],
};
