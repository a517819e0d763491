import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  CreateEndpointBody,
  Endpoint,
  EndpointSecret,
  TestEndpointBody,
  TestResult,
  UpdateEndpointBody,
} from '@/lib/delivery/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/endpoints';
const ONE = `${ALL}/{endpointId}` as const;

/** The methods of `client.endpoints`. */
export function endpoints(api: Api) {
  return {
    /** Lists the endpoints of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Endpoint> =>
      api.list(ALL, { query }, options),
    /** Creates an endpoint. */
    create: (body: Body<typeof CreateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('POST', ALL, { body }, options),
    /** Gets an endpoint. */
    get: (endpointId: string, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('GET', ONE, { ids: { endpointId } }, options),
    /** Changes an endpoint. */
    update: (endpointId: string, body: Body<typeof UpdateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('PATCH', ONE, { ids: { endpointId }, body }, options),
    /** Deletes an endpoint. */
    remove: (endpointId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { endpointId } }, options),
    /** Reveals the secret that requests to the endpoint are signed with. */
    getSecret: (endpointId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
      api.call('GET', `${ONE}/secret`, { ids: { endpointId } }, options),
    /** Replaces the signing secret; the old one stays valid for a while. */
    rotateSecret: (endpointId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
      api.call('POST', `${ONE}/rotate-secret`, { ids: { endpointId } }, options),
    /** Sends a test event to the endpoint, by default a message of the service. */
    test: (endpointId: string, body?: Body<typeof TestEndpointBody>, options?: ProjectOptions): Promise<TestResult> =>
      api.call('POST', `${ONE}/test`, { ids: { endpointId }, body }, options),
  };
}
