import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions, SendOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type {
  Attempt,
  AttemptDetail,
  BulkRetry,
  CountDeliveriesQuery,
  CreateBulkRetryBody,
  CreateEndpointBody,
  CreateSubscriptionBody,
  Delivery,
  DeliveryCount,
  Endpoint,
  EndpointSecret,
  EventDetail,
  ListDeliveriesQuery,
  Subscription,
  TestEndpointBody,
  TestResult,
  UpdateEndpointBody,
  UpdateSubscriptionBody,
} from '@/lib/delivery/schema';
import type { EventListItem, EventSummary, EventTypes, ListEventsQuery, SendEventBody } from '@/lib/events/schema';
import type { PageQuery } from '@/lib/platform/pagination';
import type { EndpointHealthList, EndpointHealthQuery, ProjectStats, StatsQuery } from '@/lib/stats/schema';

/** An event to send. */
export interface NewEvent extends Omit<Body<typeof SendEventBody>, 'data'> {
  /** Any object that JSON can represent, at most 256 KiB. */
  data: object;
}

/** The methods of `client.events`. */
export function events(api: Api) {
  const all = '/api/v1/projects/{projectId}/events';
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
        all,
        { body, isRepeatable: true, idempotencyKey: options?.idempotencyKey, needs: ['id'] },
        options,
      ),
    /** Lists the events of a project, newest first, without their data. */
    list: (query?: Query<typeof ListEventsQuery>, options?: ProjectOptions): ListRequest<EventListItem> =>
      api.list(all, { query }, options),
    /** Lists the types of the events that a project has, at most 200. */
    listTypes: (options?: ProjectOptions): Promise<EventTypes> =>
      api.call('GET', '/api/v1/projects/{projectId}/event-types', {}, options),
    /** Gets an event with its data and deliveries. */
    get: (eventId: string, options?: ProjectOptions): Promise<EventDetail> =>
      api.call('GET', `${all}/{eventId}`, { ids: { eventId } }, options),
  };
}

/** The methods of `client.deliveries`. */
export function deliveries(api: Api) {
  const all = '/api/v1/projects/{projectId}/deliveries';
  const one = `${all}/{deliveryId}` as const;
  return {
    /** Lists the deliveries of a project, newest first. */
    list: (query?: Query<typeof ListDeliveriesQuery>, options?: ProjectOptions): ListRequest<Delivery> =>
      api.list(all, { query }, options),
    /** Counts the deliveries of a project that match. */
    count: (query?: Query<typeof CountDeliveriesQuery>, options?: ProjectOptions): Promise<DeliveryCount> =>
      api.call('GET', '/api/v1/projects/{projectId}/delivery-count', { query }, options),
    /** Gets a delivery. */
    get: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
      api.call('GET', one, { ids: { deliveryId } }, options),
    /** Lists the attempts of a delivery, newest first. */
    listAttempts: (
      deliveryId: string,
      query?: Query<typeof PageQuery>,
      options?: ProjectOptions,
    ): ListRequest<Attempt> => api.list(`${one}/attempts`, { ids: { deliveryId }, query }, options),
    /** Gets an attempt with its request as it was sent. */
    getAttempt: (deliveryId: string, attemptId: string, options?: ProjectOptions): Promise<AttemptDetail> =>
      api.call('GET', `${one}/attempts/{attemptId}`, { ids: { deliveryId, attemptId } }, options),
    /** Queues a delivery again. */
    retry: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
      api.call('POST', `${one}/retry`, { ids: { deliveryId } }, options),
  };
}

