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
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`;
    if ((await count(sql, text, Buffer.from(text).toString('hex'))) > 0) found.push(name);
  }
  return found;
}
