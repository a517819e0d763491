import type { Api } from '@/lib/client/api';
import type { ProjectOptions } from '@/lib/client/options';
import type { Query } from '@/lib/client/query';
import type { EndpointHealthList, EndpointHealthQuery, ProjectStats, StatsQuery } from '@/lib/stats/schema';

const PROJECT = '/api/v1/projects/{projectId}';

/** The methods of `client.stats`. */
export function stats(api: Api) {
  return {
    /** Gets what a project sent and received in a range of time. */
    get: (query?: Query<typeof StatsQuery>, options?: ProjectOptions): Promise<ProjectStats> =>
      api.call('GET', `${PROJECT}/stats`, { query }, options),
    /** Gets the last 24 hours and the last ten deliveries of endpoints. */
    listEndpointHealth: (
      query: Query<typeof EndpointHealthQuery>,
      options?: ProjectOptions,
    ): Promise<EndpointHealthList> => api.call('GET', `${PROJECT}/endpoint-health`, { query }, options),
  };
}
