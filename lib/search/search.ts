import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import type { SearchQuery, SearchResult, SearchResults } from './schema';
import { findById, findByText } from './search-sql';

/** A search as somebody types sends a few requests a second. */
const SEARCHES = { name: 'search', points: 120, windowSeconds: 60 };
const RESULTS_OF_A_KIND = 5;

/**
 * Finds what the organization of the caller has with an id or an idempotency key, or with a text in its name, URL, description or
 * address, or at the beginning of a customer's uid or name. Returns at most five results of each kind, the newest first.
 * @throws AppError rate_limited beyond 120 searches a minute of one person
 */
export async function search(caller: PersonCaller, { q }: SearchQuery): Promise<SearchResults> {
  await enforceRateLimits([{ ...SEARCHES, key: caller.userId }], caller.client);
  const organizationId = organizationOf(caller);
  const rows = isId(q)
    ? await findById.all(database(), { organization: organizationId, id: q })
    : await findByText.all(database(), { organization: organizationId, text: q, limit: RESULTS_OF_A_KIND });
  return {
    results: rows.map((row) => ({
      kind: row.kind as SearchResult['kind'],
      id: row.id,
      title: row.title,
      projectId: row.project_id,
      projectName: row.project_name,
      sourceId: row.source_id,
    })),
  };
}
