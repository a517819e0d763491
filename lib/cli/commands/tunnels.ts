import { usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-input';
import { choice, flag, integer, paging, text, texts, time } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { formatBody } from '@/lib/cli/output/format-body';
import { sanitize } from '@/lib/cli/output/sanitize';
import { findByName } from '@/lib/cli/session/choose';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { deleteCommand, getCommand, listCommand } from './resource';

/** The service knows what a test receiver waits at most. */
const DELAYS = { min: 0, max: 999 };
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The argument that names a tunnel. */
const TUNNEL = { tunnel: { description: 'ID or name of the tunnel' } };

const COLUMNS: Column<Tunnel>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'LAST SEEN', value: ({ lastSeenAt }) => lastSeenAt, kind: 'time', spare: 1 },
];

const REQUEST_COLUMNS: Column<TunnelRequest>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'METHOD', value: ({ method }) => method },
  { header: 'PATH', value: ({ path }) => path, kind: 'url' },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => durationMs, kind: 'duration', spare: 1 },
  { header: 'ERROR', value: ({ error }) => error, spare: 2 },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', spare: 3 },
];

const REQUEST_FIELDS: Column<TunnelRequestDetail>[] = [
  ...REQUEST_COLUMNS,
  { header: 'REPLAY OF', value: ({ replayOf }) => replayOf },
  { header: 'REQUEST SIZE', value: ({ requestSize }) => requestSize, kind: 'size' },
  { header: 'RESPONSE SIZE', value: ({ responseSize }) => responseSize, kind: 'size' },
];

function stateOf({ testResponse, online }: Tunnel): string {
  if (testResponse) return `answers ${testResponse.status}`;
  return online ? 'online' : 'offline';
}

/** Returns the tunnel of the project with an id or a name. @throws CliError when there is none */
export async function findTunnel(context: Context, given: string): Promise<Tunnel> {
  const { tunnels } = context.client;
  const options = await context.projectOptions();
  return await findByName(given, {
    kind: 'tunnel',
    list: 'eds tunnels list',
    get: (id) => tunnels.get(id, options),
    all: () => tunnels.list({ limit: 100 }, options),
  });
}

const listTunnels = listCommand({
  summary: 'List the tunnels of the project.',
  within: 'project',
  columns: COLUMNS,
  empty: 'No tunnels yet. Open one: eds listen <port>',
  examples: [{ line: 'tunnels list', does: 'List tunnels, and whether a client is connected.' }],
  rows: ({ client }, { page, call }) => client.tunnels.list(page, call),
});

const getTunnel = getCommand({
  summary: 'Show a tunnel with its URL.',
  args: TUNNEL,
  examples: [{ line: 'tunnels get laptop', does: 'Show the tunnel named laptop.' }],
  find: (context, { tunnel }) => findTunnel(context, tunnel),
  fields: [
    ...COLUMNS,
    { header: 'PASSWORD', value: ({ basicAuth }) => (basicAuth === null ? null : `of ${basicAuth.username}`) },
    { header: 'ALLOWED', value: ({ allowedCidrs }) => allowedCidrs.join(', ') },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ],
});

const createTunnel = command({
  name: 'create',
  summary: 'Create a tunnel and show its URL.',
  args: { name: { description: 'name of the tunnel (default: generated)', isOptional: true } },
  options: {
    basicAuth: text('--basic-auth <username>', `require this username and a password, ${FROM_WHERE}`),
    allow: texts('--allow <cidr>', 'allow only this IP address or range (repeatable)'),
    testReceiver: flag('--test-receiver', 'create a test receiver: the service responds, without a local server'),
    status: integer('--status <code>', 'status code of a test receiver’s responses (default 200)', {
      min: 200,
      max: 599,
    }),
    delay: integer('--delay <seconds>', 'how long a test receiver waits before it responds (default 0)', DELAYS),
  },
  examples: [
    { line: 'tunnels create laptop', does: 'Create a tunnel open to everyone.' },
    { line: 'tunnels create demo --basic-auth ada < password.txt', does: 'Require a password.' },
    { line: 'tunnels create office --allow 203.0.113.0/24', does: 'Allow only your office’s addresses.' },
    { line: 'tunnels create failing --test-receiver --status 503', does: 'Watch retries without your own server.' },
  ],
  run: async (context, { args, options }) => {
    const { basicAuth: username, allow: allowedCidrs, testReceiver, status, delay } = options;
    if (!testReceiver && (status !== undefined || delay !== undefined))
      throw usageError('Use --status and --delay with --test-receiver.');
    const password = username === undefined ? null : await readSecret(context, 'the password');
    const body = {
      name: args.name,
      allowedCidrs,
      ...(testReceiver ? { testResponse: { status: status ?? 200, delaySeconds: delay ?? 0 } } : {}),
      ...(username === undefined || password === null ? {} : { basicAuth: { username, password } }),
    };
    const tunnel = await context.client.tunnels.create(body, await context.projectOptions());
    context.out.done(tunnel, `Created the tunnel ${tunnel.name} (${tunnel.id}).`, tunnel.url ?? undefined);
    if (context.out.isJson) return;
    if (testReceiver) context.out.note(`Show what it receives: eds tunnels requests ${tunnel.id}`);
    else context.out.note(`Connect a server: eds listen <port> --tunnel ${tunnel.id}`);
  },
});

