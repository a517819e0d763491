import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  IncomingEvent,
  IncomingEventDetail,
  ListIncomingEventsQuery,
  ReplayedIncomingEvent,
  ReplayIncomingEventBody,
} from '@/lib/incoming/schema';

const ALL = '/api/v1/projects/{projectId}/incoming-events';
const ONE = `${ALL}/{incomingEventId}` as const;
const BODY = `${ONE}/body` as const;
const REPLAY = `${ONE}/replay` as const;

/** The methods of `client.incomingEvents`. */
export function incomingEvents(api: Api) {
  return {
    /** Lists the incoming events of a project, newest first. */
    list: (query?: Query<typeof ListIncomingEventsQuery>, options?: ProjectOptions): ListRequest<IncomingEvent> =>
      api.list(ALL, { query }, options),
    /** Gets an incoming event with its headers. */
    get: (incomingEventId: string, options?: ProjectOptions): Promise<IncomingEventDetail> =>
      api.call('GET', ONE, { ids: { incomingEventId } }, options),
    /** Gets the body of an incoming event, byte for byte. */
    getBody: (incomingEventId: string, options?: ProjectOptions): Promise<Response> =>
      api.download(BODY, { ids: { incomingEventId } }, options),
    /** Sends an incoming event to its destinations again. */
    replay: (
      incomingEventId: string,
      body?: Body<typeof ReplayIncomingEventBody>,
      options?: ProjectOptions,
    ): Promise<ReplayedIncomingEvent> => api.call('POST', REPLAY, { ids: { incomingEventId }, body }, options),
  };
}
