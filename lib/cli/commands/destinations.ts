import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { enabledOf, enabling, flag, requireChange, retrySeconds, text } from '@/lib/cli/options';
import { columns, ENABLED } from '@/lib/cli/output/column';
import { action, get, list, remove } from '@/lib/cli/resource';
import { command, type GroupSpec, type Values } from '@/lib/cli/spec';
import type { CreateDestinationBody, Destination } from '@/lib/incoming/schema';
import { findSource, SOURCE } from './sources';

/** The arguments that name a destination. */
const DESTINATION = { ...SOURCE, destination: { description: 'ID of the destination' } };

/** The credential of a destination. */
const AUTH_OPTIONS = {
  bearer: flag('--bearer', `send a bearer token, ${FROM_WHERE}`),
  basic: text('--basic <username>', `send a username and password, ${FROM_WHERE}`),
  header: text('--header <name>', `send a header whose value is ${FROM_WHERE}`),
};

const COLUMNS = columns<Destination>(
  'id',
  'url',
  ENABLED,
  { header: 'CREDENTIAL', value: credentialOf, spare: 1 },
  { header: 'SIGNED', value: ({ hasSecret }) => hasSecret, spare: 2 },
  'createdAt:3',
);

function credentialOf({ auth }: Destination): string | null {
  if (auth === null) return null;
  if (auth.type === 'BASIC') return `basic, ${auth.username}`;
  if (auth.type === 'HEADER') return `header ${auth.name}`;
  return auth.type.toLowerCase();
}

async function findDestination(context: Context, args: { source: string; destination: string }) {
  const source = await findSource(context, args);
  return { ...(await context.client.destinations.get(source.id, args.destination)), source };
}

/** Whether a credential is given. @throws CliError when several are */
function hasAuth({ bearer, basic, header }: Values<typeof AUTH_OPTIONS>): boolean {
  const count = [bearer || undefined, basic, header].filter((each) => each !== undefined).length;
  if (count > 1) throw usageError('A destination has one credential: give --bearer, --basic or --header.');
  return count === 1;
}

/** Reads the secret part of the credential that the options name. @returns undefined when they name none */
async function readAuth(context: Context, given: Values<typeof AUTH_OPTIONS>): Promise<CreateDestinationBody['auth']> {
  if (!hasAuth(given)) return undefined;
  const { basic, header } = given;
  if (basic !== undefined) {
    return { type: 'BASIC', username: basic, password: await readSecret(context, 'the password') };
  }
  if (header !== undefined) return { type: 'HEADER', name: header, value: await readSecret(context, 'the value') };
  return { type: 'BEARER', token: await readSecret(context, 'the token') };
}

