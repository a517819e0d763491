import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  CreateDestinationBody,
  CreateReplayBody,
  CreateSourceBody,
  Destination,
  DestinationSecret,
  IncomingEvent,
  IncomingEventDetail,
  ListIncomingEventsQuery,
  Replay,
  ReplayedIncomingEvent,
  ReplayIncomingEventBody,
  RotateSourceSecretBody,
  RotateSourceUrlBody,
  Source,
  SourceSecret,
  UpdateDestinationBody,
  UpdateSourceBody,
} from '@/lib/incoming/schema';
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

/** The methods of `client.sources`. */
export function sources(api: Api) {
  const all = '/api/v1/projects/{projectId}/sources';
  const one = `${all}/{sourceId}` as const;
  return {
    /** Lists the sources of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Source> =>
      api.list(all, { query }, options),
    /** Creates a source, with the URL that its provider posts to. */
    create: (body: Body<typeof CreateSourceBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('POST', all, { body }, options),
    /** Gets a source. */
    get: (sourceId: string, options?: ProjectOptions): Promise<Source> =>
      api.call('GET', one, { ids: { sourceId } }, options),
    /** Changes a source. */
    update: (sourceId: string, body: Body<typeof UpdateSourceBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('PATCH', one, { ids: { sourceId }, body }, options),
    /** Deletes a source and its destinations; its URL stops working at once. */
    remove: (sourceId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { sourceId } }, options),
    /** Reveals the secret that the requests of a source are signed with. */
    getSecret: (sourceId: string, options?: ProjectOptions): Promise<SourceSecret> =>
      api.call('GET', `${one}/secret`, { ids: { sourceId } }, options),
    /** Replaces the secret of a source; the old one stays valid for 24 hours. */
    rotateSecret: (
      sourceId: string,
      body?: Body<typeof RotateSourceSecretBody>,
      options?: ProjectOptions,
    ): Promise<SourceSecret> => api.call('POST', `${one}/rotate-secret`, { ids: { sourceId }, body }, options),
    /** Gives a source a new URL; the old one works for a grace period. */
    rotateUrl: (sourceId: string, body?: Body<typeof RotateSourceUrlBody>, options?: ProjectOptions): Promise<Source> =>
      api.call('POST', `${one}/rotate-url`, { ids: { sourceId }, body }, options),
  };
}

/** The methods of `client.destinations`. */
export function destinations(api: Api) {
  const all = '/api/v1/projects/{projectId}/sources/{sourceId}/destinations';
  const one = `${all}/{destinationId}` as const;
  const secret = `${one}/secret` as const;
  const rotate = `${one}/rotate-secret` as const;
  return {
    /** Lists the destinations of a source. */
    list: (sourceId: string, query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Destination> =>
      api.list(all, { ids: { sourceId }, query }, options),
    /** Creates a destination. */
    create: (
      sourceId: string,
      body: Body<typeof CreateDestinationBody>,
      options?: ProjectOptions,
    ): Promise<Destination> => api.call('POST', all, { ids: { sourceId }, body }, options),
    /** Gets a destination. */
    get: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<Destination> =>
      api.call('GET', one, { ids: { sourceId, destinationId } }, options),
    /** Changes a destination. */
    update: (
      sourceId: string,
      destinationId: string,
      body: Body<typeof UpdateDestinationBody>,
      options?: ProjectOptions,
    ): Promise<Destination> => api.call('PATCH', one, { ids: { sourceId, destinationId }, body }, options),
    /** Deletes a destination. */
    remove: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { sourceId, destinationId } }, options),
    /** Reveals the secret that forwarded requests are signed with. */
    getSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<DestinationSecret> =>
      api.call('GET', secret, { ids: { sourceId, destinationId } }, options),
    /** Replaces the signing secret. */
    rotateSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<DestinationSecret> =>
      api.call('POST', rotate, { ids: { sourceId, destinationId } }, options),
    /** Removes the signing secret. */
    removeSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', secret, { ids: { sourceId, destinationId } }, options),
  };
}

