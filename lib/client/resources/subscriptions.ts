import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { CreateSubscriptionBody, Subscription, UpdateSubscriptionBody } from '@/lib/delivery/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/subscriptions';
const ONE = `${ALL}/{subscriptionId}` as const;

/** The methods of `client.subscriptions`. */
export function subscriptions(api: Api) {
  return {
    /** Lists the subscriptions of a project, or those of an endpoint. */
    list: (
      query?: Query<typeof PageQuery> & { endpointId?: string },
      options?: ProjectOptions,
    ): ListRequest<Subscription> => api.list(ALL, { query }, options),
    /** Subscribes an endpoint to events of a type. */
    create: (body: Body<typeof CreateSubscriptionBody>, options?: ProjectOptions): Promise<Subscription> =>
      api.call('POST', ALL, { body }, options),
    /** Gets a subscription. */
    get: (subscriptionId: string, options?: ProjectOptions): Promise<Subscription> =>
      api.call('GET', ONE, { ids: { subscriptionId } }, options),
    /** Changes a subscription. */
    update: (
      subscriptionId: string,
      body: Body<typeof UpdateSubscriptionBody>,
      options?: ProjectOptions,
    ): Promise<Subscription> => api.call('PATCH', ONE, { ids: { subscriptionId }, body }, options),
    /** Deletes a subscription. */
    remove: (subscriptionId: string, options?: ProjectOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { subscriptionId } }, options),
  };
}