/** The methods of `client.bulkRetries`. */
export function bulkRetries(api: Api) {
  const all = '/api/v1/projects/{projectId}/bulk-retries';
  const one = `${all}/{bulkRetryId}` as const;
  return {
    /** Lists the bulk retries of a project, newest first. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<BulkRetry> =>
      api.list(all, { query }, options),
    /** Retries the deliveries that match, in the background. By default those that have failed. */
    create: (body?: Body<typeof CreateBulkRetryBody>, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('POST', all, { body: body ?? {} }, options),
    /** Gets a bulk retry with its progress. */
    get: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('GET', one, { ids: { bulkRetryId } }, options),
    /** Cancels a bulk retry. */
    cancel: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('POST', `${one}/cancel`, { ids: { bulkRetryId } }, options),
  };
}

/** The methods of `client.endpoints`. */
export function endpoints(api: Api) {
  const all = '/api/v1/projects/{projectId}/endpoints';
  const one = `${all}/{endpointId}` as const;
  return {
    /** Lists the endpoints of a project. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Endpoint> =>
      api.list(all, { query }, options),
    /** Creates an endpoint. */
    create: (body: Body<typeof CreateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('POST', all, { body }, options),
    /** Gets an endpoint. */
    get: (endpointId: string, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('GET', one, { ids: { endpointId } }, options),
    /** Changes an endpoint. */
    update: (endpointId: string, body: Body<typeof UpdateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
      api.call('PATCH', one, { ids: { endpointId }, body }, options),
    /** Deletes an endpoint. */
    remove: (endpointId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { endpointId } }, options),
    /** Reveals the secret that requests to the endpoint are signed with. */
    getSecret: (endpointId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
      api.call('GET', `${one}/secret`, { ids: { endpointId } }, options),
    /** Replaces the signing secret; the old one stays valid for a while. */
    rotateSecret: (endpointId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
      api.call('POST', `${one}/rotate-secret`, { ids: { endpointId } }, options),
    /** Sends a test event to the endpoint, by default a message of the service. */
    test: (endpointId: string, body?: Body<typeof TestEndpointBody>, options?: ProjectOptions): Promise<TestResult> =>
      api.call('POST', `${one}/test`, { ids: { endpointId }, body }, options),
  };
}

/** The methods of `client.subscriptions`. */
export function subscriptions(api: Api) {
  const all = '/api/v1/projects/{projectId}/subscriptions';
  const one = `${all}/{subscriptionId}` as const;
  return {
    /** Lists the subscriptions of a project, or those of an endpoint. */
    list: (
      query?: Query<typeof PageQuery> & { endpointId?: string },
      options?: ProjectOptions,
    ): ListRequest<Subscription> => api.list(all, { query }, options),
    /** Subscribes an endpoint to events of a type. */
    create: (body: Body<typeof CreateSubscriptionBody>, options?: ProjectOptions): Promise<Subscription> =>
      api.call('POST', all, { body }, options),
    /** Gets a subscription. */
    get: (subscriptionId: string, options?: ProjectOptions): Promise<Subscription> =>
      api.call('GET', one, { ids: { subscriptionId } }, options),
    /** Changes a subscription. */
    update: (
      subscriptionId: string,
      body: Body<typeof UpdateSubscriptionBody>,
      options?: ProjectOptions,
    ): Promise<Subscription> => api.call('PATCH', one, { ids: { subscriptionId }, body }, options),
    /** Deletes a subscription. */
    remove: (subscriptionId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', one, { ids: { subscriptionId } }, options),
  };
}

/** The methods of `client.stats`. */
export function stats(api: Api) {
  const project = '/api/v1/projects/{projectId}';
  return {
    /** Gets what a project sent and received in a range of time. */
    get: (query?: Query<typeof StatsQuery>, options?: ProjectOptions): Promise<ProjectStats> =>
      api.call('GET', `${project}/stats`, { query }, options),
    /** Gets the last 24 hours and the last ten deliveries of endpoints. */
    listEndpointHealth: (
      query: Query<typeof EndpointHealthQuery>,
      options?: ProjectOptions,
    ): Promise<EndpointHealthList> => api.call('GET', `${project}/endpoint-health`, { query }, options),
  };
}
