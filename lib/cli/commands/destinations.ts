import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { flag, text } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { findByName } from '@/lib/cli/session/choose';
import { command, type GroupSpec, type Values } from '@/lib/cli/spec';
import type { CreateDestinationBody, Destination } from '@/lib/incoming/schema';
import { showOutages } from './outages';
import { TARGET_REASON, TARGET_SINCE, TARGET_STATE } from './target-state';

/** The credential of a destination. */
const AUTH_OPTIONS = {
  bearer: flag('--bearer', `send a bearer token, ${FROM_WHERE}`),
  basic: text('--basic <username>', `send a username and password, ${FROM_WHERE}`),
  header: text('--header <name>', `send a header whose value is ${FROM_WHERE}`),
};

const COLUMNS = columns<Destination>(
  'id',
  'url',
  TARGET_STATE,
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
    list: route('destinations.list', {
      columns: COLUMNS,
      empty: 'No destinations yet. Create one: eds destinations create <source> <url>',
      examples: { 'destinations list shop': 'List where the source named shop forwards events.' },
    }),
    get: route('destinations.get', {
      summary: 'Show a destination, without its credential.',
      examples: { 'destinations get shop 0198c0de-…': 'Show a destination of the source named shop.' },
      columns: columns<Destination>(...COLUMNS, 'description', TARGET_SINCE, TARGET_REASON, {
        header: 'RETRIES AFTER',
        value: ({ retrySeconds }) => retrySeconds.map((each) => `${each} s`).join(', '),
      }),
    }),
    create: route('destinations.create', {
      summary: 'Create a destination that a source forwards its events to.',
      without: ['auth'],
      options: AUTH_OPTIONS,
      examples: {
        'destinations create shop https://shop.example.com/hooks': 'Forward to a server.',
        'destinations create shop https://shop.example.com/hooks --bearer < token.txt': 'Forward with a bearer token.',
      },
      call: async (context, { options, send }) => await send({ auth: await readAuth(context, options) }),
      done: ({ id }) => `Created the destination ${id}.`,
      after: ({ out }, { id, sourceId, hasSecret }) => {
        if (hasSecret) out.note(`Show its secret: eds destinations secret ${sourceId} ${id}`);
      },
    }),
    update: route('destinations.update', {
      summary: 'Change a destination.',
      details: 'To move a destination to another host, provide its credential again, or pass `--no-auth`.',
      without: ['auth'],
      options: { ...AUTH_OPTIONS, auth: flag('--no-auth', 'send no credential') },
      examples: {
        'destinations update shop 0198c0de-… --retry-seconds 5,60,3600': 'Give it its own retry schedule.',
        'destinations update shop 0198c0de-… --basic ada < password.txt': 'Replace the credential.',
      },
      call: async (context, { options, send }) => {
        const auth = await readAuth(context, options);
        return await send({ auth: auth ?? (options.auth ? undefined : null) });
      },
      done: ({ id }) => `Changed the destination ${id}.`,
    }),
    pause: route('destinations.update', {
      summary: 'Pause a destination. Nothing is forwarded to it, and its pending deliveries fail when they come due.',
      fields: ['pauseReason'],
      examples: { "destinations pause shop 0198c0de-… --reason 'Moving'": 'Forward nothing to it for a while.' },
      call: (_context, { send }) => send({ enabled: false }),
      done: ({ id, url }) =>
        `Paused the destination ${id} (${url}). It never gets the events that arrive until it is resumed.`,
      after: ({ out }, { id, sourceId }) => out.hint(`Resume it: eds destinations resume ${sourceId} ${id}`),
    }),
    resume: route('destinations.update', {
      summary: 'Resume a destination that is paused or disabled. Its failures are reset.',
      fields: [],
      examples: { 'destinations resume shop 0198c0de-…': 'Forward to it after fixing the receiver.' },
      call: (_context, { send }) => send({ enabled: true }),
      done: ({ id, url }) => `Resumed the destination ${id} (${url}).`,
      after: ({ out }, { id }) => out.hint(`Retry what failed: eds deliveries retry --all-failed --destination ${id}`),
    }),
    outages: command({
      operations: ['destinations.listOutages'],
      summary: 'List the newest outages of a destination, and how many deliveries of each have not arrived.',
      args: {
        source: { description: 'ID or name of the source' },
        destination: { description: 'ID of the destination' },
      },
      examples: { 'destinations outages shop 0198c0de-…': 'See when the receiver was down, and what to retry.' },
      run: async (context, { args }) => {
        const source = await findByName(args.source, 'source', context.client.sources);
        const found = await context.client.destinations.listOutages(source.id, args.destination);
        await showOutages(context, found, `--destination ${args.destination}`);
      },
    }),
    delete: route('destinations.remove', {
      summary: 'Delete a destination. Its deliveries are kept.',
      examples: { 'destinations delete shop 0198c0de-… --yes': 'Delete a destination without confirmation.' },
      confirm: ({ url }, { source }) => `Delete the destination ${url} of ${source}?`,
      done: (_result, { url }) => `Deleted the destination ${url}.`,
    }),
    secret: route('destinations.getSecret', {
      summary: 'Show the secret that signs deliveries to a destination. This is recorded in the audit log.',
      examples: { 'destinations secret shop 0198c0de-…': 'Show the secret to set up the receiver.' },
    }),
    'rotate-secret': route('destinations.rotateSecret', {
      summary: 'Rotate a destination’s secret, or create its first one. The old secret stays valid for a grace period.',
      examples: { 'destinations rotate-secret shop 0198c0de-… --yes': 'Rotate the secret.' },
      confirm: ({ url }) => `Rotate the secret of the destination ${url}?`,
      done: ({ previousSecretExpiresAt: end }) =>
        `Created a secret. ${end === null ? 'Deliveries are now signed.' : `The old secret also works until ${end}.`}`,
      data: ({ secret }) => secret,
    }),
    'end-previous-secret': route('destinations.endPreviousSecret', {
      summary: 'End the secret from before the last rotation, before its grace period does.',
      examples: { 'destinations end-previous-secret shop 0198c0de-… --yes': 'Sign with the current secret only.' },
      confirm: ({ url }) => `End the previous secret of the destination ${url}?`,
      done: (_result, { url }) => `Ended the previous secret of the destination ${url}.`,
    }),
  },
};
