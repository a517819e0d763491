import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  CreateDestinationBody,
  Destination,
  DestinationSecret,
  UpdateDestinationBody,
} from '@/lib/incoming/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/sources/{sourceId}/destinations';
const ONE = `${ALL}/{destinationId}` as const;
const SECRET = `${ONE}/secret` as const;
const ROTATE = `${ONE}/rotate-secret` as const;

/** The methods of `client.destinations`. */
export function destinations(api: Api) {
  return {
    /** Lists the destinations of a source. */
    list: (sourceId: string, query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Destination> =>
      api.list(ALL, { ids: { sourceId }, query }, options),
    /** Creates a destination. */
    create: (
      sourceId: string,
      body: Body<typeof CreateDestinationBody>,
      options?: ProjectOptions,
    ): Promise<Destination> => api.call('POST', ALL, { ids: { sourceId }, body }, options),
    /** Gets a destination. */
    get: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<Destination> =>
      api.call('GET', ONE, { ids: { sourceId, destinationId } }, options),
    /** Changes a destination. */
    update: (
      sourceId: string,
      destinationId: string,
      body: Body<typeof UpdateDestinationBody>,
      options?: ProjectOptions,
    ): Promise<Destination> => api.call('PATCH', ONE, { ids: { sourceId, destinationId }, body }, options),
    /** Deletes a destination. */
    remove: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { sourceId, destinationId } }, options),
    /** Reveals the secret that forwarded requests are signed with. */
    getSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<DestinationSecret> =>
      api.call('GET', SECRET, { ids: { sourceId, destinationId } }, options),
    /** Replaces the signing secret. */
    rotateSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<DestinationSecret> =>
      api.call('POST', ROTATE, { ids: { sourceId, destinationId } }, options),
    /** Removes the signing secret. */
    removeSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', SECRET, { ids: { sourceId, destinationId } }, options),
  };
}
