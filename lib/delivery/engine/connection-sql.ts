import type { Sql } from '@/lib/platform/db';
import { statement } from '@/lib/platform/sql/statement';

/** Returns one row without columns: the connection works. */
export const ping = statement('SELECT');

/** Lets a connection receive the notifications of a channel. */
export async function listenTo(sql: Sql, channel: string): Promise<void> {
  await sql.query(`LISTEN ${channel}`);
}
