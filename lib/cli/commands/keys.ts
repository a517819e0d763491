import { usageError } from '@/lib/cli/cli-error';
import { saveProjectKey } from '@/lib/cli/config/credentials';
import { prepareFolder } from '@/lib/cli/config/json-file';
import type { Context } from '@/lib/cli/context';
import { duration, flag, text, wholeHours, yes } from '@/lib/cli/options';
import { type Column, columns, formatAge } from '@/lib/cli/output/column';
import { optionsFrom, route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec, type Values } from '@/lib/cli/spec';
import type { ApiKey, CreatedApiKey } from '@/lib/keys/schema';

const ID = { id: { description: 'ID of the key' } };

/** When a key ends that still works, or has ended by itself. */
const EXPIRES: Column<ApiKey> = {
  header: 'EXPIRES',
  value: ({ status, expiresAt }) => (status === 'REVOKED' ? null : expiresAt),
  kind: 'time',
};

/** The options of a key that expires. */
const EXPIRY = {
  expiresIn: duration('--expires-in <duration>', 'the key expires after this time, such as `90d`'),
  expiresAt: text('--expires-at <time>', 'the key expires at this RFC 3339 time, or at the end of this day (UTC)'),
};

/** Returns the `expiresAt` of a key; undefined when it never expires. @throws CliError when both options are given */
function expiryOf({ expiresIn, expiresAt }: Values<typeof EXPIRY>): string | undefined {
  if (expiresIn === undefined) return expiresAt;
  if (expiresAt !== undefined) throw usageError('Give --expires-in or --expires-at, not both.');
  return new Date(Date.now() + expiresIn).toISOString();
}

/** Shows a new key, the only time that it can be seen. Away from a terminal it is alone on standard output. */
function showNewKey({ out, terminal }: Context, created: CreatedApiKey): void {
  if (!out.isJson && !terminal.stdout.isTTY) {
    out.value(created, created.key);
    return;
  }
  out.record(created, columns<CreatedApiKey>('key', 'id', 'name', 'scope', 'expiresAt'));
  out.hint('Store the key now. We keep only its hash and can’t show it again.');
}

function noteEnd({ out }: Context, { status, expiresAt }: ApiKey): void {
  if (status !== 'ROTATING' || expiresAt === null) out.note('The old key has stopped working.');
  else out.note(`The old key works until ${expiresAt} (${formatAge(new Date(expiresAt), new Date())}).`);
}

export const keys: GroupSpec = {
  summary: 'Create, rotate and revoke the API keys of a project.',
  commands: {
    list: route('apiKeys.list', {
      columns: columns<ApiKey>('id', 'name', 'status', 'scope', 'hint:1', 'lastUsedAt:2', EXPIRES),
      empty: 'No API keys yet. Create one: eds keys create <name>',
      examples: {
        'keys list': 'Show all keys and when each was last used.',
        'keys list --all --json | jq \'.[] | select(.status == "ACTIVE")\'': 'Get the active keys.',
      },
    }),
    create: route('apiKeys.create', {
      summary: 'Create an API key and show it once.',
      details: 'When piped, writes only the key to standard output.',
      without: ['expiresAt'],
      options: {
        save: flag('--save', 'store the key on this machine for `eds send` instead of showing it'),
        ...EXPIRY,
      },
      examples: {
        'keys create server': 'Create a key that sends events.',
        'keys create my-machine --save': 'Create the key that eds send needs.',
        'keys create reports --scope read-only --expires-in 90d': 'Create a read-only key that expires in 90 days.',
        'keys create ci | gh secret set EDS_API_KEY': 'Pass the key to another program without showing it.',
      },
      call: async (context, { options, send }) => {
        const { folder, url } = context;
        // Before the key exists: one that cannot be stored would be lost.
        if (options.save) prepareFolder(folder);
        const created = await send({ expiresAt: expiryOf(options) });
        if (options.save) await saveProjectKey(folder, url, await context.projectId(), created.key);
        return created;
      },
      show: (context, created, { save }) => {
        const { key: _secret, ...shown } = created;
        if (save) return context.out.done(shown, `Created the key ${created.name}. eds send uses it.`);
        showNewKey(context, created);
        context.out.hint(`Revoke it with eds keys revoke ${created.id}`);
      },
    }),
    rotate: command({
      operations: ['apiKeys.rotate'],
      summary: 'Rotate an API key and show the new one once.',
      details:
        'The new key has the name and scope of the old one. The old key works for the grace period, but not beyond its own expiry. ' +
        'When piped, writes only the key to standard output.',
      args: ID,
      options: {
        ...optionsFrom('apiKeys.rotate', 'gracePeriodHours'),
        ...EXPIRY,
        yes,
      },
      examples: {
        'keys rotate 0197b6a0-… --grace-period 48h': 'Keep the old key working for two more days.',
        'keys rotate 0197b6a0-… --grace-period 0h --yes': 'Replace a leaked key.',
      },
      run: async (context, { args, options }) => {
        const { apiKeys } = context.client;
        const body = {
          gracePeriodHours: wholeHours('--grace-period', options.gracePeriodHours),
          expiresAt: expiryOf(options),
        };
        if (body.gracePeriodHours === 0) {
          const { name } = await apiKeys.get(args.id);
          await context.confirm(`Rotate the key “${name}”? The old key stops working immediately.`, options.yes);
        }
        showNewKey(context, await apiKeys.rotate(args.id, body));
        if (context.out.isJson) return;
        // After the key is shown: an error here must not lose it.
        const old = await apiKeys.get(args.id).catch(() => null);
        if (old !== null) noteEnd(context, old);
      },
    }),
    revoke: command({
      operations: ['apiKeys.revoke'],
      summary: 'Revoke an API key. It stops working immediately.',
      args: ID,
      options: { yes },
      examples: { 'keys revoke 0197b6a0-… --yes': 'Revoke a key without confirmation.' },
      run: async (context, { args, options }) => {
        const { client, out } = context;
        const { id, name, hint, status } = await client.apiKeys.get(args.id);
        const key = `the key “${name}” (${hint})`;
        if (status === 'REVOKED') return out.done({ id, revoked: true }, `Already revoked: ${key}.`);
        await context.confirm(`Revoke ${key}? It stops working immediately.`, options.yes);
        await client.apiKeys.revoke(id);
        out.done({ id, revoked: true }, `Revoked ${key}.`);
      },
    }),
  },
};
