import { person } from '@/lib/api/callers';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { SearchQuery, SearchResults } from '@/lib/search/schema';
import { search as searchOrganization } from '@/lib/search/search';

export const find = route({
  summary: 'Search an organization by id, or by text in a name, URL or email address.',
  caller: person('organization.read'),
  params: ['orgId'],
  query: SearchQuery,
  errors: ['rate_limited'],
  response: { status: 200, schema: SearchResults },
  isHeavy: 'search',
  handler: async ({ caller, query }) => ok(await searchOrganization(caller, query)),
});
