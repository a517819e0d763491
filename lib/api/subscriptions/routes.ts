import { personOrKey } from '@/lib/api/callers';
import { resolveCustomer } from '@/lib/customers/customers';
import {
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  Subscription,
  UpdateSubscriptionBody,
} from '@/lib/delivery/schema';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from '@/lib/delivery/subscriptions';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf } from '@/lib/platform/pagination';

const reads = personOrKey('subscription.read', 'read');
const writes = personOrKey('subscription.manage', 'write');

export const list = route({
  summary: 'List the subscriptions of a project.',
  caller: reads,
  params: ['projectId'],
  query: ListSubscriptionsQuery,
  response: { status: 200, schema: listingOf(Subscription) },
  handler: async ({ params, query }) =>
    ok(await listSubscriptions(params.projectId, await resolveCustomer(params.projectId, query))),
});

export const create = route({
  summary: 'Subscribe an endpoint to events of a type.',
  caller: writes,
  params: ['projectId'],
  body: CreateSubscriptionBody,
  errors: ['limit_reached', 'conflict'],
  response: { status: 201, schema: Subscription },
  handler: async ({ caller, params, body }) => created(await createSubscription(caller, params.projectId, body)),
});

export const get = route({
  summary: 'Get a subscription.',
  caller: reads,
  params: ['projectId', 'subscriptionId'],
  response: { status: 200, schema: Subscription },
  handler: async ({ params }) => ok(await getSubscription(params.projectId, params.subscriptionId)),
});

export const update = route({
  summary: 'Change a subscription.',
  caller: writes,
  params: ['projectId', 'subscriptionId'],
  body: UpdateSubscriptionBody,
  errors: ['conflict'],
  response: { status: 200, schema: Subscription },
  handler: async ({ caller, params, body }) =>
    ok(await updateSubscription(caller, params.projectId, params.subscriptionId, body)),
});

export const remove = route({
  summary: 'Delete a subscription.',
  caller: writes,
  params: ['projectId', 'subscriptionId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteSubscription(caller, params.projectId, params.subscriptionId);
    return noContent();
  },
});
