import { database } from '@/lib/platform/db';

/** Whether a table has a row with this id. */
export const exists = async (table: string, id: string) =>
  (await database().query(`SELECT FROM ${table} WHERE id = $1`, [id])).rowCount === 1;

/** Returns how many rows a query finds. */
export const count = async (sql: string, ...values: unknown[]) => (await database().query(sql, values)).rowCount ?? 0;
