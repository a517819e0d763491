import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions, SendOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { EventDetail } from '@/lib/delivery/schema';
import type { EventListItem, EventSummary, EventTypes, ListEventsQuery, SendEventBody } from '@/lib/events/schema';

const ALL = '/api/v1/projects/{projectId}/events';

/** An event to send. */
export interface NewEvent extends Omit<Body<typeof SendEventBody>, 'data'> {
  /** Any object that JSON can represent, at most 256 KiB. */
  data: object;
}

/** The methods of `client.events`. */
export function events(api: Api) {
  return {
    /** Sends an event to the project of the API key. A repeated attempt stores it once. */
    send: (body: NewEvent, options?: SendOptions): Promise<EventSummary> =>
      api.call(
        'POST',
        '/api/v1/events',
        { body, isRepeatable: true, idempotencyKey: options?.idempotencyKey, needs: ['id'] },
        options,
      ),
    /** Sends an event to a project. A repeated attempt stores it once. */
    sendToProject: (body: NewEvent, options?: ProjectOptions & SendOptions): Promise<EventSummary> =>
      api.call(
        'POST',
        ALL,
        { body, isRepeatable: true, idempotencyKey: options?.idempotencyKey, needs: ['id'] },
        options,
      ),
    /** Lists the events of a project, newest first, without their data. */
    list: (query?: Query<typeof ListEventsQuery>, options?: ProjectOptions): ListRequest<EventListItem> =>
      api.list(ALL, { query }, options),
    /** Lists the types of the events that a project has, at most 200. */
    listTypes: (options?: ProjectOptions): Promise<EventTypes> =>
      api.call('GET', '/api/v1/projects/{projectId}/event-types', {}, options),
    /** Gets an event with its data and deliveries. */
    get: (eventId: string, options?: ProjectOptions): Promise<EventDetail> =>
      api.call('GET', `${ALL}/{eventId}`, { ids: { eventId } }, options),
  };
}
