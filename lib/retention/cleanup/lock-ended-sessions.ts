import type { SqlTransaction } from '@/lib/platform/db';
import { readRow } from './read-rows';

/** Sessions end in two ways, each with its own index. No session is in both. */
export const END_CONDITIONS = [
  { column: 'expires_at', where: 'expires_at <= $1' },
  { column: 'closed_at', where: 'closed_at <= $1 AND expires_at > $1' },
] as const;

/** A session, by the time of its end. */
export interface SessionCursor {
  time: string;
  id: string;
}

export interface LockedSessions {
  count: number;
  /** As PostgreSQL writes an array. */
  ids: string;
  /** The last of them; null when there is none. */
  cursor: SessionCursor | null;
}

/** $1 ended until, $2 and $3 cursor, $4 limit. */
const lockSql = ({ column, where }: (typeof END_CONDITIONS)[number]) => `
  WITH ended AS MATERIALIZED (
    SELECT ${column} AS time, id FROM sessions
    WHERE ${where} AND (${column}, id) > ($2::timestamptz, $3::uuid)
    ORDER BY ${column}, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  SELECT count(*)::int AS count, ARRAY(SELECT id FROM ended)::text AS ids,
    (SELECT jsonb_build_object('time', time::text, 'id', id) FROM ended ORDER BY time DESC, id DESC LIMIT 1) AS cursor
  FROM ended`;

/** Locks the next sessions that ended in one way. Skips those that somebody holds. */
export async function lockEndedSessions(
  tx: SqlTransaction,
  way: (typeof END_CONDITIONS)[number],
  { until, cursor, limit }: { until: Date; cursor: SessionCursor; limit: number },
): Promise<LockedSessions> {
  return readRow(tx, {
    name: `retention-lock-sessions-by-${way.column}`,
    text: lockSql(way),
    values: [until, cursor.time, cursor.id, limit],
  });
}
