import { patternOf, searchTermsOf } from '@/lib/platform/content-search';
import type { Sql } from '@/lib/platform/db';
import { storedAddress } from '@/lib/platform/net/client-network';
import { type Column, integer, nullable, uuid } from './column';
import { type Columns, type RowOf, Statement } from './statement';

/** The ids below and above all others. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * SQL for the rows of which a column has a value, by the index of this column and the id. Order by both columns: then no other index
 * serves the query. For `project_id = p.id ORDER BY id`, the planner may read the primary key instead and hope for rows of the project;
 * for a project with few, it reads the table.
 */
export function byIndex(column: string, value: string, id = 'id'): string {
  return `(${column}, ${id}) >= (${value}, '${LOWEST_ID}') AND (${column}, ${id}) <= (${value}, '${HIGHEST_ID}')`;
}

/** Rows that one statement of a list looks at, at most: a filter that matches nothing costs no more. */
const MAX_EXAMINED = 10_000;
/**
 * Rows whose content one statement searches, the bytes of each, and the characters of the text, at most. To read the content takes as long
 * as its bytes; to find `baaa…` in `aaaa…`, as long as the bytes times the characters.
 */
export const MAX_SEARCHED = 500;
export const MAX_SEARCHED_BYTES = 8 * 1024;
const MAX_SEARCHED_CHARS = 64;
/** Rows that one statement of a count looks at, at most. */
const COUNT_STEP = 20_000;
/** What a scan by time looks at first, for each row of the page. It reads all of that, and most rows match. */
const FIRST_LOOK = 4;

/** A condition on the row `x`, with a `?` for each of its values. */
export type Condition = readonly [sql: string, ...values: unknown[]];

/**
 * Returns the condition that the content in a column has all terms of a text; false for a long text or content. The length is known
 * without reading the content. White space in JSON costs a regular expression, and only in content that has all literals.
 */
export function contains(column: string, type: 'text' | 'bytea', value: string): Condition {
  if (value.length > MAX_SEARCHED_CHARS) return ['false'];
  const terms = searchTermsOf(value);
  const literals = [...new Set(terms.flatMap((term) => term.literals))];
  const spaced = terms.filter(({ tokens }) => tokens.length > 1);
  const contentOf = (text: string) => (type === 'text' ? text : Buffer.from(text));
  const when = (matches: string) =>
    `CASE WHEN octet_length(${column}) <= ${MAX_SEARCHED_BYTES} THEN ${matches} ELSE false END`;
  const [only] = literals;
  if (literals.length === 1 && spaced.length === 0 && only !== undefined) {
    return [when(`position(?::${type} IN ${column}) > 0`), contentOf(only)];
  }
  // Concatenated, it is read and unpacked once for all of them.
  const content = type === 'text' ? 'c.content' : `encode(c.content, 'escape')`;
  const matches = [
    ...literals.map(() => `position(?::${type} IN c.content) > 0`),
    ...spaced.map(() => `${content} ~ ?::text`),
  ];
  return [
    when(`(SELECT ${matches.join(' AND ')} FROM (SELECT ${column} || ''::${type} AS content OFFSET 0) c)`),
    ...literals.map(contentOf),
    ...spaced.map((term) => patternOf(term, type === 'text' ? undefined : escapeBytes)),
  ];
}

/** Writes a text as `encode(…, 'escape')` does with its bytes. */
function escapeBytes(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    if (byte === 0x5c) return '\\\\';
    return byte === 0 || byte > 0x7f ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  }).join('');
}

/**
 * SQL for a column that contains the parameter `$text`, or begins with it when it is long, in any case. It has no wildcards, as LIKE does.
 */
export const holdsText = (column: string) => `CASE WHEN length($text) <= ${MAX_SEARCHED_CHARS}
  THEN strpos(lower(${column}), lower($text)) > 0 ELSE starts_with(lower(${column}), lower($text)) END`;

/** Returns the condition that one of some is fulfilled. */
export function anyOf(...conditions: readonly Condition[]): Condition {
  return [conditions.map(([sql]) => sql).join(' OR '), ...conditions.flatMap(([, ...values]) => values)];
}

/**
 * Returns the condition that a resource which a filter names is one of a project, deleted or not; for `Scan.requires`. Its row outlives
 * those that refer to it.
 */
export function inProject(table: string, id: string, projectId: string): Condition {
  return [`EXISTS (SELECT FROM ${table} WHERE id = ? AND project_id = ?)`, id, projectId];
}