/** The methods of `client.incomingEvents`. */
export function incomingEvents(api: Api) {
  const all = '/api/v1/projects/{projectId}/incoming-events';
  const one = `${all}/{incomingEventId}` as const;
  const replay = `${one}/replay` as const;
  return {
    /** Lists the incoming events of a project, newest first. */
    list: (query?: Query<typeof ListIncomingEventsQuery>, options?: ProjectOptions): ListRequest<IncomingEvent> =>
      api.list(all, { query }, options),
    /** Gets an incoming event with its headers. */
    get: (incomingEventId: string, options?: ProjectOptions): Promise<IncomingEventDetail> =>
      api.call('GET', one, { ids: { incomingEventId } }, options),
    /** Gets the body of an incoming event, byte for byte. */
    getBody: (incomingEventId: string, options?: ProjectOptions): Promise<Response> =>
      api.download(`${one}/body`, { ids: { incomingEventId } }, options),
    /** Sends an incoming event to its destinations again. */
    replay: (
      incomingEventId: string,
      body?: Body<typeof ReplayIncomingEventBody>,
      options?: ProjectOptions,
    ): Promise<ReplayedIncomingEvent> => api.call('POST', replay, { ids: { incomingEventId }, body }, options),
  };
}

/** The methods of `client.replays`. */
export function replays(api: Api) {
  const all = '/api/v1/projects/{projectId}/incoming-event-replays';
  const one = `${all}/{replayId}` as const;
  return {
    /** Lists the replays of a project, newest first. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Replay> =>
      api.list(all, { query }, options),
    /** Forwards the incoming events of a source and a time range again. */
    create: (body: Body<typeof CreateReplayBody>, options?: ProjectOptions): Promise<Replay> =>
      api.call('POST', all, { body }, options),
    /** Gets a replay with its progress. */
    get: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
      api.call('GET', one, { ids: { replayId } }, options),
    /** Cancels a replay. */
    cancel: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
      api.call('POST', `${one}/cancel`, { ids: { replayId } }, options),
  };
}

/** The methods of `client.tunnels`. */
export function tunnels(api: Api) {
  const all = '/api/v1/projects/{projectId}/tunnels';
  const one = `${all}/{tunnelId}` as const;
  const url = `${one}/rotate-url` as const;
  const requests = `${one}/requests` as const;
  const request = `${requests}/{requestId}` as const;
  const replay = `${request}/replay` as const;
  return {
    /** Lists the tunnels of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Tunnel> =>
      api.list(all, { query }, options),
    /** Creates a tunnel, with its public url. */
    create: (body?: Body<typeof CreateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('POST', all, { body }, options),
    /** Gets a tunnel. */
    get: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('GET', one, { ids: { tunnelId } }, options),
    /** Changes the name of a tunnel, or who may use it. */
    update: (tunnelId: string, body: Body<typeof UpdateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('PATCH', one, { ids: { tunnelId }, body }, options),
    /** Deletes a tunnel; its url stops working and its client is disconnected. */
    remove: (tunnelId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { tunnelId } }, options),
    /** Gives a tunnel a new url; the old one stops working at once. */
    rotateUrl: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
      api.call('POST', url, { ids: { tunnelId } }, options),
    /** Lists the requests to a tunnel, without headers and bodies. */
    listRequests: (
      tunnelId: string,
      query?: Query<typeof ListTunnelRequestsQuery>,
      options?: ProjectOptions,
    ): ListRequest<TunnelRequest> => api.list(requests, { ids: { tunnelId }, query }, options),
    /** Gets a request to a tunnel, with what was kept of its headers and bodies. */
    getRequestDetail: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<TunnelRequestDetail> =>
      api.call('GET', request, { ids: { tunnelId, requestId } }, options),
    /** Sends a logged request through its tunnel again. */
    replayRequest: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<ReplayedTunnelRequest> =>
      api.call('POST', replay, { ids: { tunnelId, requestId } }, options),
  };
}
