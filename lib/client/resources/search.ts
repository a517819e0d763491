import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';
import type { Query } from '@/lib/client/query';
import type { SearchQuery, SearchResults } from '@/lib/search/schema';

/** The methods of `client.search`. */
export function search(api: Api) {
  return {
    /** Finds what an organization has with an id, or with a text in its name, URL or address. */
    find: (orgId: string, query: Query<typeof SearchQuery>, options?: CallOptions): Promise<SearchResults> =>
      api.call('GET', '/api/v1/orgs/{orgId}/search', { ids: { orgId }, query }, options),
  };
}
