import type { PersonCaller, ProjectCaller } from '@/lib/audit/caller';
import { findCustomerCount } from '@/lib/customers/customers-sql';
import { countWorkingKeys } from '@/lib/keys/keys-sql';
import { countMembersAndPending } from '@/lib/orgs/invitations/invitations-sql';
import { organizationOf } from '@/lib/orgs/tenant';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { countInProject, countProjects } from './count-usage-sql';
import type { OrganizationLimits, ProjectLimits } from './schema';

/** Returns the limits of a project and how much of each is used. @throws AppError not_found */
export async function listProjectLimits(caller: ProjectCaller, projectId: string): Promise<ProjectLimits> {
  const counted = await countInProject.first(database(), { project: projectId, organization: organizationOf(caller) });
  if (counted === undefined) throw notFound('project');
  const customers = await findCustomerCount.first(database(), { project: projectId });
  const keys = await countWorkingKeys.one(database(), { project: projectId });
  const max = config();
  return {
    limits: [
      { name: 'customers', used: customers?.count ?? 0, max: max.PROJECT_MAX_CUSTOMERS },
      { name: 'endpoints', used: counted.endpoints, max: max.PROJECT_MAX_ENDPOINTS },
      { name: 'subscriptions', used: counted.subscriptions, max: max.PROJECT_MAX_SUBSCRIPTIONS },
      { name: 'eventTypes', used: counted.event_types, max: max.PROJECT_MAX_EVENT_TYPES },
      { name: 'sources', used: counted.sources, max: max.PROJECT_MAX_SOURCES },
      { name: 'destinations', used: counted.destinations, max: max.PROJECT_MAX_DESTINATIONS },
      { name: 'tunnels', used: counted.tunnels, max: max.PROJECT_MAX_TUNNELS },
      { name: 'alerts', used: counted.alerts, max: max.PROJECT_MAX_ALERTS },
      { name: 'apiKeys', used: keys.lasting + keys.rotated, max: max.PROJECT_MAX_API_KEYS },
    ],
  };
}

/** Returns the limits of the caller's organization and how much of each is used. */
export async function listOrganizationLimits(caller: PersonCaller): Promise<OrganizationLimits> {
  const organizationId = organizationOf(caller);
  const [{ projects }, { count: members }] = [
    await countProjects.one(database(), { organization: organizationId }),
    await countMembersAndPending.one(database(), { organization: organizationId }),
  ];
  const max = config();
  return {
    limits: [
      { name: 'projects', used: projects, max: max.ORGANIZATION_MAX_PROJECTS },
      { name: 'members', used: members, max: max.ORGANIZATION_MAX_MEMBERS },
    ],
  };
}
