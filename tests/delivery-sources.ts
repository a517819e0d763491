import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { type DeliverySource, EVENT } from '@/lib/retention/cleanup/delivery-source';
import { insertEndpoint } from './deliveries';

/** A project with an endpoint for events and a destination for incoming events. */
export interface DeliveryProject {
  id: string;
  endpointId: string;
  sourceId: string;
  destinationId: string;
}

export interface DeliverySourceOptions {
  project: DeliveryProject;
  at: Date;
  source?: DeliverySource;
  deliveries?: number;
  /** Number of attempts of each delivery. */
  attempts?: number;
  /** Creation time of the attempts. */
  attemptsAt?: Date;
  deliveryStatus?: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  /** Status of its outbox row; undefined: no row. */
  outbox?: 'PENDING' | 'DEAD';
}

/** Inserts a project with an endpoint, a source and its destination. */
export async function insertDeliveryProject(): Promise<DeliveryProject> {
  const { id: endpointId, projectId: id } = await insertEndpoint({ url: 'https://receiver.example/hook' });
  const [sourceId, destinationId] = [newId(), newId()];
  await database().query(
    `INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, 'shop', $3, $3)`,
    [sourceId, id, Buffer.from(sourceId)],
  );
  await database().query(
    `INSERT INTO destinations (id, project_id, source_id, url) VALUES ($1, $2, $3, 'https://destination.example')`,
    [destinationId, id, sourceId],
  );
  return { id, endpointId, sourceId, destinationId };
}

/** Inserts an event or incoming event of a given time, with its deliveries, attempts and outbox row. @returns its id */
export async function insertDeliverySource(options: DeliverySourceOptions): Promise<string> {
  const { project, at, source = EVENT, deliveries = 0, outbox } = options;
  const id = newId();
  if (source === EVENT) {
    await database().query(
      `INSERT INTO events (id, project_id, type, payload, created_at) VALUES ($1, $2, 'order.paid', '{}', $3)`,
      [id, project.id, at],
    );
  } else {
    await database().query(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, created_at)
       VALUES ($1, $2, $3, 'POST', '[]', 'x', 1, $4)`,
      [id, project.id, project.sourceId, at],
    );
  }
  for (let n = 0; n < deliveries; n += 1) await insertDelivery(id, options);
  if (outbox !== undefined) await insertOutboxRow(id, options);
  return id;
}

async function insertDelivery(eventId: string, options: DeliverySourceOptions): Promise<void> {
  const { project, at, source = EVENT, attempts = 0, attemptsAt = at, deliveryStatus = 'FAILED' } = options;
  const id = newId();
  const [target, targetId] =
    source === EVENT ? ['endpoint_id', project.endpointId] : ['destination_id', project.destinationId];
  await database().query(
    `INSERT INTO deliveries (id, project_id, ${source.column}, ${target}, status, next_attempt_at, attempt_count, completed_at, created_at)
     VALUES ($1, $2, $3, $4, $5::"DeliveryStatus", CASE WHEN $5 = 'PENDING' THEN now() END, $6,
             CASE WHEN $5 <> 'PENDING' THEN $7::timestamptz END, $7)`,
    [id, project.id, eventId, targetId, deliveryStatus, attempts, at],
  );
  await database().query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     SELECT gen_random_uuid(), $1, $2, n, $3, 5, n % 3 = 0, $3 FROM generate_series(1, $4::int) n`,
    [project.id, id, attemptsAt, attempts],
  );
}

async function insertOutboxRow(eventId: string, { project, at, source = EVENT, outbox }: DeliverySourceOptions) {
  await database().query(
    `INSERT INTO outbox (id, kind, project_id, ${source.column}, status, dead_at, created_at)
     VALUES ($1, $2::"OutboxKind", $3, $4, $5::"OutboxStatus", CASE WHEN $5 = 'DEAD' THEN $6::timestamptz END, $6)`,
    [newId(), source === EVENT ? 'EVENT' : 'INCOMING_EVENT', project.id, eventId, outbox, at],
  );
}

/** Reads the ids of a table. */
export async function idsOf(table: string): Promise<string[]> {
  const { rows } = await database().query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Counts the rows by table. */
export async function countRows(...tables: string[]): Promise<Record<string, number>> {
  const counts = tables.map(async (table) => [table, (await idsOf(table)).length] as const);
  return Object.fromEntries(await Promise.all(counts));
}

/** Counts the rows that reference a deleted row. It must always be 0. */
export async function countOrphans(): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    `SELECT (SELECT count(*) FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.id = a.delivery_id))::int
       + (SELECT count(*) FROM deliveries d WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = d.event_id)
            AND NOT EXISTS (SELECT FROM incoming_events i WHERE i.id = d.incoming_event_id))::int
       + (SELECT count(*) FROM outbox o WHERE o.kind <> 'MAIL' AND NOT EXISTS (SELECT FROM events e WHERE e.id = o.event_id)
            AND NOT EXISTS (SELECT FROM incoming_events i WHERE i.id = o.incoming_event_id))::int AS count`,
  );
  return rows[0]?.count ?? -1;
}
