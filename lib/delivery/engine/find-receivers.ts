import { matchingEventTypes } from '@/lib/delivery/match-subscriptions';
import type { Sql } from '@/lib/platform/db';
import type { OutboxEntry } from './outbox-entry';

/** Ids of the targets that each entry goes to, by entry id; each target once, however many subscriptions match. */
export async function findReceivers(sql: Sql, entries: readonly OutboxEntry[]): Promise<Map<string, Set<string>>> {
  const endpoints = await findEndpoints(sql, entries);
  const destinations = await findDestinations(sql, entries);
  return new Map(
    entries.map((entry) => {
      const patterns = entry.type === null ? [] : matchingEventTypes(entry.type);
      const ids = patterns.flatMap((pattern) => endpoints.get(`${entry.project_id} ${pattern}`) ?? []);
      return [entry.id, new Set([...ids, ...(destinations.get(entry.source_id ?? '') ?? [])])];
    }),
  );
}

/** Endpoints by "project pattern". Only patterns that an event of the batch can match are asked for. */
async function findEndpoints(sql: Sql, entries: readonly OutboxEntry[]): Promise<Map<string, string[]>> {
  const wanted = new Map<string, { projectId: string; pattern: string }>();
  for (const { type, project_id: projectId } of entries) {
    if (type === null || projectId === null) continue;
    for (const pattern of matchingEventTypes(type)) wanted.set(`${projectId} ${pattern}`, { projectId, pattern });
  }
  if (wanted.size === 0) return new Map();
  const pairs = [...wanted.values()];
  const { rows } = await sql.query<{ key: string; id: string }>(
    `SELECT s.project_id || ' ' || s.event_type AS key, s.endpoint_id AS id
     FROM unnest($1::uuid[], $2::text[]) AS w(project_id, pattern)
     JOIN subscriptions s ON s.project_id = w.project_id AND s.event_type = w.pattern AND s.enabled`,
    [pairs.map(({ projectId }) => projectId), pairs.map(({ pattern }) => pattern)],
  );
  return groupByKey(rows);
}

/** Destinations by the source whose incoming events they get. */
async function findDestinations(sql: Sql, entries: readonly OutboxEntry[]): Promise<Map<string, string[]>> {
  const sources = new Set(entries.flatMap(({ source_id }) => source_id ?? []));
  if (sources.size === 0) return new Map();
  const { rows } = await sql.query<{ key: string; id: string }>(
    'SELECT source_id AS key, id FROM destinations WHERE source_id = ANY($1) AND enabled AND deleted_at IS NULL',
    [[...sources]],
  );
  return groupByKey(rows);
}

function groupByKey(rows: readonly { key: string; id: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { key, id } of rows) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [id]);
    else group.push(id);
  }
  return groups;
}
