import { idRange, newId } from '@/lib/platform/ids';
import type { Page } from '@/lib/platform/pagination';
import { type Condition, type Details, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import { integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { Statement } from '@/lib/platform/sql/statement';
import type { ListTunnelRequestsQuery } from '@/lib/tunnel/schema';

const LISTED = {
  id: uuid,
  tunnelId: uuid,
  method: text,
  path: text,
  responseStatus: nullable(integer),
  durationMs: nullable(integer),
  requestSize: integer,
  responseSize: nullable(integer),
  error: nullable(text),
  replayOf: nullable(uuid),
  createdAt: timestamp,
};

/** What lists show of requests: no headers and bodies. */
export const REQUEST_ROWS: Details<typeof LISTED> = {
  sql: `SELECT id, tunnel_id AS "tunnelId", method, path, response_status AS "responseStatus", duration_ms AS "durationMs",
    request_size AS "requestSize", response_size AS "responseSize", error, replay_of AS "replayOf", created_at AS "createdAt"
    FROM found`,
  columns: LISTED,
};
const SHOWN_COLUMNS = [
  'x.id',
  'x.project_id',
  'x.tunnel_id',
  'x.method',
  'x.path',
  'x.response_status',
  'x.duration_ms',
  'x.request_size',
  'x.response_size',
  'x.error',
  'x.replay_of',
  'x.created_at',
];

/** Returns the scan of the requests to a tunnel that match. */
export function requestScan(
  projectId: string,
  tunnelId: string,
  { method, status, from, to }: Omit<ListTunnelRequestsQuery, keyof Page>,
): Scan {
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    method !== undefined && ['x.method = ?', method],
    status !== undefined && statusCondition(status),
    from !== undefined && ['x.created_at >= ?', from],
    to !== undefined && ['x.created_at <= ?', to],
  ];
  return {
    from: 'tunnel_request_log x',
    columns: SHOWN_COLUMNS,
    indexes: [[['x.tunnel_id', tunnelId]]],
    ...idRange({ from, to }),
    conditions: conditions.filter((condition) => condition !== false),
  };
}

function statusCondition(status: string): Condition {
  if (status === 'none') return ['x.response_status IS NULL'];
  if (!status.endsWith('xx')) return ['x.response_status = ?', Number(status)];
  const lowest = Number(status.charAt(0)) * 100;
  return ['x.response_status BETWEEN ? AND ?', lowest, lowest + 99];
}

const ID = newId();
const EVERY = { method: 'GET', status: '2xx', from: new Date(0), to: new Date(0) };
export const CHECKED_STATEMENTS = [{}, EVERY, { status: '200' }, { status: 'none' }].flatMap((filter) =>
  statementsOf(requestScan(ID, ID, filter), REQUEST_ROWS),
);

const COLUMN_TYPES = {
  id: 'uuid',
  project_id: 'uuid',
  tunnel_id: 'uuid',
  method: 'text',
  path: 'text',
  response_status: 'int',
  duration_ms: 'int',
  request_size: 'int',
  response_size: 'int',
  error: 'text',
  request_headers: 'text',
  request_body: 'bytea',
  request_body_truncated: 'boolean',
  response_headers: 'text',
  response_body: 'bytea',
  response_body_truncated: 'boolean',
  replay_of: 'uuid',
  created_at: 'timestamptz',
} as const;

const COLUMNS = Object.keys(COLUMN_TYPES);
const TYPES = Object.values(COLUMN_TYPES);

const made = new Map<number, Statement>();

/**
 * Inserts `count` requests of existing tunnels; running it again changes nothing. Locks the tunnels, so that a deletion
 * waits and no row is added to a project after an erasure has emptied it. Values are in the order of the columns above.
 */
export function insertRequests(count: number): Statement {
  let found = made.get(count);
  if (found === undefined) {
    found = new Statement(insertText(count), {});
    made.set(count, found);
  }
  return found;
}

function insertText(count: number): string {
  const tuples = Array.from({ length: count }, (_, row) => {
    const values = TYPES.map((type, column) => `$${row * TYPES.length + column + 1}::${type}`);
    return `(${values.join(', ')})`;
  });
  return `
WITH given (${COLUMNS.join(', ')}) AS (VALUES ${tuples.join(', ')}),
present AS MATERIALIZED (
  SELECT t.id, t.project_id FROM tunnels t WHERE t.id IN (SELECT tunnel_id FROM given) ORDER BY t.id FOR KEY SHARE
)
INSERT INTO tunnel_request_log (${COLUMNS.join(', ')})
SELECT ${COLUMNS.map((column) => `g.${column}`).join(', ')}
FROM given g JOIN present p ON p.id = g.tunnel_id AND p.project_id = g.project_id
ON CONFLICT DO NOTHING`;
}

/** Checked against the database by a test. */
export const CHECKED_INSERTS = [insertRequests(1), insertRequests(2)];
