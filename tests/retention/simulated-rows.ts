import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import type { SimulatedDelivery, SimulatedProject, SimulatedSource } from './simulated-store';

/** Inserts rows, given as JSON, into columns of these types. */
export const insertAll = (table: string, columns: string, definition: string, rows: object[]) =>
  database().query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_to_recordset($1::jsonb) AS r(${definition})`,
    [JSON.stringify(rows)],
  );

/** A time as PostgreSQL reads it. */
export const iso = (ms: number) => new Date(ms).toISOString();

const sourceColumn = (source: SimulatedSource) => (source.table === 'events' ? 'event_id' : 'incoming_event_id');

/** Returns what the outbox holds of an event: what waits, and what was given up. */
export function outboxRows(project: SimulatedProject, source: SimulatedSource): object[] {
  const row = { kind: source.table === 'events' ? 'EVENT' : 'INCOMING_EVENT', project_id: project.projectId };
  const of = { ...row, [sourceColumn(source)]: source.id, created_at: iso(source.atMs) };
  return [
    ...(source.queued === null ? [] : [{ ...of, id: source.queued.id, status: 'PENDING' }]),
    ...(source.dead === null ? [] : [{ ...of, id: source.dead.id, status: 'DEAD', dead_at: iso(source.dead.atMs) }]),
  ];
}

/** Inserts rows into the outbox. */
export async function insertOutbox(rows: object[]): Promise<void> {
  await insertAll(
    'outbox',
    'id, kind, project_id, event_id, incoming_event_id, status, dead_at, created_at',
    'id uuid, kind "OutboxKind", project_id uuid, event_id uuid, incoming_event_id uuid, status "OutboxStatus", dead_at timestamptz, created_at timestamptz',
    rows,
  );
}

/** Inserts events and incoming events, without their deliveries. */
export async function insertDeliverySources(project: SimulatedProject, sources: SimulatedSource[]): Promise<void> {
  const rows = (table: SimulatedSource['table']) =>
    sources
      .filter((source) => source.table === table)
      .map(({ id, atMs }) => ({
        id,
        project_id: project.projectId,
        source_id: project.sourceId,
        created_at: iso(atMs),
        type: 'order.paid',
        payload: '{}',
        method: 'POST',
        headers: '[]',
        body: '\\x',
        size: 0,
      }));
  await insertAll(
    'events',
    'id, project_id, type, payload, created_at',
    'id uuid, project_id uuid, type text, payload text, created_at timestamptz',
    rows('events'),
  );
  await insertAll(
    'incoming_events',
    'id, project_id, source_id, method, headers, body, size, created_at',
    'id uuid, project_id uuid, source_id uuid, method text, headers text, body bytea, size int, created_at timestamptz',
    rows('incoming_events'),
  );
}

/** Stores the deliveries of sources that have none stored yet, with their attempts. */
export async function insertDeliveries(project: SimulatedProject, sources: SimulatedSource[]): Promise<void> {
  const deliveries = sources.flatMap((source) => source.deliveries.map((delivery) => ({ source, delivery })));
  await insertAll(
    'deliveries',
    'id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, status, next_attempt_at, attempt_count, completed_at, created_at',
    'id uuid, project_id uuid, event_id uuid, incoming_event_id uuid, endpoint_id uuid, destination_id uuid, status "DeliveryStatus", next_attempt_at timestamptz, attempt_count int, completed_at timestamptz, created_at timestamptz',
    deliveries.map(({ source, delivery }) => ({
      id: delivery.id,
      project_id: project.projectId,
      [sourceColumn(source)]: source.id,
      ...(source.table === 'events' ? { endpoint_id: project.endpointId } : { destination_id: project.destinationId }),
      attempt_count: delivery.attemptCount,
      created_at: iso(delivery.atMs),
      ...(delivery.pendingUntilMs === null
        ? { status: 'FAILED', completed_at: iso(Math.max(delivery.atMs, ...delivery.attempts.map(({ atMs }) => atMs))) }
        : { status: 'PENDING', next_attempt_at: iso(delivery.pendingUntilMs) }),
    })),
  );
  await insertAttempts(
    project,
    deliveries.map(({ delivery }) => delivery),
  );
}

/** Inserts the attempts of deliveries. */
export async function insertAttempts(project: SimulatedProject, deliveries: SimulatedDelivery[]): Promise<void> {
  await insertAll(
    'delivery_attempts',
    'id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at',
    'id uuid, project_id uuid, delivery_id uuid, attempt_number int, started_at timestamptz, duration_ms int, succeeded boolean, created_at timestamptz',
    deliveries.flatMap((delivery) =>
      delivery.attempts.map((attempt) => ({
        id: attempt.id,
        project_id: project.projectId,
        delivery_id: delivery.id,
        attempt_number: attempt.number,
        started_at: iso(attempt.atMs),
        duration_ms: 5,
        succeeded: attempt.succeeded,
        created_at: iso(attempt.atMs),
      })),
    ),
  );
}

/** A project with one of everything that traffic runs through. */
export async function insertSimulatedProject(): Promise<SimulatedProject> {
  const endpoint = await insertEndpoint({ url: 'https://receiver.example/hook' });
  const { projectId } = endpoint;
  const [sourceId, destinationId] = [newId(), newId()];
  await database().query(
    `INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, 'shop', '\\x00', '\\x00')`,
    [sourceId, projectId],
  );
  await database().query(
    `INSERT INTO destinations (id, project_id, source_id, url) VALUES ($1, $2, $3, 'https://destination.example')`,
    [destinationId, projectId, sourceId],
  );
  return { projectId, endpointId: endpoint.id, sourceId, destinationId, tunnelId: newId() };
}
