import { created, ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { createOrganization } from '@/lib/orgs/create-organization';
import { getOrganization, listOrganizations } from '@/lib/orgs/queries';
import { CreateOrganizationBody, Organization, UpdateOrganizationBody } from '@/lib/orgs/schema';
import { updateOrganization } from '@/lib/orgs/update-organization';
import { listingOf, PageQuery } from '@/lib/platform/pagination';
import { person } from './callers';

export const listOwnOrganizations = route({
  summary: 'List the organizations the signed-in person belongs to.',
  caller: person(),
  query: PageQuery,
  answers: { status: 200, schema: listingOf(Organization) },
  handler: async ({ caller, query }) => ok(await listOrganizations(caller, query)),
});

export const createOwnOrganization = route({
  summary: 'Create an organization; the signed-in person owns it.',
  caller: person(),
  body: CreateOrganizationBody,
  answers: { status: 201, schema: Organization },
  handler: async ({ caller, body }) => created(await createOrganization(caller, body)),
});

export const getOneOrganization = route({
  summary: 'Get an organization.',
  caller: person('organization.read'),
  params: ['orgId'],
  answers: { status: 200, schema: Organization },
  handler: async ({ caller, params }) => ok(await getOrganization(caller, params.orgId)),
});

export const updateOneOrganization = route({
  summary: 'Rename an organization.',
  caller: person('organization.update'),
  params: ['orgId'],
  body: UpdateOrganizationBody,
  answers: { status: 200, schema: Organization },
  handler: async ({ caller, params, body }) => ok(await updateOrganization(caller, params.orgId, body)),
});
