import { person } from '@/lib/api/callers';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { eraseOrganization } from '@/lib/lifecycle/erase-organization';
import { createOrganization, getOrganization, listOrganizations, updateOrganization } from '@/lib/orgs/organizations';
import { CreateOrganizationBody, Organization, UpdateOrganizationBody } from '@/lib/orgs/schema';
import { organizationOf } from '@/lib/orgs/tenant';
import { listingOf, PageQuery } from '@/lib/platform/pagination';
import { listOrganizationLimits } from '@/lib/usage/list-limits';
import { OrganizationLimits } from '@/lib/usage/schema';

export const list = route({
  summary: 'List your organizations.',
  caller: person(),
  query: PageQuery,
  response: { status: 200, schema: listingOf(Organization) },
  handler: async ({ caller, query }) => ok(await listOrganizations(caller, query)),
});

export const create = route({
  summary: 'Create an organization; you become its owner.',
  caller: person(),
  body: CreateOrganizationBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Organization },
  handler: async ({ caller, body }) => created(await createOrganization(caller, body)),
});

export const get = route({
  summary: 'Get an organization.',
  caller: person('organization.read'),
  params: ['orgId'],
  response: { status: 200, schema: Organization },
  handler: async ({ caller, params }) => ok(await getOrganization(caller, params.orgId)),
});

export const getLimits = route({
  summary: 'Get the limits of an organization and how much of each is used.',
  caller: person('organization.read'),
  params: ['orgId'],
  response: { status: 200, schema: OrganizationLimits },
  handler: async ({ caller }) => ok(await listOrganizationLimits(caller)),
});

export const update = route({
  summary: 'Rename an organization.',
  caller: person('organization.update'),
  params: ['orgId'],
  body: UpdateOrganizationBody,
  response: { status: 200, schema: Organization },
  handler: async ({ caller, params, body }) => ok(await updateOrganization(caller, params.orgId, body)),
});

export const erase = route({
  summary: 'Erase an organization with all its data; its audit log is kept.',
  caller: person('organization.delete'),
  params: ['orgId'],
  response: { status: 204 },
  handler: async ({ caller }) => {
    await eraseOrganization(caller, organizationOf(caller));
    return noContent();
  },
});
