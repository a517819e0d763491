import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Query } from '@/lib/client/query';
import type {
  Attempt,
  AttemptDetail,
  CountDeliveriesQuery,
  Delivery,
  DeliveryCount,
  ListDeliveriesQuery,
} from '@/lib/delivery/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/deliveries';
const ONE = `${ALL}/{deliveryId}` as const;

/** The methods of `client.deliveries`. */
export function deliveries(api: Api) {
  return {
    /** Lists the deliveries of a project, newest first. */
    list: (query?: Query<typeof ListDeliveriesQuery>, options?: ProjectOptions): ListRequest<Delivery> =>
      api.list(ALL, { query }, options),
    /** Counts the deliveries of a project that match. */
    count: (query?: Query<typeof CountDeliveriesQuery>, options?: ProjectOptions): Promise<DeliveryCount> =>
      api.call('GET', '/api/v1/projects/{projectId}/delivery-count', { query }, options),
    /** Gets a delivery. */
    get: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
      api.call('GET', ONE, { ids: { deliveryId } }, options),
    /** Lists the attempts of a delivery, newest first. */
    listAttempts: (
      deliveryId: string,
      query?: Query<typeof PageQuery>,
      options?: ProjectOptions,
    ): ListRequest<Attempt> => api.list(`${ONE}/attempts`, { ids: { deliveryId }, query }, options),
    /** Gets an attempt with its request as it was sent. */
    getAttempt: (deliveryId: string, attemptId: string, options?: ProjectOptions): Promise<AttemptDetail> =>
      api.call('GET', `${ONE}/attempts/{attemptId}`, { ids: { deliveryId, attemptId } }, options),
    /** Queues a delivery again. */
    retry: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
      api.call('POST', `${ONE}/retry`, { ids: { deliveryId } }, options),
  };
}
