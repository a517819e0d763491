import { database, type Sql } from '@/lib/platform/db';
import { selectOnline } from './tunnels-sql';

/** Returns which of the tunnels of a project have a connected client. */
export async function listOnline(
  projectId: string,
  tunnelIds: readonly string[],
  sql: Sql = database(),
): Promise<ReadonlySet<string>> {
  if (tunnelIds.length === 0) return new Set();
  const rows = await selectOnline.all(sql, projectId, tunnelIds);
  return new Set(rows.map(({ tunnel_id: id }) => id));
}
