import type { Sql } from '@/lib/platform/db';
import { nullable, text, texts, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { BATCH_BYTES } from './purge-sql';

/*
 * The statements of a move run with the search path of the target: the tables of the source are named with their schema. Names come from
 * the table of cells and from the catalog. The cells may be on two machines, so each statement is about one of them, but for
 * `INSERT … SELECT` of chosen rows.
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

/** Without foreign keys in the catalog: they would slow down ingest. */
const OUTBOX_PARENTS: TableShape['parents'] = [
  { columns: ['event_id'], parent: 'events', parentColumns: ['id'] },
  { columns: ['incoming_event_id'], parent: 'incoming_events', parentColumns: ['id'] },
];

/** Reads the tables of a cell. Partitions are part of theirs. */
export async function readTables(sql: Sql, cell: string): Promise<Map<string, TableShape>> {
  const tables = new Map<string, TableShape>();
  for (const { name, columns } of await selectColumns.all(sql, { cell }))
    tables.set(name, { name, columns: columns ?? '', parents: [] });
  for (const { name, parent, columns, parent_columns } of await selectParents.all(sql, { cell }))
    tables.get(name)?.parents.push({ columns: columns ?? [], parent, parentColumns: parent_columns ?? [] });
  tables.get('outbox')?.parents.push(...OUTBOX_PARENTS);
  return tables;
}

/** Condition on a row of the source. Pending deliveries would be sent by the workers of the target: they move with the organization. */
const isCopied = ({ name }: TableShape) => (name === 'deliveries' ? `status <> 'PENDING'` : 'true');

/** What is copied, and from where. */
export interface Copy {
  source: string;
  table: TableShape;
  /** All tables of a cell. */
  tables: ReadonlyMap<string, TableShape>;
  /** The organization works in the target: what that lacks was deleted there. Before, it is copied again. */
  hasMoved: boolean;
}

/** Reads the columns of a table. */
const columnsOf = ({ tables }: Copy, table: string): string => tables.get(table)?.columns ?? '';

/** Inserts the rows of the source that have these ids and meet a condition. */
async function insertRows(
  tx: Sql,
  copy: Copy,
  ids: readonly string[],
  condition: string,
  onConflict = 'DO NOTHING',
): Promise<void> {
  const { source, table } = copy;
  const present = await withParents(tx, copy, ids);
  if (present.length === 0) return;
  for (const batch of await batchesOf(tx, copy, present)) {
    await tx.query(
      `INSERT INTO ${table.name} (${table.columns}) SELECT ${table.columns} FROM ${source}.${table.name}
       WHERE id = ANY($1) AND ${condition} ON CONFLICT ${onConflict}`,
      [batch],
    );
  }
}

/** Splits ids of rows of the source, in order: large incoming events would exceed the time of one statement. */
async function batchesOf(tx: Sql, { source, table }: Copy, ids: readonly string[]): Promise<string[][]> {
  if (table.name !== 'incoming_events') return [[...ids]];
  const { rows } = await tx.query<{ id: string; size: number }>(
    `SELECT id, size FROM ${source}.incoming_events WHERE id = ANY($1) ORDER BY id`,
    [ids],
  );
  const batches: string[][] = [];
  let bytes = BATCH_BYTES;
  for (const { id, size } of rows) {
    if (bytes >= BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(id);
    bytes += size;
  }
  return batches;
}

/**
 * Returns those ids of rows of the source whose parents are in the target. Until the organization has moved, copies the parents that are
 * not: the others are deleted meanwhile, and noted.
 */
async function withParents(tx: Sql, copy: Copy, ids: readonly string[]): Promise<string[]> {
  const { source, table, tables, hasMoved } = copy;
  let present = [...ids];
  for (const { columns, parent, parentColumns } of table.parents) {
    if (present.length === 0) break;
    const { rows } = await tx.query<{ id: string; key: string | null }>(
      `SELECT id, ${keyOf(columns)} AS key FROM ${source}.${table.name} WHERE id = ANY($1)`,
      [present],
    );
    const keys = [...new Set(rows.flatMap(({ key }) => key ?? []))];
    let found = await findKeys(tx, parent, parentColumns, keys);
    const shape = tables.get(parent);
    const lacking = keys.filter((key) => !found.has(key));
    if (!hasMoved && shape !== undefined && lacking.length > 0) {
      await copyChanged(tx, { ...copy, table: shape }, lacking.map(firstOf));
      found = await findKeys(tx, parent, parentColumns, keys);
    }
    const lost = new Set(rows.filter(({ key }) => key !== null && !found.has(key)).map(({ id }) => id));
    present = present.filter((id) => !lost.has(id));
  }
  return present;
}

/** The values of columns as text; null where one of them is. */
const keyOf = (columns: readonly string[]) => columns.map((column) => `${column}::text`).join(" || ' ' || ");

/** The id of a parent comes first in its key. */
const firstOf = (key: string): string => key.split(' ')[0] ?? '';

async function findKeys(tx: Sql, table: string, columns: readonly string[], keys: readonly string[]) {
  const { rows } = await tx.query<{ key: string }>(
    `SELECT ${keyOf(columns)} AS key FROM ${table} WHERE ${columns[0]} = ANY($1::uuid[])`,
    [keys.map(firstOf)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Returns those ids that a table has. */
async function existing(tx: Sql, table: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1)`, [ids]);
  return rows.map(({ id }) => id);
}

/** Copies what endpoints and ended deliveries have that are in the target. */
async function copyParts(tx: Sql, copy: Copy, ids: readonly string[]): Promise<void> {
  const { table } = copy;
  if (table.name === 'endpoints') {
    const endpoints = await existing(tx, 'endpoints', ids);
    for (const part of ENDPOINT_TABLES) {
      await tx.query(`DELETE FROM ${part} WHERE endpoint_id = ANY($1)`, [ids]);
      await insertParts(tx, copy, part, 'endpoint_id = ANY($1)', endpoints);
    }
  }
  // The subselect hides the number of ids from the planner, which would estimate each of them for every partition.
  const ofDeliveries = 'delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))';
  if (table.name === 'deliveries') {
    await insertParts(tx, copy, 'delivery_attempts', ofDeliveries, await existing(tx, 'deliveries', ids));
  }
}

async function insertParts(tx: Sql, copy: Copy, part: string, condition: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  const columns = columnsOf(copy, part);
  await tx.query(
    `INSERT INTO ${part} (${columns}) SELECT ${columns} FROM ${copy.source}.${part} WHERE ${condition} ON CONFLICT DO NOTHING`,
    [ids],
  );
}

/**
 * Copies the rows of a project above an id that the target does not have.
 * @returns the highest id that it has looked at; null when there was none
 */
export async function copyPage(tx: Sql, copy: Copy, project: string, above: string): Promise<string | null> {
  const { source, table } = copy;
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM ${source}.${table.name}
     WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH_ROWS}`,
    [project, above],
  );
  const page = rows.map(({ id }) => id);
  const batches = await batchesOf(tx, copy, page);
  // Where rows of the page are deleted meanwhile, the last batch ends with the page.
  const ids = batches.length > 1 ? (batches[0] ?? []) : page;
  await insertRows(tx, copy, ids, isCopied(table));
  await copyParts(tx, copy, ids);
  return ids.at(-1) ?? null;
}

/** Copies the permits of all endpoints of projects: they change without their endpoint. */
export async function copyPermits(tx: Sql, copy: Copy, projects: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM endpoint_permits WHERE endpoint_id IN (SELECT id FROM endpoints WHERE project_id = ANY($1))',
    [projects],
  );
  const ofProjects = `endpoint_id IN (SELECT id FROM ${copy.source}.endpoints WHERE project_id = ANY($1))`;
  await insertParts(tx, copy, 'endpoint_permits', ofProjects, projects);
}

/** The key of a row of the statistics, after its project. */
export interface StatKey {
  period: string;
  subject_id: string;
  starts_at: string;
}
const STAT_KEY = 'project_id, period, subject_id, starts_at';
/** Copies a page of the statistics of a project. @returns the last key of the page; null when there was none */
export async function copyStatsPage(
  tx: Sql,
  { source, table }: Copy,
  project: string,
  after: StatKey | null,
): Promise<StatKey | null> {
  const key = '(period, subject_id, starts_at)';
  const isBeyond = (first: number) =>
    `${key} > ($${first}::"StatPeriod", $${first + 1}::uuid, $${first + 2}::timestamptz)`;
  const isAfter = after === null ? 'true' : isBeyond(2);
  const values = [project, ...(after === null ? [] : [after.period, after.subject_id, after.starts_at])];
  const { rows } = await tx.query<StatKey>(
    `SELECT period::text, subject_id, starts_at::text FROM ${source}.stats
     WHERE project_id = $1 AND ${isAfter} ORDER BY ${STAT_KEY} LIMIT ${BATCH_ROWS}`,
    values,
  );
  const last = rows.at(-1);
  if (last === undefined) return null;
  await tx.query(
    `INSERT INTO stats (${table.columns}) SELECT ${table.columns} FROM ${source}.stats
     WHERE project_id = $1 AND ${isAfter} AND NOT ${isBeyond(values.length + 1)} ON CONFLICT DO NOTHING`,
    [...values, last.period, last.subject_id, last.starts_at],
  );
  return last;
}

/** The noted changes that one round copies. */
const ROUND_ROWS = 5_000;

export interface Change {
  id: string;
  table_name: string;
  row_id: string;
  period: string | null;
  subject_id: string | null;
  starts_at: string | null;
}

/** Selects the oldest changes of an organization that are noted in the source. */
export async function selectChanges(tx: Sql, source: string, organization: string): Promise<Change[]> {
  const { rows } = await tx.query<Change>(
    `SELECT id::text, table_name, row_id, period::text, subject_id, starts_at::text FROM ${source}.cell_move_changes
     WHERE organization_id = $1 ORDER BY id LIMIT ${ROUND_ROWS}`,
    [organization],
  );
  return rows;
}

export async function deleteChanges(tx: Sql, source: string, changes: readonly Change[]): Promise<void> {
  await tx.query(`DELETE FROM ${source}.cell_move_changes WHERE id = ANY($1::text[]::bigint[])`, [
    changes.map(({ id }) => id),
  ]);
}

/** Deletes noted changes of an organization in the current cell: a batch. */
export const deleteAllChanges = statement(
  `DELETE FROM cell_move_changes WHERE id = ANY(ARRAY(
     SELECT id FROM cell_move_changes WHERE organization_id = $organization LIMIT 10000))`,
  { params: { organization: uuid } },
);

/** Deletes the rows of the target that the source no longer has, or that are not copied. */
export async function deleteGone(tx: Sql, { source, table }: Copy, ids: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM ${source}.${table.name} WHERE id = ANY($1) AND ${isCopied(table)}`,
    [ids],
  );
  const there = new Set(rows.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length === 0) return;
  if (table.name === 'deliveries') await deleteAttempts(tx, gone);
  await tx.query(`DELETE FROM ${table.name} WHERE id = ANY($1)`, [gone]);
}

/** Deletes the attempts of deliveries that the target has. */
async function deleteAttempts(tx: Sql, ids: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT id FROM deliveries WHERE id = ANY($1::uuid[])))',
    [ids],
  );
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
  const { rows } = await tx.query<{ id: string; within: string; taken: string }>(
    `SELECT id, ${within} AS within, ${column} AS taken FROM ${source}.${name}
     WHERE id = ANY($1) AND ${isLive} AND ${column} IS NOT NULL`,
    [ids],
  );
  if (rows.length === 0) return;
  await tx.query(
    `UPDATE ${name} t SET ${column} = 'moving ' || t.id
     FROM unnest($1::uuid[], $2::uuid[], $3::text[]) s (id, of, taken)
     WHERE t.${within} = s.of AND t.${column} = s.taken AND t.id <> s.id AND ${isLive}`,
    [rows.map(({ id }) => id), rows.map((row) => row.within), rows.map(({ taken }) => taken)],
  );
}

/** Makes rows of the target like those of the source. */
export async function copyChanged(tx: Sql, copy: Copy, ids: readonly string[]): Promise<void> {
  const { name, columns } = copy.table;
  await freeNames(tx, copy, ids);
  // The source may have removed some.
  if (name === 'deliveries') await deleteAttempts(tx, ids);
  // A logged request does not change, and its key begins with its tunnel.
  const update = `(id) DO UPDATE SET (${columns}) = ROW(${columns.replaceAll(/(^|, )/g, '$1excluded.')})`;
  await insertRows(tx, copy, ids, isCopied(copy.table), name === 'tunnel_request_log' ? 'DO NOTHING' : update);
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
  const changed = `(${STAT_KEY}) IN (SELECT * FROM unnest($1::uuid[], $2::"StatPeriod"[], $3::uuid[], $4::timestamptz[]))`;
  await tx.query(`DELETE FROM stats WHERE ${changed}`, values);
  await tx.query(
    `INSERT INTO stats (${table.columns}) SELECT ${table.columns} FROM ${source}.stats WHERE ${changed}`,
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
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM ${source}.${table.name} WHERE project_id = ANY($1) ORDER BY id LIMIT ${BATCH_ROWS} ${locking}`,
    [projects],
  );
  await moveRows(
    tx,
    copy,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

async function moveRows(tx: Sql, copy: Copy, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await insertRows(tx, copy, ids, 'true');
  if (!copy.hasMoved) {
    const lost = ids.length - (await existing(tx, copy.table.name, ids)).length;
    if (lost > 0) throw new Error(`${lost} rows of ${copy.table.name} cannot be moved from ${copy.source}`);
  }
  await tx.query(`DELETE FROM ${copy.source}.${copy.table.name} WHERE id = ANY($1)`, [ids]);
}

/**
 * Moves pending deliveries of projects with their attempts, those that are due first. One that somebody has made again in the target
 * meanwhile stays as it is there.
 * @returns their number
 */
export async function movePending(tx: Sql, copy: Copy, projects: readonly string[], locking: Locking): Promise<number> {
  const { source } = copy;
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM ${source}.deliveries WHERE status = 'PENDING' AND project_id = ANY($1)
     ORDER BY next_attempt_at LIMIT ${BATCH_ROWS} ${locking}`,
    [projects],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await moveRows(tx, copy, ids);
  await copyParts(tx, copy, ids);
  await tx.query(`DELETE FROM ${source}.delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))`, [
    ids,
  ]);
  return ids.length;
}

/** Copies all rows of projects. */
export async function copySmall(tx: Sql, { source, table }: Copy, projects: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM ${table.name} WHERE project_id = ANY($1)`, [projects]);
  await tx.query(
    `INSERT INTO ${table.name} (${table.columns}) SELECT ${table.columns} FROM ${source}.${table.name} WHERE project_id = ANY($1)`,
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
