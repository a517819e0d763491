import { KEY_STATE_SQL, type KeyState } from '@/lib/keys/authenticate-key';
import { database } from '@/lib/platform/db';

/** One event on its way in, with the hash of the key it came with. */
export interface IngestRow {
  keyHash: Buffer;
  /** The project of the path; null where the key alone names it. */
  projectId: string | null;
  id: string;
  type: string;
  payload: string;
  idempotencyKey: string | null;
  bodyHash: Buffer | null;
  createdAt: Date;
}

/** What the statement found of a row's key, and whether the event is now stored. */
export interface IngestOutcome {
  keyId: string | null;
  keyProjectId: string | null;
  keyState: KeyState | null;
  keyScope: 'READ_WRITE' | 'READ_ONLY' | null;
  stored: boolean;
}

interface OutcomeRow {
  n: number;
  key_id: string | null;
  project_id: string | null;
  state: KeyState | null;
  scope: 'READ_WRITE' | 'READ_ONLY' | null;
  stored: boolean;
}

const COLUMN_TYPES = ['int', 'bytea', 'uuid', 'uuid', 'text', 'text', 'text', 'bytea', 'timestamptz'];

/**
 * Checks every row's key and stores the events of the good ones with their outbox rows, in one statement and so one commit:
 * 202 is said after it (DESIGN 2, 4b).
 *
 * Multi-row VALUES and not unnest: unnest of large text costs ten times as much. A repeated Idempotency-Key stores nothing
 * and comes back as `stored: false` with an active key.
 */
export async function storeEvents(rows: readonly IngestRow[]): Promise<IngestOutcome[]> {
  const { rows: outcomes } = await database().query<OutcomeRow>({
    name: `store-events-${rows.length}`,
    text: statementFor(rows.length),
    values: rows.flatMap((row, n) => [
      n,
      row.keyHash,
      row.projectId,
      row.id,
      row.type,
      row.payload,
      row.idempotencyKey,
      row.bodyHash,
      row.createdAt,
    ]),
  });
  return outcomes.map((row) => ({
    keyId: row.key_id,
    keyProjectId: row.project_id,
    keyState: row.state,
    keyScope: row.scope,
    stored: row.stored,
  }));
}

const statements = new Map<number, string>();

function statementFor(count: number): string {
  const known = statements.get(count);
  if (known !== undefined) return known;
  const width = COLUMN_TYPES.length;
  const tuples = Array.from(
    { length: count },
    (_, n) => `(${COLUMN_TYPES.map((type, column) => `$${n * width + column + 1}::${type}`).join(', ')})`,
  );
  const statement = statementText(tuples.join(', '));
  statements.set(count, statement);
  return statement;
}

function statementText(tuples: string): string {
  return `
WITH input (n, key_hash, path_project_id, id, type, payload, idempotency_key, body_hash, created_at) AS (VALUES ${tuples}),
checked AS MATERIALIZED (
  SELECT i.n, i.path_project_id, k.id AS key_id, k.project_id, k.scope, ${KEY_STATE_SQL} AS state
  FROM input i
  JOIN api_keys k ON k.key_hash = i.key_hash
  JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
  JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
),
stored AS (
  INSERT INTO events (id, project_id, type, payload, idempotency_key, body_hash, created_at)
  SELECT i.id, c.project_id, i.type, i.payload, i.idempotency_key, i.body_hash, i.created_at
  FROM checked c JOIN input i ON i.n = c.n
  WHERE c.state = 'active' AND c.scope = 'READ_WRITE'
    AND (c.path_project_id IS NULL OR c.path_project_id = c.project_id)
  ON CONFLICT (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
  RETURNING id, project_id
),
queued AS (
  INSERT INTO outbox (id, kind, project_id, event_id)
  SELECT s.id, 'EVENT', s.project_id, s.id FROM stored s
  RETURNING event_id
),
woken AS (SELECT pg_notify('eds_outbox', '') FROM queued LIMIT 1)
SELECT i.n, c.key_id, c.project_id, c.state, c.scope, q.event_id IS NOT NULL AS stored,
  -- Read here, since the planner leaves out a join that cannot change the result, and nobody would be woken.
  (SELECT count(*) FROM woken) AS woken
FROM input i
LEFT JOIN checked c ON c.n = i.n
LEFT JOIN queued q ON q.event_id = i.id
ORDER BY i.n`;
}
