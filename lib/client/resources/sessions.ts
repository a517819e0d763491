import type { CloseSessionsQuery, Session } from '@/lib/auth/schema';
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Query } from '@/lib/client/query';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/auth/sessions';

/** The methods of `client.sessions`. */
export function sessions(api: Api) {
  return {
    /** Lists the open sessions of the person. */
    list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Session> =>
      api.list(ALL, { query }, options),
    /** Closes a session; its tokens stop working at once. */
    close: (sessionId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', `${ALL}/{sessionId}`, { ids: { sessionId } }, options),
    /** Closes every session of the person, or all except the current one. */
    closeAll: (query?: Query<typeof CloseSessionsQuery>, options?: CallOptions): Promise<void> =>
      api.run('DELETE', ALL, { query }, options),
  };
}