/** Returns the condition that the row was sent from an address; none for a text that is not an address. */
export function sentFrom(text: string): Condition[] {
  const address = storedAddress(text);
  return address === null ? [] : [['x.client_address = ?', address]];
}

/** Columns that an index has before the id, with the values that the rows have there. */
export type IndexPrefix = readonly (readonly [column: string, value: unknown])[];

/**
 * What a list reads: the rows of an index from the highest id down, of which those that fulfil the conditions are its rows. Whatever the
 * conditions are, a statement looks at a bounded number of rows (docs/decisions/045-lists.md).
 */
export interface Scan {
  /** The table, named `x`. */
  from: string;
  /** Columns of `x` that the conditions read, and the details unless the scan is by time. */
  columns: readonly string[];
  /** The indexes of which the rows are read; the rows of two are merged. */
  indexes: readonly IndexPrefix[];
  /** The condition of a partial index. */
  only?: string | undefined;
  /** The lowest id, and the id after the highest. */
  lowest?: string | null | undefined;
  below?: string | null | undefined;
  /** All conditions, including what the indexes say: rows may be locked and checked again. */
  conditions: readonly Condition[];
  /**
   * Conditions without a column of the row: unless all are fulfilled, no row is looked at. An index by the id of a resource has rows of
   * another tenant when the resource is theirs, and `edge` would tell the id of one (docs/decisions/045-lists.md).
   */
  requires?: readonly Condition[] | undefined;
  /** From the lowest id up. Not by time. */
  isAscending?: boolean | undefined;
  maxExamined?: number | undefined;
  /**
   * The list has rows of another table than those that are read: `id` is theirs, and `key` the id of the index. Both must start with the
   * same time, as a delivery's id does with that of its event. `conditions` are on a row `x` of the other table, and are checked once for
   * each: an event has thousands of deliveries.
   */
  byTime?: { key: string; id: string; table: string; conditions?: readonly Condition[] } | undefined;
}

/** What a list shows of each row: a query of `found`, which has the columns of the scan, or those of its other table. */
export interface Details<C extends Columns & { id: Column<string> }> {
  sql: string;
  columns: C;
}

/** Shows the ids alone. */
export const FOUND_IDS = { sql: 'SELECT id FROM found', columns: { id: uuid } };

export interface ScannedPage<Row> {
  rows: Row[];
  /** The cursor of the next page; null at the end of the list. */
  next: string | null;
}

interface Window {
  cursor?: string | undefined;
  examined: number;
  limit: number;
}

/** The parameters of a statement that is being built. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the text of a new parameter. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Returns the text of conditions that must all be fulfilled. */
  all(conditions: readonly Condition[]): string {
    const filled = conditions.map(([sql, ...values]) => {
      const rest = [...values];
      return `(${sql.replaceAll('?', () => this.add(rest.shift()))})`;
    });
    return filled.join(' AND ') || 'true';
  }
}

/** Returns the tables `found`, the rows that match, newest first, and `edge`, the last id examined when there is more to examine. */
function tablesOf(scan: Scan, { cursor, examined, limit }: Window, parameters: Parameters): string {
  const { byTime, conditions } = scan;
  const count = parameters.add(examined);
  const most = parameters.add(limit);
  const window = windowOf(scan, cursor, count, parameters);
  const matches = parameters.all(conditions);
  if (byTime === undefined) {
    return `found AS MATERIALIZED (SELECT * FROM (${window}) x WHERE ${matches} LIMIT ${most}::int),
      edge AS MATERIALIZED (
        SELECT x.id FROM (${window}) x WHERE (SELECT count(*) FROM found) < ${most}::int OFFSET ${count}::int - 1 LIMIT 1)`;
  }
  // The rows of the last millisecond may be incomplete: they belong to the next window.
  return `examined AS MATERIALIZED (SELECT x.key, ${byTime.id} AS id, ${matches} AS matches FROM (${window}) x),
    edge AS MATERIALIZED (
      SELECT (left(key::text, 13) || '-ffff-ffff-ffffffffffff')::uuid AS id FROM examined
      WHERE (SELECT count(*) FROM examined) = ${count}::int ORDER BY key LIMIT 1),
    ids AS MATERIALIZED (
      SELECT d.id FROM (
        SELECT DISTINCT id FROM examined WHERE matches AND id < ${parameters.add(cursor ?? HIGHEST_ID)}
          AND id > coalesce((SELECT id FROM edge), '${LOWEST_ID}') ORDER BY id DESC) d
      ${checkedOnce(byTime, parameters)} ORDER BY d.id DESC LIMIT ${most}::int),
    found AS MATERIALIZED (SELECT x.* FROM ids JOIN ${byTime.table} x ON x.id = ids.id)`;
}