const deleteTunnel = deleteCommand({
  summary: 'Delete a tunnel. Its URL stops working immediately, and its client disconnects.',
  args: TUNNEL,
  examples: [{ line: 'tunnels delete laptop --yes', does: 'Delete a tunnel without confirmation.' }],
  find: (context, { tunnel }) => findTunnel(context, tunnel),
  question: ({ name, online }) => `Delete the tunnel ${name} with its URL?${online ? ' A client is connected.' : ''}`,
  remove: (client, { id }, project) => client.tunnels.remove(id, project),
  done: ({ name }) => `Deleted the tunnel ${name}.`,
});

const showRequests = command({
  name: 'requests',
  summary: 'List the requests to a tunnel, newest first, or show one with its headers and bodies.',
  details: 'The log keeps requests for seven days. Credentials in headers are redacted.',
  args: { ...TUNNEL, request: { description: 'ID of one request', isOptional: true } },
  options: {
    method: choice('--method <method>', 'only requests with this method', METHODS),
    status: text('--status <status>', 'only requests with this response status, a class such as `4xx`, or `none`'),
    from: time('--from <time>', 'only requests since this time'),
    to: time('--to <time>', 'only requests until this time'),
    ...paging,
  },
  examples: [
    { line: 'tunnels requests laptop --status 5xx', does: 'List requests that got a server error.' },
    { line: 'tunnels requests laptop 0198c0de-…', does: 'Show a request and its response.' },
  ],
  run: async (context, { args, options }) => {
    const tunnel = await findTunnel(context, args.tunnel);
    if (args.request !== undefined) return await showRequest(context, tunnel.id, args.request);
    const { method, status, from, to } = options;
    const query = { method, status, from, to, limit: context.pageSize(options) };
    const rows = context.client.tunnels.listRequests(tunnel.id, query, await context.projectOptions());
    await context.out.list(rows, REQUEST_COLUMNS, { limit: context.rowLimit(options), empty: 'No requests.' });
  },
});

/** Shows a request to a tunnel and its response. */
async function showRequest(context: Context, tunnelId: string, requestId: string): Promise<void> {
  const { out } = context;
  const found = await context.client.tunnels.getRequest(tunnelId, requestId, await context.projectOptions());
  out.record(found, REQUEST_FIELDS);
  if (out.isJson) return;
  const { requestHeaders, requestBody, requestBodyBase64, requestBodyTruncated } = found;
  showMessage(context, 'Request', requestHeaders, {
    text: requestBody,
    base64: requestBodyBase64,
    isTruncated: requestBodyTruncated,
  });
  const { responseHeaders, responseBody, responseBodyBase64, responseBodyTruncated } = found;
  showMessage(context, 'Response', responseHeaders, {
    text: responseBody,
    base64: responseBodyBase64,
    isTruncated: responseBodyTruncated,
  });
}

function showMessage(
  { out }: Context,
  title: string,
  headers: TunnelRequestDetail['requestHeaders'],
  body: { text: string | null; base64: string | null; isTruncated: boolean },
): void {
  const { bold, dim } = out.style;
  out.text(`\n${bold(title)}`);
  for (const [name, value] of headers ?? []) out.text(`${dim(`${sanitize(name)}:`)} ${sanitize(value)}`);
  const shown = formatBody(body);
  if (shown !== '') out.text(`\n${shown}`);
  if (body.isTruncated) out.text(dim('… only the beginning is stored'));
}

const replayRequest = command({
  name: 'replay',
  summary: 'Send a logged request through its tunnel again.',
  args: { ...TUNNEL, request: { description: 'ID of the request' } },
  examples: [{ line: 'tunnels replay laptop 0198c0de-…', does: 'Repeat a request.' }],
  run: async (context, { args }) => {
    const { id } = await findTunnel(context, args.tunnel);
    const replayed = await context.client.tunnels.replayRequest(id, args.request, await context.projectOptions());
    context.out.done(replayed, 'Sent the request again.');
    if (!context.out.isJson) context.out.note(`Show it: eds tunnels requests ${id} ${replayed.requestId}`);
  },
});

export const tunnels: GroupSpec = {
  name: 'tunnels',
  summary: 'Manage tunnels and view their requests.',
  commands: [listTunnels, getTunnel, createTunnel, deleteTunnel, showRequests, replayRequest],
};
