import { personOrKey } from '@/lib/api/callers';
import { accepted, created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf, PageQuery } from '@/lib/platform/pagination';
import {
  createTunnel,
  deleteTunnel,
  getTunnel,
  listTunnels,
  rotateTunnelUrl,
  updateTunnel,
} from '@/lib/tunnel/records/tunnels';
import { getTunnelRequest, listTunnelRequests, replayTunnelRequest } from '@/lib/tunnel/request-log/queries';
import {
  CreateTunnelBody,
  ListTunnelRequestsQuery,
  ReplayedTunnelRequest,
  Tunnel,
  TunnelRequest,
  TunnelRequestDetail,
  UpdateTunnelBody,
} from '@/lib/tunnel/schema';

const reads = personOrKey('tunnel.read', 'read');
const writes = personOrKey('tunnel.manage', 'write');

export const list = route({
  summary: 'List the tunnels of a project.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Tunnel) },
  handler: async ({ params, query }) => ok(await listTunnels(params.projectId, query)),
});

export const create = route({
  summary: 'Create a tunnel with a public URL.',
  caller: writes,
  params: ['projectId'],
  body: CreateTunnelBody,
  bodyOptional: true,
  errors: ['limit_reached'],
  response: { status: 201, schema: Tunnel },
  handler: async ({ caller, params, body }) => created(await createTunnel(caller, params.projectId, body)),
});

export const get = route({
  summary: 'Get a tunnel.',
  caller: reads,
  params: ['projectId', 'tunnelId'],
  response: { status: 200, schema: Tunnel },
  handler: async ({ params }) => ok(await getTunnel(params)),
});

export const update = route({
  summary: 'Change a tunnel’s name, or who can use it.',
  caller: writes,
  params: ['projectId', 'tunnelId'],
  body: UpdateTunnelBody,
  response: { status: 200, schema: Tunnel },
  handler: async ({ caller, params, body }) => ok(await updateTunnel(caller, params, body)),
});

export const remove = route({
  summary: 'Delete a tunnel; its URL stops working, and its client is disconnected.',
  caller: writes,
  params: ['projectId', 'tunnelId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteTunnel(caller, params);
    return noContent();
  },
});

export const rotateUrl = route({
  summary: 'Rotate the URL of a tunnel; the old one stops working immediately.',
  caller: writes,
  params: ['projectId', 'tunnelId'],
  response: { status: 200, schema: Tunnel },
  handler: async ({ caller, params }) => ok(await rotateTunnelUrl(caller, params)),
});

export const listRequests = route({
  summary: 'List the requests to a tunnel, without headers and bodies.',
  caller: reads,
  params: ['projectId', 'tunnelId'],
  query: ListTunnelRequestsQuery,
  response: { status: 200, schema: listingOf(TunnelRequest) },
  handler: async ({ caller, params, query }) => ok(await listTunnelRequests(caller, params, query)),
});

export const getRequestDetail = route({
  summary: 'Get a request to a tunnel, with its stored headers and bodies.',
  caller: reads,
  params: ['projectId', 'tunnelId', 'requestId'],
  errors: ['rate_limited'],
  response: { status: 200, schema: TunnelRequestDetail },
  // Node writes large content in slices.
  servedBy: 'node',
  handler: async ({ caller, params }) => ok(await getTunnelRequest(caller, params)),
});

export const replayRequest = route({
  summary: 'Replay a logged request through its tunnel.',
  caller: writes,
  params: ['projectId', 'tunnelId', 'requestId'],
  errors: ['request_not_kept', 'tunnel_offline', 'tunnel_failed', 'tunnel_timeout', 'tunnel_busy'],
  response: { status: 202, schema: ReplayedTunnelRequest },
  handler: async ({ params }) => accepted(await replayTunnelRequest(params)),
});
