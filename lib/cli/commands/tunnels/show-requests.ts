import { choice, paging, text, time } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findTunnel, TUNNEL } from './find-tunnel';
import { showRequest } from './show-request';
import { REQUEST_COLUMNS } from './tunnel-columns';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const showRequests = command({
  name: 'requests',
  summary: 'List the requests to a tunnel, newest first, or show one with its headers and bodies.',
  details: 'The log keeps requests for seven days. Credentials in headers are redacted.',
  args: { tunnel: TUNNEL, request: { description: 'ID of one request', isOptional: true } },
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
    const rows = context.client.tunnels.listRequests(tunnel.id, query, await projectOptions(context));
    const empty = 'No requests.';
    await context.out.list(rows, REQUEST_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
