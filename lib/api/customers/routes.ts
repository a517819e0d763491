import { personOrKey } from '@/lib/api/callers';
import { createCustomer, deleteCustomer, getCustomer, listCustomers, updateCustomer } from '@/lib/customers/customers';
import { CreateCustomerBody, Customer, ListCustomersQuery, UpdateCustomerBody } from '@/lib/customers/schema';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf } from '@/lib/platform/pagination';
import { CreatePortalLinkBody, PortalLink } from '@/lib/portal/schema';
import { createPortalLink as createLink, endPortalSessions as endSessions } from '@/lib/portal/sessions';

const reads = personOrKey('customer.read', 'read');
const writes = personOrKey('customer.manage', 'write');

export const list = route({
  summary: 'List the customers of a project.',
  caller: reads,
  params: ['projectId'],
  query: ListCustomersQuery,
  response: { status: 200, schema: listingOf(Customer) },
  handler: async ({ caller, params, query }) => ok(await listCustomers(caller, params.projectId, query)),
});

export const create = route({
  summary: 'Create a customer, unless there is one with this uid: that one is the answer, unchanged, with 200.',
  caller: writes,
  params: ['projectId'],
  body: CreateCustomerBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Customer, alternatives: [{ status: 200, schema: Customer }] },
  handler: async ({ caller, params, body }) => {
    const { customer, isNew } = await createCustomer(caller, params.projectId, body);
    return isNew ? created(customer) : ok(customer);
  },
});

export const get = route({
  summary: 'Get a customer.',
  caller: reads,
  params: ['projectId', 'customer'],
  response: { status: 200, schema: Customer },
  handler: async ({ params }) => ok(await getCustomer(params)),
});

export const update = route({
  summary: 'Change a customer.',
  caller: writes,
  params: ['projectId', 'customer'],
  body: UpdateCustomerBody,
  errors: ['conflict'],
  response: { status: 200, schema: Customer },
  handler: async ({ caller, params, body }) => ok(await updateCustomer(caller, params, body)),
});

export const remove = route({
  summary: 'Delete a customer with its endpoints; its events and deliveries are removed within minutes.',
  caller: writes,
  params: ['projectId', 'customer'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteCustomer(caller, params);
    return noContent();
  },
});

export const createPortalLink = route({
  summary: 'Make a link to the portal of a customer, which opens one session within five minutes.',
  caller: writes,
  params: ['projectId', 'customer'],
  body: CreatePortalLinkBody,
  bodyOptional: true,
  response: { status: 201, schema: PortalLink },
  handler: async ({ caller, params, body }) => created(await createLink(caller, params, body)),
});

export const endPortalSessions = route({
  summary: 'End the portal links and sessions of a customer at once.',
  caller: writes,
  params: ['projectId', 'customer'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await endSessions(caller, params);
    return noContent();
  },
});
