import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { choice, flag, integer, pageSize, paging, rowLimit, text } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { formatBody } from '@/lib/cli/output/format-body';
import { optionsFrom, route } from '@/lib/cli/routes/route-command';
import { findByName } from '@/lib/cli/session/choose';
import { command, type GroupSpec, type Values } from '@/lib/cli/spec';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';

/** The service knows what a test receiver waits at most. */
const MAX_DELAY = 999;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The argument that names a tunnel. */
const TUNNEL = { tunnel: { description: 'ID or name of the tunnel' } };

const COLUMNS = columns<Tunnel>('id', 'name', { header: 'STATE', value: stateOf, kind: 'state' }, 'url', {
  header: 'LAST SEEN',
  value: ({ lastSeenAt }) => lastSeenAt,
  kind: 'time',
  spare: 1,
});

const REQUEST_COLUMNS = columns<TunnelRequest>(
  'id',
  'method',
  { header: 'PATH', value: ({ path }) => path, kind: 'url' },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => durationMs, kind: 'duration', spare: 1 },
  'error:2',
  'createdAt:3',
);

function stateOf({ testResponse, online }: Tunnel): string {
  if (testResponse) return `answers ${testResponse.status}`;
  return online ? 'online' : 'offline';
}

/** Returns the tunnel of the project with an id or a name. @throws CliError when there is none */
export function findTunnel({ client }: Context, { tunnel }: { tunnel: string }): Promise<Tunnel> {
  return findByName(tunnel, 'tunnel', client.tunnels);
}

/** Who may use a tunnel, and whether it answers by itself. */
const ACCESS_OPTIONS = {
  basicAuth: text('--basic-auth <username>', `require this username and a password, ${FROM_WHERE}`),
  testReceiver: flag('--test-receiver', 'make it a test receiver: the service responds, without a local server'),
  status: integer('--status <code>', 'status code of a test receiver’s responses (default 200)', 200, 599),
  delay: integer('--delay <seconds>', 'how long a test receiver waits before it responds (default 0)', 0, MAX_DELAY),
};

async function accessOf(
  context: Context,
  { basicAuth: username, testReceiver, status, delay }: Values<typeof ACCESS_OPTIONS>,
) {
  if (!testReceiver && (status !== undefined || delay !== undefined)) {
    throw usageError('Use --status and --delay with --test-receiver.');
  }
  return {
    testResponse: testReceiver ? { status: status ?? 200, delaySeconds: delay ?? 0 } : undefined,
    basicAuth: !username ? undefined : { username, password: await readSecret(context, 'the password') },
  };
}

/** Shows a request to a tunnel and its response. */
async function showRequest({ client, out }: Context, tunnelId: string, requestId: string): Promise<void> {
  const found: TunnelRequestDetail = await client.tunnels.getRequestDetail(tunnelId, requestId);
  out.record(
    found,
    columns<TunnelRequestDetail>(
      ...REQUEST_COLUMNS,
      { header: 'REPLAY OF', value: ({ replayOf }) => replayOf },
      { header: 'REQUEST SIZE', value: ({ requestSize }) => requestSize, kind: 'size' },
      { header: 'RESPONSE SIZE', value: ({ responseSize }) => responseSize, kind: 'size' },
    ),
  );
  if (out.isJson) return;
  for (const side of ['request', 'response'] as const) {
    out.headers(side === 'request' ? 'Request' : 'Response', found[`${side}Headers`] ?? []);
    const shown = formatBody({ text: found[`${side}Body`], base64: found[`${side}BodyBase64`] });
    if (shown !== '') out.text(`\n${shown}`);
    if (found[`${side}BodyTruncated`]) out.text(out.style.dim('… only the beginning is stored'));
  }
}

