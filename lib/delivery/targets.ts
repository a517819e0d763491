import { database } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { inCamelCase, present } from '@/lib/platform/present';
import { HIGHEST_ID, LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { DeliveryTarget } from './schema';
import { selectTargets } from './targets-sql';

/** More would not be read, but searched. */
const MAX_TARGETS = 20;

/** Returns the parameters of a search for an id or a text; without either, of one that finds everything. */
export function targetSearch(projectId: string, q: string | undefined) {
  const isOne = q !== undefined && isId(q);
  return {
    project: projectId,
    lowest: isOne ? q : LOWEST_ID,
    highest: isOne ? q : HIGHEST_ID,
    text: isOne ? null : (q ?? null),
  };
}

/** Lists endpoints and destinations of a project: all, or those with a text in their URL, description or uid, at most 20. */
export async function listTargets(projectId: string, q: string | undefined): Promise<DeliveryTarget[]> {
  const rows = await selectTargets.all(database(), { ...targetSearch(projectId, q), limit: MAX_TARGETS });
  return rows.map((row) => present(DeliveryTarget, inCamelCase({ ...row, url: row.url ?? '' })));
}
