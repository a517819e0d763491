import { person } from '@/lib/api/callers';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';
import { getOrganizationRetention } from '@/lib/retention/queries';
import { OrganizationRetention } from '@/lib/retention/schema';

export const get = route({
  summary: 'Get the retention rules and the organization’s row count for each class.',
  caller: person('organization.read'),
  params: ['orgId'],
  response: { status: 200, schema: OrganizationRetention },
  isHeavy: true,
  handler: async ({ caller }) => ok(await getOrganizationRetention(caller, systemClock)),
});
