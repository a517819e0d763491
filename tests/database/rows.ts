import type { QueryResult, QueryResultRow } from 'pg';
import { database } from '@/lib/platform/db';

/** Whether a table has a row with this id. */
export const exists = async (table: string, id: string) =>
  (await database().query(`SELECT FROM ${table} WHERE id = $1`, [id])).rowCount === 1;

/** Returns how many rows a query finds. */
export const count = async (sql: string, ...values: unknown[]) => (await database().query(sql, values)).rowCount ?? 0;

/** Returns the tables that contain a text in some row, as text or as bytes. */
export async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await database().query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = ANY (current_schemas(false)::regnamespace[]) AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`;
    if ((await count(sql, text, Buffer.from(text).toString('hex'))) > 0) found.push(name);
  }
  return found;
}

/** Runs a statement, and returns its result. */
export const run = (sql: string, ...values: unknown[]) => database().query(sql, values);

/** A row of a query whose type is not given: it may have any columns. */
type AnyRow = QueryResult['rows'][number];

/** Returns the rows of a query. */
export const select = async <T extends QueryResultRow = AnyRow>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await database().query<T>(sql, values)).rows;

/** SQL of a time of a row, that much earlier. Citus refuses the subtraction of an interval from a column in an UPDATE. */
export const earlier = (column: string, interval: string) =>
  `${column} = (${column} AT TIME ZONE 'UTC' - interval '${interval}') AT TIME ZONE 'UTC'`;

/** SQL of the milliseconds of the time in an id: PostgreSQL 15 has no function for it. */
export const msOfId = (id: string) => `('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint`;

/** SQL of the time in an id. */
export const timeOfId = (id: string) => `to_timestamp(${msOfId(id)} / 1000.0)`;
