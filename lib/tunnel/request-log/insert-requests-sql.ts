import { type Statement, statement } from '@/lib/platform/sql/statement';

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
    found = statement(insertText(count));
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
export const CHECKED_STATEMENTS = [insertRequests(1), insertRequests(2)];
