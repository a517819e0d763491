import type { Sql } from '@/lib/platform/db';
import { bigint, nullable, text, texts, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/*
 * The statements of a move run with the search path of the target: the tables of the source are named with their schema. Names come from
 * the table of cells and from the catalog.
 */

/** The tables whose rows are copied while the organization works, parents first. What is written meanwhile is noted and copied again. */
export const NOTED_TABLES = [
  'customers',
  'portal_sessions',
  'endpoints',
  'subscriptions',
  'sources',
  'destinations',
  'tunnels',
  'event_types',
  'events',
  'incoming_events',
  'deliveries',
  'tunnel_request_log',
  'stats',
] as const;
export type NotedTable = (typeof NOTED_TABLES)[number];

/** The tables whose rows would cause work in the target before the organization is there. They move with it, parents first. */
export const MOVED_TABLES = [
  'outbox',
  'event_replays',
  'bulk_retries',
  'incoming_event_replays',
  'alert_incidents',
  'alert_messages',
] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Those with a row for each endpoint or tunnel, or few for each project. They are copied when the organization moves. */
const FEW_ROWS = { stored_bytes: 'project_id', tunnel_connections: 'project_id', alerts: 'project_id' } as const;
type SmallTable = keyof typeof FEW_ROWS;
export const SMALL_TABLES = Object.keys(FEW_ROWS) as SmallTable[];

/** Those of endpoints, which are copied with them. */
export const ENDPOINT_TABLES = ['endpoint_disabled_periods', 'endpoint_permits'] as const;

/** The tables whose rows a trigger guards: all with a project, but for attempts, which are written with their delivery. */
export const GUARDED_TABLES = [...NOTED_TABLES, ...MOVED_TABLES, ...SMALL_TABLES];

/** What is moved or copied by one statement. */
const BATCH_ROWS = 1_000;

/** A table of a cell. */
export interface TableShape {
  name: string;
  /** Its columns, quoted, with commas between. */
  columns: string;
  /** The tables of the cell that it refers to. */
  parents: { columns: string[]; parent: string; parentColumns: string[] }[];
}

const selectColumns = statement(
  `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE c.relnamespace = $cell::text::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1 ORDER BY 1`,
  { params: { cell: text }, columns: { name: text, columns: nullable(text) } },
);

const namesOf = (table: string, numbers: string) =>
  `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY n(number, place)
         JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = n.number ORDER BY place)`;
const selectParents = statement(
  `SELECT c.relname AS name, parent.relname AS parent, ${namesOf('k.conrelid', 'k.conkey')} AS columns,
     ${namesOf('k.confrelid', 'k.confkey')} AS parent_columns
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
   WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = $cell::text::regnamespace AND parent.relnamespace = c.relnamespace`,
  {
    params: { cell: text },
    columns: { name: text, parent: text, columns: nullable(texts), parent_columns: nullable(texts) },
  },
);

/** Reads the tables of a cell. Partitions are part of theirs. */
export async function readTables(sql: Sql, cell: string): Promise<Map<string, TableShape>> {
  const tables = new Map<string, TableShape>();
  for (const { name, columns } of await selectColumns.all(sql, { cell }))
    tables.set(name, { name, columns: columns ?? '', parents: [] });
  for (const { name, parent, columns, parent_columns } of await selectParents.all(sql, { cell }))
    tables.get(name)?.parents.push({ columns: columns ?? [], parent, parentColumns: parent_columns ?? [] });
  return tables;
}

/** Condition on a row `s` of the source: what it refers to is in the target. Else that is written meanwhile, or deleted, and noted. */
const hasParents = ({ parents }: TableShape) =>
  parents
    .map(({ columns, parent, parentColumns }) => {
      const isNull = columns.map((column) => `s.${column} IS NULL`).join(' OR ');
      const isSame = columns.map((column, index) => `p.${parentColumns[index]} = s.${column}`).join(' AND ');
      return `(${isNull} OR EXISTS (SELECT FROM ${parent} p WHERE ${isSame}))`;
    })
    .join(' AND ') || 'true';

/** Pending deliveries would be sent by the workers of the target. They move with the organization. */
const isCopied = ({ name }: TableShape) => (name === 'deliveries' ? `s.status <> 'PENDING'` : 'true');

/** What is copied, and from where. */
export interface Copy {
  source: string;
  table: TableShape;
  /** All tables of a cell. */
  tables: ReadonlyMap<string, TableShape>;
}

/** Reads the columns of a table. */
const columnsOf = ({ tables }: Copy, table: string): string => tables.get(table)?.columns ?? '';

/** Copies what endpoints and ended deliveries have. */
async function copyParts(tx: Sql, copy: Copy, ids: readonly string[]): Promise<void> {
  const { source, table } = copy;
  if (table.name === 'endpoints') {
    for (const part of ENDPOINT_TABLES) {
      await tx.query(`DELETE FROM ${part} WHERE endpoint_id = ANY($1)`, [ids]);
      await insertParts(tx, copy, part, 'e.id = ANY($1)', ids);
    }
  }
  if (table.name !== 'deliveries') return;
  const columns = columnsOf(copy, 'delivery_attempts');
  // The array hides the number of ids from the planner, which would estimate each of them for every partition.
  await tx.query(
    `INSERT INTO delivery_attempts (${columns}) SELECT ${columns} FROM ${source}.delivery_attempts
     WHERE delivery_id = ANY(ARRAY(SELECT id FROM deliveries WHERE id = ANY($1::uuid[]))) ON CONFLICT DO NOTHING`,
    [ids],
  );
}

const insertParts = (tx: Sql, copy: Copy, part: string, condition: string, ids: readonly string[]) =>
  tx.query(
    `INSERT INTO ${part} (${columnsOf(copy, part)}) SELECT ${columnsOf(copy, part)} FROM ${copy.source}.${part}
     WHERE endpoint_id IN (SELECT e.id FROM endpoints e WHERE ${condition})`,
    [ids],
  );

/**
 * Copies the rows of a project above an id that the target does not have.
 * @returns the highest id that it has looked at; null when there was none
 */
export async function copyPage(tx: Sql, copy: Copy, project: string, above: string): Promise<string | null> {
  const { source, table } = copy;
  const { rows } = await tx.query<{ ids: string[] | null }>(
    `WITH page AS MATERIALIZED (
       SELECT * FROM ${source}.${table.name} WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH_ROWS}
     ), copied AS (
       INSERT INTO ${table.name} (${table.columns}) SELECT ${table.columns} FROM page s
       WHERE ${isCopied(table)} AND ${hasParents(table)} ON CONFLICT DO NOTHING
     )
     SELECT array_agg(id ORDER BY id) AS ids FROM page`,
    [project, above],
  );
  const ids = rows[0]?.ids ?? [];
  await copyParts(tx, copy, ids);
  return ids.at(-1) ?? null;
}

/** Copies the permits of all endpoints of projects: they change without their endpoint. */
export async function copyPermits(tx: Sql, copy: Copy, projects: readonly string[]): Promise<void> {
  const ofProjects = 'e.project_id = ANY($1)';
  await tx.query(`DELETE FROM endpoint_permits USING endpoints e WHERE e.id = endpoint_id AND ${ofProjects}`, [
    projects,
  ]);
  await insertParts(tx, copy, 'endpoint_permits', ofProjects, projects);
}

/** The key of a row of the statistics, after its project. */
export interface StatKey {
  period: string;
  subject_id: string;
  starts_at: string;
}
const STAT_KEY = 'project_id, period, subject_id, starts_at';
const isSameStat = (a: string, b: string) =>
  `(${['project_id', 'period', 'subject_id', 'starts_at'].map((name) => `${a}.${name} = ${b}.${name}`).join(' AND ')})`;

/** Copies a page of the statistics of a project. @returns the last key of the page; null when there was none */
export async function copyStatsPage(
  tx: Sql,
  { source, table }: Copy,
  project: string,
  after: StatKey | null,
): Promise<StatKey | null> {
  const isAfter =
    after === null ? '' : 'AND (period, subject_id, starts_at) > ($2::"StatPeriod", $3::uuid, $4::timestamptz)';
  const { rows } = await tx.query<StatKey>(
    `WITH page AS MATERIALIZED (
       SELECT * FROM ${source}.stats WHERE project_id = $1 ${isAfter} ORDER BY ${STAT_KEY} LIMIT ${BATCH_ROWS}
     ), copied AS (INSERT INTO stats (${table.columns}) SELECT ${table.columns} FROM page ON CONFLICT DO NOTHING)
     SELECT period::text, subject_id::text, starts_at::text FROM page p ORDER BY p.period DESC, p.subject_id DESC, p.starts_at DESC LIMIT 1`,
    after === null ? [project] : [project, after.period, after.subject_id, after.starts_at],
  );
  return rows[0] ?? null;
}

/** The noted changes that one round copies. */
const ROUND_ROWS = 5_000;

/** Selects the oldest noted changes of an organization. */
export const selectChanges = statement(
  `SELECT id, table_name, row_id, period::text AS period, subject_id, starts_at::text AS starts_at
   FROM public.cell_move_changes WHERE organization_id = $organization ORDER BY id LIMIT ${ROUND_ROWS}`,
  {
    params: { organization: uuid },
    columns: {
      id: bigint,
      table_name: text,
      row_id: uuid,
      period: nullable(text),
      subject_id: nullable(uuid),
      starts_at: nullable(text),
    },
  },
);
export type Change = RowOf<typeof selectChanges.columns>;

export const deleteChanges = statement(
  'DELETE FROM public.cell_move_changes WHERE id = ANY($changes::text[]::bigint[])',
  {
    params: { changes: texts },
  },
);

/** Deletes noted changes of an organization: a batch. */
export const deleteAllChanges = statement(
  `DELETE FROM public.cell_move_changes WHERE id = ANY(ARRAY(
     SELECT id FROM public.cell_move_changes WHERE organization_id = $organization LIMIT 10000))`,
  { params: { organization: uuid } },
);

/** Deletes the rows of the target that the source no longer has, or that are not copied. */
export async function deleteGone(tx: Sql, { source, table }: Copy, ids: readonly string[]): Promise<void> {
  const gone = `NOT EXISTS (SELECT FROM ${source}.${table.name} s WHERE s.id = t.id AND ${isCopied(table)})`;
  const { rows } = await tx.query<{ id: string }>(
    `DELETE FROM ${table.name} t WHERE t.id = ANY($1) AND ${gone} RETURNING t.id`,
    [ids],
  );
  if (table.name !== 'deliveries' || rows.length === 0) return;
  await tx.query('DELETE FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))', [
    rows.map(({ id }) => id),
  ]);
}

/** The unique names that an API lets people give to another row, and within what. None of them may have a space. */
const NAMES = {
  customers: { column: 'uid', within: 'project_id', isLive: 'deleted_at IS NULL' },
  endpoints: { column: 'uid', within: 'project_id', isLive: 'deleted_at IS NULL' },
  subscriptions: { column: 'event_type', within: 'endpoint_id', isLive: 'true' },
} as const;

/**
 * Takes the names of rows of the source from other rows of the target. Those are outdated, so they are noted, and get their own name when
 * they are copied again.
 */
async function freeNames(tx: Sql, { source, table: { name } }: Copy, ids: readonly string[]): Promise<void> {
  if (!(name in NAMES)) return;
  const { column, within, isLive } = NAMES[name as keyof typeof NAMES];
  await tx.query(
    `UPDATE ${name} t SET ${column} = 'moving ' || t.id
     FROM (SELECT id, ${within}, ${column} FROM ${source}.${name} WHERE id = ANY($1) AND ${isLive}) s
     WHERE t.${within} = s.${within} AND t.${column} = s.${column} AND t.id <> s.id AND ${isLive}`,
    [ids],
  );
}

/** Makes rows of the target like those of the source. */
export async function copyChanged(tx: Sql, copy: Copy, ids: readonly string[]): Promise<void> {
  const { source, table } = copy;
  const { name, columns } = table;
  await freeNames(tx, copy, ids);
  // A logged request does not change, and its key begins with its tunnel.
  const onConflict =
    name === 'tunnel_request_log'
      ? 'DO NOTHING'
      : `(id) DO UPDATE SET (${columns}) = ROW(${columns.replaceAll(/(^|, )/g, '$1excluded.')})`;
  await tx.query(
    `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${source}.${name} s
     WHERE s.id = ANY($1) AND ${isCopied(table)} AND ${hasParents(table)} ON CONFLICT ${onConflict}`,
    [ids],
  );
  await copyParts(tx, copy, ids);
}

/** Makes rows of the statistics of the target like those of the source. */
export async function copyChangedStats(tx: Sql, { source, table }: Copy, changes: readonly Change[]): Promise<void> {
  const values = [
    changes.map(({ row_id }) => row_id),
    changes.map(({ period }) => period),
    changes.map(({ subject_id }) => subject_id),
    changes.map(({ starts_at }) => starts_at),
  ];
  const changed = `(SELECT DISTINCT * FROM unnest($1::uuid[], $2::"StatPeriod"[], $3::uuid[], $4::timestamptz[]) c(${STAT_KEY})) c`;
  await tx.query(
    `DELETE FROM stats t USING ${changed} WHERE ${isSameStat('t', 'c')}
       AND NOT EXISTS (SELECT FROM ${source}.stats s WHERE ${isSameStat('s', 'c')})`,
    values,
  );
  await tx.query(
    `INSERT INTO stats (${table.columns}) SELECT ${table.columns.replaceAll(/(^|, )/g, '$1s.')} FROM ${changed}
     JOIN ${source}.stats s ON ${isSameStat('s', 'c')}
     ON CONFLICT (${STAT_KEY}) DO UPDATE SET (${table.columns}) = ROW(${table.columns.replaceAll(/(^|, )/g, '$1excluded.')})`,
    values,
  );
}

/**
 * How rows of the source are locked that move. A writer may hold some and wait for the lock of the move: whoever has that lock skips them.
 */
export type Locking = 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED';

/**
 * Moves rows of projects that cause work. What the target has made of its own since the organization is there stays.
 * @returns their number
 */
export async function moveBatch(tx: Sql, copy: Copy, projects: readonly string[], locking: Locking): Promise<number> {
  const { source, table } = copy;
  const { rowCount } = await tx.query(
    `WITH gone AS (
       DELETE FROM ${source}.${table.name} WHERE id = ANY(ARRAY(
         SELECT id FROM ${source}.${table.name} WHERE project_id = ANY($1) ORDER BY id LIMIT ${BATCH_ROWS} ${locking}))
       RETURNING *
     ), moved AS (
       INSERT INTO ${table.name} (${table.columns}) SELECT ${table.columns} FROM gone s WHERE ${hasParents(table)}
       ON CONFLICT DO NOTHING
     )
     SELECT FROM gone`,
    [projects],
  );
  return rowCount ?? 0;
}

/**
 * Moves pending deliveries of projects with their attempts, those that are due first. One that somebody has made again in the target
 * meanwhile stays as it is there.
 * @returns their number
 */
export async function movePending(tx: Sql, copy: Copy, projects: readonly string[], locking: Locking): Promise<number> {
  const { source, table } = copy;
  const columns = columnsOf(copy, 'delivery_attempts');
  const { rows } = await tx.query<{ id: string }>(
    `WITH gone AS (
       DELETE FROM ${source}.deliveries WHERE id = ANY(ARRAY(
         SELECT id FROM ${source}.deliveries WHERE status = 'PENDING' AND project_id = ANY($1)
         ORDER BY next_attempt_at LIMIT ${BATCH_ROWS} ${locking}))
       RETURNING *
     ), moved AS (
       INSERT INTO deliveries (${table.columns}) SELECT ${table.columns} FROM gone s WHERE ${hasParents(table)}
       ON CONFLICT DO NOTHING
     )
     SELECT id FROM gone`,
    [projects],
  );
  if (rows.length === 0) return 0;
  await tx.query(
    `WITH gone AS (
       DELETE FROM ${source}.delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) RETURNING *
     )
     INSERT INTO delivery_attempts (${columns}) SELECT ${columns} FROM gone
     WHERE delivery_id IN (SELECT id FROM deliveries WHERE id = ANY($1::uuid[])) ON CONFLICT DO NOTHING`,
    [rows.map(({ id }) => id)],
  );
  return rows.length;
}

/** Copies all rows of projects. */
export async function copySmall(tx: Sql, { source, table }: Copy, projects: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM ${table.name} WHERE project_id = ANY($1)`, [projects]);
  await tx.query(
    `INSERT INTO ${table.name} (${table.columns}) SELECT ${table.columns} FROM ${source}.${table.name} s
     WHERE s.project_id = ANY($1) AND ${hasParents(table)}`,
    [projects],
  );
}

/** Ends in the source what would go on there: its alerts, and what its owner has stored, which is summed over all cells. */
export async function endInSource(
  tx: Sql,
  source: string,
  projects: readonly string[],
  locking: Locking,
): Promise<void> {
  await tx.query(
    `UPDATE ${source}.alerts SET enabled = false WHERE id = ANY(ARRAY(
       SELECT id FROM ${source}.alerts WHERE enabled AND project_id = ANY($1) ORDER BY id ${locking}))`,
    [projects],
  );
  await tx.query(`DELETE FROM ${source}.stored_bytes WHERE project_id = ANY($1)`, [projects]);
}
