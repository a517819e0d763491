import { personOrKey } from '@/lib/api/callers';
import { resolveCustomer } from '@/lib/customers/customers';
import {
  cancelBulkRetry,
  createBulkRetry,
  getBulkRetry,
  listBulkRetries,
} from '@/lib/delivery/bulk-retries/bulk-retries';
import { BulkRetry, CreateBulkRetryBody } from '@/lib/delivery/schema';
import { accepted, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = personOrKey('delivery.read', 'read');
const writes = personOrKey('delivery.retry', 'write');

export const list = route({
  summary: 'List the newest bulk retries of a project.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(BulkRetry) },
  handler: async ({ params, query }) => ok(await listBulkRetries(params.projectId, query)),
});

export const create = route({
  summary: 'Retry all matching deliveries in the background.',
  caller: writes,
  params: ['projectId'],
  body: CreateBulkRetryBody,
  errors: ['conflict', 'rate_limited'],
  response: { status: 202, schema: BulkRetry },
  handler: async ({ caller, params, body }) => {
    // It updates every delivery, and each makes attempts.
    admitIntake(params.projectId, 0);
    return accepted(await createBulkRetry(caller, params.projectId, await resolveCustomer(params.projectId, body)));
  },
});

export const get = route({
  summary: 'Get a bulk retry with its progress.',
  caller: reads,
  params: ['projectId', 'bulkRetryId'],
  response: { status: 200, schema: BulkRetry },
  handler: async ({ params }) => ok(await getBulkRetry(params.projectId, params.bulkRetryId)),
});

export const cancel = route({
  summary: 'Cancel a bulk retry; deliveries that it has made due are still sent.',
  caller: writes,
  params: ['projectId', 'bulkRetryId'],
  response: { status: 200, schema: BulkRetry },
  handler: async ({ caller, params }) => ok(await cancelBulkRetry(caller, params.projectId, params.bulkRetryId)),
});
