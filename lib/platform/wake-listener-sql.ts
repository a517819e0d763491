import type { Sql } from './db';
import { statement } from './sql/statement';

/** Returns one row without columns: the connection works. */
export const ping = statement('SELECT');

/** Lets a connection receive the notifications of a channel. */
export async function listenTo(sql: Sql, channel: string): Promise<void> {
  await sql.query(`LISTEN ${channel}`);
}
