import { personOrKey } from '@/lib/api/callers';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';
import { getStats, listEndpointHealth as listHealth } from '@/lib/stats/get-stats';
import { EndpointHealthList, EndpointHealthQuery, ProjectStats, StatsQuery } from '@/lib/stats/schema';

const reads = personOrKey('delivery.read', 'read');

export const get = route({
  summary: 'Get a project’s traffic and delivery results over a time range.',
  caller: reads,
  params: ['projectId'],
  query: StatsQuery,
  response: { status: 200, schema: ProjectStats },
  isHeavy: true,
  handler: async ({ params, query }) => ok(await getStats(params.projectId, query, systemClock)),
});

export const listEndpointHealth = route({
  summary: 'Get the health of endpoints: the last 24 hours and the last ten deliveries.',
  caller: reads,
  params: ['projectId'],
  query: EndpointHealthQuery,
  response: { status: 200, schema: EndpointHealthList },
  isHeavy: true,
  handler: async ({ params, query }) =>
    ok({ data: await listHealth(params.projectId, query.endpointIds, systemClock) }),
});
