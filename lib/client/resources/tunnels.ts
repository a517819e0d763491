import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { PageQuery } from '@/lib/platform/pagination';
import type {
  CreateTunnelBody,
  ListTunnelRequestsQuery,
  ReplayedTunnelRequest,
  Tunnel,
  TunnelRequest,
  TunnelRequestDetail,
  UpdateTunnelBody,
} from '@/lib/tunnel/schema';

const ALL = '/api/v1/projects/{projectId}/tunnels';
const ONE = `${ALL}/{tunnelId}` as const;
const URL = `${ONE}/rotate-url` as const;
const REQUESTS = `${ONE}/requests` as const;
const REQUEST = `${REQUESTS}/{requestId}` as const;
const REPLAY = `${REQUEST}/replay` as const;

/** The methods of `client.tunnels`. */
export function tunnels(api: Api) {
  return {
    /** Lists the tunnels of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Tunnel> =>
      api.list(ALL, { query }, options),
    /** Creates a tunnel, with its public URL. */
    create: (body?: Body<typeof CreateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('POST', ALL, { body }, options),
    /** Gets a tunnel. */
    get: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('GET', ONE, { ids: { tunnelId } }, options),
    /** Changes the name of a tunnel, or who may use it. */
    update: (tunnelId: string, body: Body<typeof UpdateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('PATCH', ONE, { ids: { tunnelId }, body }, options),
    /** Deletes a tunnel; its URL stops working and its client is disconnected. */
    remove: (tunnelId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { tunnelId } }, options),
    /** Gives a tunnel a new URL; the old one stops working at once. */
    rotateUrl: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('POST', URL, { ids: { tunnelId } }, options),
    /** Lists the requests to a tunnel, without headers and bodies. */
    listRequests: (
      tunnelId: string,
      query?: Query<typeof ListTunnelRequestsQuery>,
      options?: ProjectOptions,
    ): ListRequest<TunnelRequest> => api.list(REQUESTS, { ids: { tunnelId }, query }, options),
    /** Gets a request to a tunnel, with what was kept of its headers and bodies. */
    getRequest: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<TunnelRequestDetail> =>
      api.call('GET', REQUEST, { ids: { tunnelId, requestId } }, options),
    /** Sends a logged request through its tunnel again. */
    replayRequest: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<ReplayedTunnelRequest> =>
      api.call('POST', REPLAY, { ids: { tunnelId, requestId } }, options),
  };
}