export const destinations: GroupSpec = {
  summary: 'Manage the URLs that sources forward to.',
  commands: {
    list: list({
      summary: 'List the destinations of a source.',
      args: SOURCE,
      columns: COLUMNS,
      empty: 'No destinations yet. Create one: eds destinations create <source> <url>',
      examples: { 'destinations list shop': 'List where the source named shop forwards events.' },
      rows: async function* (context, query, args) {
        const { id } = await findSource(context, args);
        yield* context.client.destinations.list(id, query);
      },
    }),
    get: get({
      summary: 'Show a destination, without its credential.',
      args: DESTINATION,
      examples: { 'destinations get shop 0198c0de-…': 'Show a destination of the source named shop.' },
      find: async (context, args) => {
        const { id } = await findSource(context, args);
        return await context.client.destinations.get(id, args.destination);
      },
      fields: columns<Destination>(
        ...COLUMNS,
        'description',
        { header: 'DISABLED BECAUSE', value: ({ disabledReason, pauseReason }) => disabledReason ?? pauseReason },
        { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, kind: 'time' },
        { header: 'RETRIES AFTER', value: ({ retrySeconds }) => retrySeconds.map((each) => `${each} s`).join(', ') },
      ),
    }),
    create: command({
      summary: 'Create a destination that a source forwards its events to.',
      args: { ...SOURCE, url: { description: 'URL of the receiver' } },
      options: {
        description: text('--description <text>', 'what the destination is for'),
        disabled: flag('--disabled', 'start disabled'),
        ...AUTH_OPTIONS,
        signing: flag('--signing', 'sign deliveries with a generated secret'),
        retrySeconds,
      },
      examples: {
        'destinations create shop https://shop.example.com/hooks': 'Forward to a server.',
        'destinations create shop https://shop.example.com/hooks --bearer < token.txt': 'Forward with a bearer token.',
      },
      run: async (context, { args, options: { bearer, basic, header, disabled, signing, ...fields } }) => {
        const { client, out } = context;
        const given = { bearer, basic, header };
        hasAuth(given);
        const { id, name } = await findSource(context, args);
        const auth = await readAuth(context, given);
        const choices = { enabled: disabled ? false : undefined, signing: signing || undefined };
        const made = await client.destinations.create(id, { url: args.url, ...fields, auth, ...choices });
        out.done(made, `Created the destination ${made.id} of ${name}.`);
        if (signing && !out.isJson) out.note(`Show its secret: eds destinations secret ${id} ${made.id}`);
      },
    }),
    update: action({
      summary: 'Change a destination.',
      details: 'To move a destination to another host, provide its credential again, or pass `--no-auth`.',
      args: DESTINATION,
      options: {
        url: text('--url <url>', 'new URL'),
        description: text('--description <text>', 'what the destination is for'),
        ...enabling,
        pauseReason: text('--reason <text>', 'why it is disabled, for your colleagues'),
        ...AUTH_OPTIONS,
        auth: flag('--no-auth', 'send no credential'),
        retrySeconds,
      },
      examples: {
        'destinations update shop 0198c0de-… --enable': 'Enable it again, and reset its failures.',
        "destinations update shop 0198c0de-… --disable --reason 'Moving'": 'Pause it.',
        'destinations update shop 0198c0de-… --basic ada < password.txt': 'Replace the credential.',
      },
      call: async (context, { args, options }) => {
        const { enable, disable, bearer, basic, header, auth: keepsAuth, ...fields } = options;
        const given = { bearer, basic, header };
        const change = { ...fields, ...enabledOf({ enable, disable }) };
        requireChange({ ...change, auth: hasAuth(given) || !keepsAuth || undefined });
        const { id } = await findSource(context, args);
        const auth = (await readAuth(context, given)) ?? (keepsAuth ? undefined : null);
        return await context.client.destinations.update(id, args.destination, { ...change, auth });
      },
      done: ({ id }) => `Changed the destination ${id}.`,
    }),
    delete: remove({
      summary: 'Delete a destination. Its deliveries are kept.',
      args: DESTINATION,
      examples: { 'destinations delete shop 0198c0de-… --yes': 'Delete a destination without confirmation.' },
      find: findDestination,
      confirm: ({ url, source }) => `Delete the destination ${url} of ${source.name}?`,
      call: ({ client }, { id, source }) => client.destinations.remove(source.id, id),
      done: ({ url }) => `Deleted the destination ${url}.`,
    }),
    secret: command({
      summary: 'Show the secret that signs deliveries to a destination. This is recorded in the audit log.',
      args: DESTINATION,
      examples: { 'destinations secret shop 0198c0de-…': 'Show the secret to set up the receiver.' },
      run: async (context, { args }) => {
        const { id } = await findSource(context, args);
        const found = await context.client.destinations.getSecret(id, args.destination);
        context.out.value(found, found.secret);
      },
    }),
    'rotate-secret': action({
      summary: 'Rotate a destination’s secret, or create its first one. The old secret works for 24 more hours.',
      args: DESTINATION,
      examples: { 'destinations rotate-secret shop 0198c0de-… --yes': 'Rotate the secret.' },
      find: findSource,
      confirm: (_source, { destination }) => `Replace the secret of the destination ${destination}?`,
      call: ({ client }, { found, args }) => client.destinations.rotateSecret(found.id, args.destination),
      done: ({ previousSecretExpiresAt: end }) =>
        `Created a secret. ${end === null ? 'Deliveries are now signed.' : `The old secret also works until ${end}.`}`,
      data: ({ secret }) => secret,
    }),
  },
};
