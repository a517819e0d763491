import { customerNames } from '@/lib/customers/customers';
import { KEY_STATE_SQL, type KeyState } from '@/lib/keys/keys-sql';
import type { KeyScope } from '@/lib/keys/schema';
import { ROW_BYTES } from '@/lib/orgs/orgs-sql';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import { currentCell } from '@/lib/platform/cells/current-cell';
import { withHotConnection } from '@/lib/platform/group-commit/hot-connection';
import type { StoreOptions } from '@/lib/platform/group-commit/store-batch';
import { StoringStatements } from '@/lib/platform/group-commit/storing-statements';
import { boolean, enumOf, integer, nullable, text, textOf, uuid } from '@/lib/platform/sql/column';
import type { RowOf } from '@/lib/platform/sql/statement';
import { turnKeySql } from './turn-key';

/** An event to store, with the hash of the API key that its sender presented. */
export interface IngestRow {
  keyHash: Buffer;
  /** The project of the path; null where the key alone names it. */
  projectId: string | null;
  id: string;
  type: string;
  payload: string;
  /** The id or uid of its customer; null for an event of the project itself. */
  customer: string | null;
  idempotencyKey: string | null;
  bodyHash: Buffer | null;
  createdAt: Date;
  /** The W3C trace context of the request; null without one. */
  traceparent: string | null;
  clientAddress: string | null;
  /** Whether it may be stored by a project that checks its events (types/event-rules.ts). */
  isChecked: boolean;
}

/** What the statement found out about the key of a row, and whether it stored the event. */
export interface IngestOutcome {
  keyId: string | null;
  keyProjectId: string | null;
  /** `moved` when the organization of the key is in another cell: nothing was stored. */
  keyState: KeyState | 'moved' | null;
  keyScope: KeyScope | null;
  /** The id of the customer that the row names; null if the project has none with this name. */
  customerId: string | null;
  /** What the project does with events that differ from its catalogue; null for `OPEN`. Only checked rows are stored then. */
  policy: 'REPORT' | 'STRICT' | null;
  stored: boolean;
}

const OUTCOME = {
  /** The place of the row. */
  n: integer,
  key_id: nullable(uuid),
  project_id: nullable(uuid),
  state: nullable(textOf<KeyState | 'moved'>()),
  scope: nullable(enumOf<KeyScope>('KeyScope')),
  customer_id: nullable(uuid),
  policy: nullable(textOf<'REPORT' | 'STRICT'>()),
  stored: boolean,
  woken: nullable(text),
};

const COLUMN_TYPES = ['bytea', 'uuid', 'uuid', 'text', 'text', 'text', 'bytea', 'timestamptz', 'text', 'text'];
/** The id and the uid that name the customer of a row, and whether it is checked. */
const SPECIAL_TYPES = ['uuid', 'text', 'boolean'];

/**
 * Checks the key of each row and stores the events of the valid keys with their outbox rows, in one statement: one round trip
 * and one commit, after which the sender gets 202 (docs/specification.md#events).
 *
 * An event with a repeated Idempotency-Key is not stored: its outcome is `stored: false` with an active key. The rows are passed
 * as multi-row VALUES because unnest of large text takes ten times as long.
 * @throws AppError unavailable when there is no connection; then nothing was sent
 */
export async function storeEvents(rows: readonly IngestRow[], options: StoreOptions): Promise<IngestOutcome[]> {
  const { mayBeStored, lockTimeoutMs } = options;
  const isSpecial = rows.some(({ customer, isChecked }) => customer !== null || isChecked);
  const values: unknown[] = [`${lockTimeoutMs}ms`, currentCell()];
  for (const row of rows) {
    // pg formats a Date in local time, which takes several times as long as toISOString.
    values.push(row.keyHash, row.projectId, row.id, row.type, row.payload);
    values.push(row.idempotencyKey, row.bodyHash, row.createdAt.toISOString(), row.traceparent, row.clientAddress);
    if (!isSpecial) continue;
    const { customer, uid } = customerNames(row.customer ?? '');
    // A text that names no customer finds none, as an empty uid does.
    values.push(customer, row.customer === null || customer !== null ? null : (uid ?? ''), row.isChecked);
  }
  const chosen = isSpecial ? specialStatements : statements;
  const query = { ...chosen.of(rows.length, mayBeStored), values };
  const found = await withHotConnection(mayBeStored, (client) => client.query<RowOf<typeof OUTCOME>>(query));
  const outcomes: IngestOutcome[] = [];
  for (const row of found.rows) {
    // A row without an Idempotency-Key can only conflict with itself, from an earlier try.
    const isThere =
      mayBeStored && rows[row.n]?.idempotencyKey === null && (row.policy === null || rows[row.n]?.isChecked === true);
    outcomes[row.n] = {
      keyId: row.key_id,
      keyProjectId: row.project_id,
      keyState: row.state,
      keyScope: row.scope,
      customerId: row.customer_id,
      policy: row.policy,
      stored: row.stored || isThere,
    };
  }
  return outcomes;
}

