import { person } from '@/lib/api/callers';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { SearchQuery, SearchResults } from '@/lib/search/schema';
import { search as searchOrganization } from '@/lib/search/search';

export const find = route({
  summary: 'Find what an organization has with an id, or with a text in its name, URL or address.',
  caller: person('organization.read'),
  params: ['orgId'],
  query: SearchQuery,
  errors: ['rate_limited'],
  response: { status: 200, schema: SearchResults },
  handler: async ({ caller, query }) => ok(await searchOrganization(caller, query)),
});
