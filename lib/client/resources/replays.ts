import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { CreateReplayBody, Replay } from '@/lib/incoming/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/incoming-event-replays';
const ONE = `${ALL}/{replayId}` as const;

/** The methods of `client.replays`. */
export function replays(api: Api) {
  return {
    /** Lists the replays of a project, newest first. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Replay> =>
      api.list(ALL, { query }, options),
    /** Forwards the incoming events of a source and a time range again. */
    create: (body: Body<typeof CreateReplayBody>, options?: ProjectOptions): Promise<Replay> =>
      api.call('POST', ALL, { body }, options),
    /** Gets a replay with its progress. */
    get: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
      api.call('GET', ONE, { ids: { replayId } }, options),
    /** Cancels a replay. */
    cancel: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
      api.call('POST', `${ONE}/cancel`, { ids: { replayId } }, options),
  };
}
