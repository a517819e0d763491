import { personOrKey } from '@/lib/api/callers';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listJobs } from '@/lib/jobs/list-jobs';
import { Job } from '@/lib/jobs/schema';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

export const list = route({
  summary: 'List the newest bulk retries, event replays and replays of incoming events of a project together.',
  caller: personOrKey('delivery.read', 'read'),
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Job) },
  handler: async ({ params, query }) => ok(await listJobs(params.projectId, query)),
});
