import type { PersonCaller } from '@/lib/audit/caller';
import { findTenant } from '@/lib/orgs/find-tenant';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { FairSemaphore } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isId } from '@/lib/platform/ids';
import { enforceRateLimits } from '@/lib/platform/rate-limit';
import type { SearchQuery, SearchResult, SearchResults } from './schema';
import { findById, findByText } from './search-sql';

/** A search as somebody types sends a few requests a second. */
const SEARCHES = { name: 'search', points: 120, windowSeconds: 60 };
const RESULTS_OF_A_KIND = 5;
/** A search that waits for longer than a person does is of no use. */
const MAX_WAIT_MS = 5_000;
/** All organizations of an owner search one at a time. Few wait: more than the searches of one person in a minute are refused. */
const TURNS = { width: 3, widthPerTenant: 1, waiting: 500, waitingPerTenant: 120 };

/**
 * Finds what the organization of the caller has with an id, or with a text in its name, URL or address. Returns at most
 * five results of each kind, the newest first.
 * @throws AppError rate_limited beyond 120 searches a minute of one person, and when too many of the owner's organizations wait
 */
export async function search(caller: PersonCaller, { q }: SearchQuery): Promise<SearchResults> {
  await enforceRateLimits([{ ...SEARCHES, key: caller.userId }], caller.client);
  const organizationId = organizationOf(caller);
  const rows = isId(q) ? await findById.all(database(), organizationId, q) : await searchText(organizationId, q);
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

async function searchText(organizationId: string, q: string) {
  const { ownerId } = await findTenant(organizationId);
  const turns = once('search-turns', () => new FairSemaphore(TURNS));
  const release = await turns.acquire(ownerId, AbortSignal.timeout(MAX_WAIT_MS)).catch(() => {
    throw new AppError('rate_limited', 'Too many searches at once. Try again in a second.', { retryAfterSeconds: 1 });
  });
  return findByText.all(database(), organizationId, q, RESULTS_OF_A_KIND).finally(release);
}
