import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/endpoint-secret';
import type { DeliveryStatus } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';

export interface TestEndpoint {
  id: string;
  projectId: string;
  secret: string;
}

export interface EndpointOptions {
  url: string;
  projectId?: string;
  eventTypes?: string[];
  retrySeconds?: number[];
}

/** Inserts a project in a new organization. */
export async function insertProject(): Promise<string> {
  const [organizationId, projectId] = [newId(), newId()];
  await database().query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organizationId, 'Acme']);
  await database().query('INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, $3)', [
    projectId,
    organizationId,
    'Shop',
  ]);
  return projectId;
}

/** Inserts an endpoint with a subscription to each event type, by default in a new project. */
export async function insertEndpoint(options: EndpointOptions): Promise<TestEndpoint> {
  const { url, eventTypes = ['*'], retrySeconds = [] } = options;
  const projectId = options.projectId ?? (await insertProject());
  const [id, secret] = [newId(), makeEndpointSecret()];
  await database().query(
    'INSERT INTO endpoints (id, project_id, url, retry_seconds, secret_encrypted) VALUES ($1, $2, $3, $4, $5)',
    [id, projectId, url, retrySeconds, sealEndpointSecret(secret)],
  );
  await database().query(
    `INSERT INTO subscriptions (id, project_id, endpoint_id, event_type)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])`,
    [eventTypes.map(newId), eventTypes.map(() => projectId), eventTypes.map(() => id), eventTypes],
  );
  return { id, projectId, secret };
}

/** Inserts a project with endpoints that are subscribed to every event type. @returns the id of the project */
export async function insertEndpoints(urls: readonly string[]): Promise<string> {
  const projectId = await insertProject();
  const ids = urls.map(newId);
  const secret = sealEndpointSecret(makeEndpointSecret());
  await database().query(
    `WITH made AS (
       INSERT INTO endpoints (id, project_id, url, secret_encrypted)
       SELECT e.id, $3, e.url, $4 FROM unnest($1::uuid[], $2::text[]) AS e(id, url)
     )
     INSERT INTO subscriptions (id, project_id, endpoint_id, event_type)
     SELECT s.id, $3, s.endpoint_id, '*' FROM unnest($1::uuid[], $5::uuid[]) AS s(endpoint_id, id)`,
    [ids, urls, projectId, secret, ids.map(newId)],
  );
  return projectId;
}

/** Inserts events as ingest does: each with its outbox row, in one transaction, with a notification. */
export async function insertEvents(
  projectId: string,
  count: number,
  { type = 'order.created', data = '{"total":1}' } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await database().query(
    `WITH stored AS (
       INSERT INTO events (id, project_id, type, payload) SELECT id, $2, $3, $4 FROM unnest($1::uuid[]) AS e(id)
       RETURNING id
     ), queued AS (
       INSERT INTO outbox (id, kind, project_id, event_id) SELECT o.id, 'EVENT', $2, e.id
       FROM unnest($1::uuid[], $5::uuid[]) AS o(event_id, id) JOIN stored e ON e.id = o.event_id
     )
     SELECT pg_notify('eds_outbox', '')`,
    [ids, projectId, type, data, ids.map(newId)],
  );
  return ids;
}

export interface DeliveryState {
  id: string;
  event_id: string;
  endpoint_id: string;
  status: DeliveryStatus;
  attempt_count: number;
  stored_attempts: number;
  schedule_step: number;
  next_attempt_at: Date | null;
  last_response_status: number | null;
  last_error: string | null;
  completed_at: Date | null;
}

/** Reads the deliveries of an endpoint, oldest first. */
export async function readDeliveries(endpointId: string): Promise<DeliveryState[]> {
  const sql = 'SELECT * FROM deliveries WHERE endpoint_id = $1 ORDER BY id';
  return (await database().query<DeliveryState>(sql, [endpointId])).rows;
}

export interface AttemptState {
  delivery_id: string;
  attempt_number: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  succeeded: boolean;
  started_at: Date;
  duration_ms: number;
}

/** Reads the attempts of an endpoint's deliveries, in order. */
export async function readAttempts(endpointId: string): Promise<AttemptState[]> {
  const sql = `SELECT a.* FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
    WHERE d.endpoint_id = $1 ORDER BY a.delivery_id, a.attempt_number`;
  return (await database().query<AttemptState>(sql, [endpointId])).rows;
}