const findBy = (condition: string) =>
  `(SELECT c.id FROM customers c WHERE c.project_id = k.project_id AND ${condition} AND c.deleted_at IS NULL)`;
/** The customer that a row names. */
const FIND_CUSTOMER = `CASE WHEN i.customer IS NOT NULL THEN ${findBy('c.id = i.customer')}
  WHEN i.customer_uid IS NOT NULL THEN ${findBy('c.uid = i.customer_uid')} END`;

const CONFLICT = '(project_id, idempotency_key) WHERE idempotency_key IS NOT NULL';
const statements = new StoringStatements({
  name: 'store-events',
  leading: 2,
  columnTypes: COLUMN_TYPES,
  columns: OUTCOME,
  conflict: CONFLICT,
  text: (tuples, conflict) => statementText(tuples, conflict),
});
/** For rows of which one names a customer or is checked, so that the others pay nothing. */
const specialStatements = new StoringStatements({
  name: 'store-special-events',
  leading: 2,
  columnTypes: [...COLUMN_TYPES, ...SPECIAL_TYPES],
  columns: OUTCOME,
  conflict: CONFLICT,
  text: (tuples, conflict) => statementText(tuples, conflict, FIND_CUSTOMER),
});

/*
 * Rows are inserted in the order of their unique keys, so that the statements of several processes never deadlock.
 * `checked` sets the lock timeout of this transaction before any row is inserted. It compares the cell, $2, because no trigger guards the
 * one that an organization has left after its rows are removed.
 */
function statementText(tuples: string, conflict: string, findCustomer: string | null = null): string {
  const isSpecial = findCustomer !== null;
  return `
WITH checked AS MATERIALIZED (
  SELECT i.*, k.id AS key_id, k.project_id, k.scope,
    CASE WHEN o.cell <> $2::text THEN 'moved' WHEN k.id IS NOT NULL THEN ${KEY_STATE_SQL} END AS state,
    ${findCustomer ?? 'NULL::uuid'} AS customer_id, nullif(p.event_type_policy, 'OPEN')::text AS policy
  FROM (SELECT set_config('lock_timeout', $1, true) AS ms OFFSET 0) lock_timeout
  CROSS JOIN (VALUES ${tuples}) i (n, key_hash, path_project_id, id, type, payload, idempotency_key, body_hash, created_at, traceparent,
    client_address${isSpecial ? ', customer, customer_uid, is_checked' : ''})
  LEFT JOIN (
    api_keys k
    JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
    JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
  ) ON k.key_hash = i.key_hash
  WHERE lock_timeout.ms IS NOT NULL
),
stored AS (
  INSERT INTO events (id, project_id, type, payload, idempotency_key, body_hash, created_at, traceparent, api_key_id, client_address${isSpecial ? ', customer_id' : ''})
  SELECT id, project_id, type, payload, idempotency_key, body_hash, created_at, traceparent, key_id, client_address${isSpecial ? ', customer_id' : ''}
  FROM checked
  WHERE state = 'active' AND scope = 'READ_WRITE' AND (path_project_id IS NULL OR path_project_id = project_id)
    AND ${isSpecial ? '(policy IS NULL OR is_checked)' : 'policy IS NULL'}
    ${isSpecial ? 'AND (customer_id IS NOT NULL OR num_nonnulls(customer, customer_uid) = 0)' : ''}
  ORDER BY project_id, idempotency_key COLLATE "C", id
  ON CONFLICT ${conflict} DO NOTHING
  RETURNING id, project_id${isSpecial ? ', customer_id' : ''}, octet_length(payload) + ${ROW_BYTES} AS bytes
),
queued AS (
  INSERT INTO outbox (id, kind, project_id, event_id${isSpecial ? ', customer_id' : ''})
  SELECT id, 'EVENT', project_id, id${isSpecial ? ', customer_id' : ''} FROM stored
),
counted AS (
  INSERT INTO stat_batches (project_ids, kinds, bytes)
  SELECT array_agg(project_id), array_agg('EVENT'::"StatKind"), array_agg(bytes) FROM stored HAVING count(*) > 0
)
SELECT c.n, c.key_id, c.project_id, c.state, c.scope, c.customer_id, c.policy, s.id IS NOT NULL AS stored,
  -- The payload names whose turn it is, so workers need not search. 64 pairs of ids fit into its limit of 8,000 bytes.
  (SELECT pg_notify(${cellChannelSql('eds_outbox')}, string_agg(DISTINCT ${isSpecial ? turnKeySql('project_id', 'customer_id') : 'project_id::text'}, ','))::text FROM stored HAVING count(*) > 0) AS woken
FROM checked c
LEFT JOIN stored s ON s.id = c.id`;
}

/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = [...statements.samples, ...specialStatements.samples];
