import { randomUUID } from 'node:crypto';
import { callApi, type Workspace } from './api';
import { runSql } from './run-sql';

/** A tunnel as the API shows it. */
export interface MadeTunnel {
  id: string;
  name: string;
  url: string;
}

/** Creates a tunnel through the API. */
export function makeTunnel(
  { token, projectId }: Pick<Workspace, 'token' | 'projectId'>,
  body: object,
): Promise<MadeTunnel> {
  return callApi<MadeTunnel>('POST', `/projects/${projectId}/tunnels`, { token, body });
}

/** Marks the client of a tunnel as connected, as its web process does. */
export async function setOnline(projectId: string, tunnelId: string): Promise<void> {
  await runSql(
    `INSERT INTO tunnel_connections (tunnel_id, project_id, connection_id, peer_url, client_name, heartbeat_at)
     VALUES ($1, $2, $3, 'http://127.0.0.1:9', 'laptop', now() + interval '1 hour')`,
    [tunnelId, projectId, randomUUID()],
  );
}

/** A row of the log, with what differs from a POST of JSON that was answered with 200. */
interface LoggedRequest {
  method?: string;
  path?: string;
  status?: number | null;
  error?: string | null;
  body?: Buffer | null;
  size?: number;
  truncated?: boolean;
  responseBody?: Buffer | null;
}

let sequence = 0;

/** Adds a request to the log of a tunnel. Returns its id. */
export async function logRequest(projectId: string, tunnelId: string, request: LoggedRequest = {}): Promise<string> {
  const { method = 'POST', path = '/webhooks/orders?try=1', status = 200, error = null, truncated = false } = request;
  const body = request.body === undefined ? Buffer.from('{"type":"order.paid","data":{"total":4200}}') : request.body;
  const responseBody = request.responseBody === undefined ? Buffer.from('{"received":true}') : request.responseBody;
  const at = new Date(Date.now() + sequence++);
  const stamp = at.getTime().toString(16).padStart(12, '0');
  const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8${randomUUID().slice(20)}`;
  await runSql(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, response_status, duration_ms, request_size,
       response_size, error, request_headers, request_body, request_body_truncated, response_headers, response_body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 34, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      id,
      projectId,
      tunnelId,
      method,
      path,
      status,
      request.size ?? body?.length ?? 0,
      status === null || error !== null ? null : (responseBody?.length ?? 0),
      error,
      JSON.stringify([
        ['content-type', 'application/json'],
        ['user-agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
        ['authorization', '[redacted]'],
      ]),
      body,
      truncated,
      status === null
        ? null
        : JSON.stringify([
            ['content-type', 'application/json'],
            ['x-powered-by', 'Express'],
          ]),
      status === null ? null : responseBody,
      at.toISOString(),
    ],
  );
  return id;
}