export const tunnels: GroupSpec = {
  summary: 'Manage tunnels and view their requests.',
  commands: {
    list: route('tunnels.list', {
      columns: COLUMNS,
      empty: 'No tunnels yet. Open one: eds listen <port>',
      examples: { 'tunnels list': 'List tunnels, and whether a client is connected.' },
    }),
    get: route('tunnels.get', {
      summary: 'Show a tunnel with its URL.',
      examples: { 'tunnels get laptop': 'Show the tunnel named laptop.' },
      columns: columns<Tunnel>(
        ...COLUMNS,
        { header: 'PASSWORD', value: ({ basicAuth }) => (basicAuth === null ? null : `of ${basicAuth.username}`) },
        { header: 'ALLOWED', value: ({ allowedCidrs }) => allowedCidrs.join(', ') },
        'createdAt',
      ),
    }),
    create: route('tunnels.create', {
      summary: 'Create a tunnel and show its URL.',
      args: ['name'],
      without: ['basicAuth', 'testResponse'],
      options: ACCESS_OPTIONS,
      examples: {
        'tunnels create laptop': 'Create a tunnel open to everyone.',
        'tunnels create demo --basic-auth ada < password.txt': 'Require a password.',
        'tunnels create office --allow 203.0.113.0/24': 'Allow only your office’s addresses.',
        'tunnels create failing --test-receiver --status 503': 'Watch retries without your own server.',
      },
      call: async (context, { options, send }) => await send(await accessOf(context, options)),
      done: ({ name, id }) => `Created the tunnel ${name} (${id}).`,
      data: ({ url }) => url,
      after: ({ out }, { id, testResponse }) => {
        if (testResponse) out.note(`Show what it receives: eds tunnels requests ${id}`);
        else out.note(`Connect a server: eds listen <port> --tunnel ${id}`);
      },
    }),
    update: route('tunnels.update', {
      without: ['basicAuth', 'testResponse'],
      options: {
        ...ACCESS_OPTIONS,
        hasPassword: flag('--no-basic-auth', 'require no password'),
        isReceiver: flag('--no-test-receiver', 'forward to a local server again'),
      },
      examples: {
        'tunnels update laptop --name desktop': 'Rename a tunnel.',
        'tunnels update demo --no-basic-auth': 'Require no password.',
        'tunnels update office --no-allow': 'Allow requests from every address.',
      },
      call: async (context, { options, send }) => {
        const { basicAuth, testResponse } = await accessOf(context, options);
        return await send({
          basicAuth: options.hasPassword ? basicAuth : null,
          testResponse: options.isReceiver ? testResponse : null,
        });
      },
      done: ({ name }) => `Changed the tunnel ${name}.`,
    }),
    delete: route('tunnels.remove', {
      summary: 'Delete a tunnel. Its URL stops working immediately, and its client disconnects.',
      examples: { 'tunnels delete laptop --yes': 'Delete a tunnel without confirmation.' },
      confirm: ({ name, online }) =>
        `Delete the tunnel ${name} with its URL?${online ? ' A client is connected.' : ''}`,
      done: (_result, { name }) => `Deleted the tunnel ${name}.`,
    }),
    requests: command({
      operations: ['tunnels.listRequests', 'tunnels.getRequestDetail'],
      summary: 'List the requests to a tunnel, newest first, or show one with its headers and bodies.',
      details: 'The log keeps requests for seven days. Credentials in headers are redacted.',
      args: { ...TUNNEL, request: { description: 'ID of one request', isOptional: true } },
      options: {
        method: choice('--method <method>', 'only requests with this method', METHODS),
        ...optionsFrom('tunnels.listRequests', 'status', 'from', 'to'),
        ...paging,
      },
      examples: {
        'tunnels requests laptop --status 5xx': 'List requests that got a server error.',
        'tunnels requests laptop 0198c0de-…': 'Show a request and its response.',
      },
      run: async (context, { args, options }) => {
        const tunnel = await findTunnel(context, args);
        if (args.request !== undefined) return await showRequest(context, tunnel.id, args.request);
        const { limit, all, ...filters } = options;
        const rows = context.client.tunnels.listRequests(tunnel.id, { ...filters, limit: pageSize(options) });
        await context.out.list(rows, REQUEST_COLUMNS, { limit: rowLimit(options), empty: 'No requests.' });
      },
    }),
    replay: route('tunnels.replayRequest', {
      summary: 'Replay a logged request: send it through its tunnel again.',
      examples: { 'tunnels replay laptop 0198c0de-…': 'Replay a request.' },
      done: () => 'Replayed the request.',
      after: ({ out }, { requestId }, { id }) => out.note(`Show it: eds tunnels requests ${id} ${requestId}`),
    }),
  },
};
