import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { insertEndpoint, insertEvents } from './deliveries';

/** Lists the tables with a project_id column, from the catalog of the database. */
export async function listProjectTables(): Promise<string[]> {
  const { rows } = await database().query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'project_id' ORDER BY table_name`,
  );
  return rows.map(({ table_name }) => table_name);
}

/** Counts the rows of a project by table. */
export async function countProjectRows(projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listProjectTables()) {
    const { rows } = await database().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE project_id = $1`,
      [projectId],
    );
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

/**
 * Inserts rows into every table with a project_id: events with their outbox rows, deliveries of events and of incoming events
 * with `attempts` attempts each, a rotated key, a tunnel with its log.
 */
export async function fillProject(projectId: string, { events = 3, attempts = 2 } = {}): Promise<void> {
  const endpoint = await insertEndpoint({ url: 'https://receiver.example/hook', projectId });
  const eventIds = await insertEvents(projectId, events);
  await insertDeliveries(projectId, endpoint.id, eventIds, attempts);
  await insertKeys(projectId);
  await insertIncoming(projectId);
  await insertTunnel(projectId);
}

async function insertDeliveries(projectId: string, endpointId: string, eventIds: string[], attempts: number) {
  const deliveryIds = eventIds.map(newId);
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status)
     SELECT d, $1, e, $2, 'FAILED' FROM unnest($3::uuid[], $4::uuid[]) AS x(d, e)`,
    [projectId, endpointId, deliveryIds, eventIds],
  );
  // The attempts are older than their delivery and in the partition of another day: an erasure must not rely on their age.
  await database().query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     SELECT gen_random_uuid(), $1, d, n, now(), 5, n % 2 = 0, now() - n * interval '1 day'
     FROM unnest($2::uuid[]) d, generate_series(1, $3) n`,
    [projectId, deliveryIds, attempts],
  );
}

async function insertKeys(projectId: string): Promise<void> {
  const [first, second] = [newId(), newId()];
  await database().query(
    `INSERT INTO api_keys (id, project_id, name, key_hash, hint, replaces_id)
     VALUES ($1, $3, 'old', $4, 'x', NULL), ($2, $3, 'new', $5, 'x', $1)`,
    [first, second, projectId, Buffer.from(first), Buffer.from(second)],
  );
}

async function insertIncoming(projectId: string): Promise<void> {
  const [sourceId, destinationId, incomingId] = [newId(), newId(), newId()];
  await database().query(
    `INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, 'shop', $3, $3)`,
    [sourceId, projectId, Buffer.from(sourceId)],
  );
  await database().query(
    `INSERT INTO destinations (id, project_id, source_id, url) VALUES ($1, $2, $3, 'https://destination.example')`,
    [destinationId, projectId, sourceId],
  );
  await database().query(
    `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size)
     VALUES ($1, $2, $3, 'POST', '[]', 'x', 1)`,
    [incomingId, projectId, sourceId],
  );
  await database().query(
    `INSERT INTO deliveries (id, project_id, incoming_event_id, destination_id, status) VALUES ($1, $2, $3, $4, 'FAILED')`,
    [newId(), projectId, incomingId, destinationId],
  );
}

async function insertTunnel(projectId: string): Promise<void> {
  const tunnelId = newId();
  await database().query(
    `INSERT INTO tunnels (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, 'laptop', $3, $3)`,
    [tunnelId, projectId, Buffer.from(tunnelId)],
  );
  await database().query(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size)
     VALUES ($1, $2, $3, 'GET', '/', 0)`,
    [newId(), projectId, tunnelId],
  );
}