/** OFFSET 0: otherwise the planner might read the entire table. */
function checkedOnce({ table, conditions = [] }: NonNullable<Scan['byTime']>, parameters: Parameters): string {
  if (conditions.length === 0) return '';
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} e WHERE e.id = d.id OFFSET 0) x WHERE ${parameters.all(conditions)}`;
}

/**
 * Returns a query of the first rows of the indexes. Comparing all columns of an index, and ordering by all of them, leaves the planner
 * no other index: it would rather read one in the order of the list, hoping that matching rows come soon.
 */
function windowOf(scan: Scan, cursor: string | undefined, count: string, parameters: Parameters): string {
  const { from, columns, indexes, only, byTime, requires = [], isAscending = false } = scan;
  const key = byTime?.key ?? 'x.id';
  const [low, high] = boundsOf(scan, cursor).map((bound) => parameters.add(bound));
  const [order, atLeast] = isAscending ? ['ASC', cursor === undefined ? '>=' : '>'] : ['DESC', '>='];
  const chosen = [...(byTime === undefined ? [] : [`${key} AS key`]), ...columns].join(', ');
  const parts = indexes.map((index) => {
    const values = index.map(([, value]) => parameters.add(value));
    const names = [...index.map(([column]) => column), key];
    // A partial index may leave out nulls.
    const others = [...index.map(([column]) => `${column} IS NOT NULL`), ...(only === undefined ? [] : [only])];
    // Without a column of the row, it is checked once, before the index is read.
    if (requires.length > 0) others.push(parameters.all(requires));
    return `SELECT ${chosen} FROM ${from}
      WHERE ${[`(${names}) ${atLeast} (${[...values, low]})`, `(${names}) < (${[...values, high]})`, ...others].join(' AND ')}
      ORDER BY ${names.map((name) => `${name} ${order}`)} LIMIT ${count}::int`;
  });
  if (parts.length === 1) return parts[0] as string;
  return `SELECT * FROM (${parts.map((part) => `(${part})`).join(' UNION ALL ')}) x
    ORDER BY ${byTime === undefined ? 'id' : 'key'} ${order} LIMIT ${count}::int`;
}

function boundsOf({ lowest, below, byTime, isAscending }: Scan, cursor: string | undefined): [string, string] {
  const low = lowest ?? LOWEST_ID;
  const high = below ?? HIGHEST_ID;
  if (cursor === undefined) return [low, high];
  if (isAscending) return [cursor > low ? cursor : low, high];
  const start = byTime === undefined ? cursor : endOfMillisecond(cursor);
  return [low, start < high ? start : high];
}

const endOfMillisecond = (id: string) => `${id.slice(0, 13)}-ffff-ffff-ffffffffffff`;
const startOfMillisecond = (id: string) => `${id.slice(0, 13)}-0000-0000-000000000000`;

/** Returns the end of the millisecond before that of an id. */
function endOfMillisecondBefore(id: string): string {
  const before = (BigInt(`0x${id.slice(0, 13).replace('-', '')}`) - 1n).toString(16).padStart(12, '0');
  return endOfMillisecond(`${before.slice(0, 8)}-${before.slice(8)}`);
}

function pageOf<C extends Columns & { id: Column<string> }>(scan: Scan, window: Window, details: Details<C>) {
  const parameters = new Parameters();
  const tables = tablesOf(scan, window, parameters);
  const sql = `WITH ${tables}
    SELECT edge.id AS edge, r.* FROM (SELECT) one LEFT JOIN edge ON true LEFT JOIN (${details.sql}) r ON true
    ORDER BY r.id ${scan.isAscending ? 'ASC' : 'DESC'}`;
  const columns = { ...details.columns, edge: nullable(uuid), id: nullable(uuid) };
  return { statement: new Statement(sql, columns), values: parameters.values };
}

function countOf(scan: Scan, window: Window) {
  const parameters = new Parameters();
  const sql =
    scan.byTime === undefined ? plainCountOf(scan, window, parameters) : timedCountOf(scan, window, parameters);
  return { statement: new Statement(sql, { count: integer, edge: nullable(uuid) }), values: parameters.values };
}

function plainCountOf(scan: Scan, { cursor, examined }: Window, parameters: Parameters): string {
  const count = parameters.add(examined);
  const window = windowOf(scan, cursor, count, parameters);
  return `SELECT count(*) FILTER (WHERE ${parameters.all(scan.conditions)})::int AS count,
      (SELECT x.id FROM (${window}) x OFFSET ${count}::int - 1 LIMIT 1) AS edge
    FROM (${window}) x`;
}

function timedCountOf(scan: Scan, window: Window, parameters: Parameters): string {
  const tables = tablesOf(scan, window, parameters);
  return `WITH ${tables} SELECT (SELECT count(*)::int FROM ids) AS count, (SELECT id FROM edge) AS edge`;
}

/**
 * Reads the next page of a list, newest first. It may have fewer rows than `limit`, or none, and more may come after them: then `next`
 * is where the scan stopped.
 */
export async function scanPage<C extends Columns & { id: Column<string> }>(
  sql: Sql,
  scan: Scan,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  details: Details<C>,
): Promise<ScannedPage<RowOf<C>>> {
  const most = scan.maxExamined ?? MAX_EXAMINED;
  const lowest = scan.lowest ?? LOWEST_ID;
  let within = scan;
  for (let examined = scan.byTime === undefined ? most : Math.min(most, FIRST_LOOK * limit); ; ) {
    // One more row than the page tells whether another page follows.
    const { statement: page, values } = pageOf(within, { cursor, examined, limit: limit + 1 }, details);
    const rows = (await page.all(sql, ...values)) as (RowOf<C> & { id: string; edge: string | null })[];
    const edge = rows[0]?.edge ?? null;
    const found = rows.filter(({ id }) => id !== null);
    const shown = found.slice(0, limit);
    if (found.length > limit) return { rows: shown, next: shown.at(-1)?.id ?? null };
    if (edge === null && within !== scan && cursor !== undefined) {
      const next = endOfMillisecondBefore(cursor);
      return { rows: shown, next: next > lowest ? next : null };
    }
    const isStuck = scan.byTime !== undefined && edge !== null && cursor !== undefined && edge >= cursor;
    if (edge === null || (examined >= most && !isStuck)) return { rows: shown, next: edge };
    if (isStuck && examined >= most) {
      // More than a full window in the millisecond of the cursor: a larger one, of this millisecond alone, gets beyond it.
      const start = startOfMillisecond(cursor as string);
      within = { ...scan, lowest: start > lowest ? start : lowest };
      examined *= 10;
    } else examined = Math.min(most, examined * 10);
  }
}

/**
 * Counts the rows that match, up to a number, in statements that each look at a bounded number of rows.
 * @param mostMs begins no further statement after this; by default there is no bound
 * @returns `isExact` is false when more match than `upTo`, when `maxExamined` rows were looked at and there are more, or when it took too
 *   long, which `isLate` tells
 */
export async function countMatches(
  sql: Sql,
  scan: Scan,
  { upTo, maxExamined, mostMs = Number.POSITIVE_INFINITY }: { upTo: number; maxExamined: number; mostMs?: number },
): Promise<{ count: number; isExact: boolean; isLate?: true }> {
  const endsAt = performance.now() + mostMs;
  const usual = Math.min(COUNT_STEP, scan.maxExamined ?? COUNT_STEP);
  let count = 0;
  let left = maxExamined;
  let step = usual;
  let cursor: string | undefined;
  while (left > 0) {
    if (performance.now() > endsAt) return { count, isExact: false, isLate: true };
    const { statement: counted, values } = countOf(scan, { cursor, examined: step, limit: step });
    const { count: found, edge } = await counted.one(sql, ...values);
    left -= step;
    count += found;
    if (count > upTo) return { count: upTo, isExact: false };
    if (edge === null) return { count, isExact: true };
    step = edge === cursor ? step * 10 : usual;
    cursor = edge;
  }
  return { count, isExact: false };
}

/** Returns the statements of a scan, so that their columns are checked. */
export function statementsOf(scan: Scan, details: Details<Columns & { id: Column<string> }>): Statement<Columns>[] {
  const window = { cursor: HIGHEST_ID, examined: 1, limit: 1 };
  return [pageOf(scan, window, details).statement, countOf(scan, window).statement] as unknown as Statement<Columns>[];
}
