import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { ProjectOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { BulkRetry, CreateBulkRetryBody } from '@/lib/delivery/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/projects/{projectId}/bulk-retries';
const ONE = `${ALL}/{bulkRetryId}` as const;

/** The methods of `client.bulkRetries`. */
export function bulkRetries(api: Api) {
  return {
    /** Lists the bulk retries of a project, newest first. */
    list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<BulkRetry> =>
      api.list(ALL, { query }, options),
    /** Retries the deliveries that match, in the background. By default those that have failed. */
    create: (body?: Body<typeof CreateBulkRetryBody>, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('POST', ALL, { body: body ?? {} }, options),
    /** Gets a bulk retry with its progress. */
    get: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('GET', ONE, { ids: { bulkRetryId } }, options),
    /** Cancels a bulk retry. */
    cancel: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
      api.call('POST', `${ONE}/cancel`, { ids: { bulkRetryId } }, options),
  };
}
