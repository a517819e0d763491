import { noContent } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { eraseOrganization } from '@/lib/lifecycle/erase-organization';
import { organizationOf } from '@/lib/orgs/organization-of';
import { person } from './callers';

export const eraseOneOrganization = route({
  summary: 'Erase an organization with everything in it; its audit log is kept.',
  caller: person('organization.delete'),
  params: ['orgId'],
  answers: { status: 204 },
  handler: async ({ caller }) => {
    await eraseOrganization(caller, organizationOf(caller));
    return noContent();
  },
});
